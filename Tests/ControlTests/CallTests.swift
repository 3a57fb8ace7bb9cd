import Foundation
import Logging
import Synchronization
import SystemTestKit
import Testing

@testable import Control

@Suite(.serialized) struct CallTests {
    @Test func greeting_namesVersionAndProtocol() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            #expect(await client.line() == "{\"protocol\":1,\"vanorb\":\"1.2.3\"}")
        }
    }

    @Test func greeting_tellsTheClientHowTheOwnerWritesTimes_beforeTheAnswer() async throws {
        let owner = OwnerLocale(timeZone: "Asia/Tokyo", language: "en", country: "JP", currency: "JPY")
        try await withServer(owner: owner) { path in
            let learned = Mutex<OwnerLocale?>(nil)
            let client = ControlClient(path: path) { owner in learned.withLock { $0 = owner } }
            _ = try await client.call(SayCall.self, SayArguments(text: "log diesel"))
            #expect(learned.withLock { $0 } == owner)
        }
    }

    @Test func call_returnsItsResult() async throws {
        try await withServer { path in
            let client = ControlClient(path: path)
            let turn = try await client.call(SayCall.self, SayArguments(text: "log diesel"))
            #expect(turn == echo("log diesel"))
            #expect(try await client.call(PressCall.self, PressArguments(gesture: .double)).message == "double")
            #expect(try await client.call(TraceCall.self, TraceArguments()).turns.count == 1)
        }
    }

    @Test func callWhoseArgumentsAreAllOptional_needsNone() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            await client.send("{\"id\": 1, \"call\": \"trace\"}")
            #expect(await client.line()?.contains("\"result\"") == true)
            await client.send("{\"id\": 1, \"call\": \"trace\", \"arguments\": null}")
            #expect(await client.line()?.contains("\"result\"") == true)
        }
    }

    @Test func handlersError_reachesTheCaller() async throws {
        try await withServer { path in
            _ = await #expect(throws: ControlError(code: "empty", message: "There is nothing to undo.")) {
                try await ControlClient(path: path).call(UndoCall.self, UndoArguments())
            }
        }
    }

    @Test func badArguments_areRefused_beforeTheyAreSent() async throws {
        await #expect(throws: ControlError.self) {
            try await ControlClient(path: "/nowhere").call(SayCall.self, SayArguments(text: " "))
        }
    }

    @Test func duplicateName_isRefused() throws {
        var calls = CallTable()
        try calls.add(VersionCall.self) { _ in VersionResult(version: "1") }
        #expect(throws: CallTable.DuplicateName(name: "version")) {
            try calls.add(VersionCall.self) { _ in VersionResult(version: "2") }
        }
    }

    @Test func duplicateName_stopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var calls = CallTable()
            calls.register(VersionCall.self) { _ in VersionResult(version: "1") }
            calls.register(VersionCall.self) { _ in VersionResult(version: "2") }
        }
    }

    @Test func requestsThenHalfClose_stillGetTheirAnswers() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            await client.send("{\"id\": 1, \"call\": \"version\"}\n{\"id\": 2, \"call\": \"version\"}")
            await client.finishSending()
            var lines: [String] = []
            while let line = await client.line() { lines.append(line) }
            #expect(lines.count == 3)
        }
    }

    @Test func cancel_endsTheCall() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            await client.send("{\"id\": 7, \"call\": \"close\"}\n{\"cancel\": 7}")
            #expect(await client.line()?.contains("\"cancelled\"") == true)
            await client.send("{\"cancel\": 7}\n{\"id\": 8, \"call\": \"version\"}")
            #expect(await client.line()?.contains("\"id\":8") == true)
        }
    }

    @Test func numberInUse_andTooManyCalls_areRefused() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            for id in 1...ControlLimits.callsPerConnection { await client.send("{\"id\": \(id), \"call\": \"close\"}") }
            await client.send("{\"id\": 1, \"call\": \"version\"}")
            #expect(await client.line()?.contains("in use") == true)
            await client.send("{\"id\": 99, \"call\": \"version\"}")
            #expect(await client.line()?.contains("\"busy\"") == true)
        }
    }

    @Test func hangingUp_cancelsTheCall() async throws {
        let (ended, signal) = AsyncStream.makeStream(of: Bool.self)
        var calls = CallTable()
        calls.register(CloseCall.self) { _ in
            signal.yield(false)
            do { try await Task.sleep(for: .seconds(3_600)) } catch { signal.yield(true) }
            return Acknowledgement(message: "ended")
        }
        try await withServer(calls: calls) { path in
            var client: RawClient? = try RawClient(path)
            await client?.send("{\"id\": 1, \"call\": \"close\"}")
            for await wasCancelled in ended {
                client = nil
                if wasCancelled { break }
            }
        }
    }

    @Test func hundredClientsAtOnce_allGetTheirOwnAnswer() async throws {
        try await withServer { path in
            let client = ControlClient(path: path, patience: .seconds(30))
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let said = "number \(number)"
                        return try await client.call(SayCall.self, SayArguments(text: said)).transcript == said
                    }
                }
                var right = 0
                for try await isRight in group where isRight { right += 1 }
                #expect(right == 100)
            }
        }
    }

    @Test func answerOverTheLimit_becomesAnError() async throws {
        var calls = CallTable()
        calls.register(SayCall.self) { _ in echo(String(repeating: "x", count: ControlLimits.lineBytes)) }
        try await withServer(calls: calls) { path in
            do {
                _ = try await ControlClient(path: path).call(SayCall.self, SayArguments(text: "much"))
                Issue.record("the answer was sent")
            } catch let error as ControlError {
                #expect(error.code == "line-too-long")
                // The handler has returned: what it was to do is done, and nobody is to do it again.
                #expect(error.message.hasPrefix("The call was carried out"), "\(error.message)")
            }
        }
    }

    @Test func errorOverTheLimit_isCutShort() async throws {
        var calls = CallTable()
        calls.register(SayCall.self) { _ in
            throw ControlError(code: "failed", message: String(repeating: "x", count: ControlLimits.lineBytes))
        }
        try await withServer(calls: calls) { path in
            do {
                _ = try await ControlClient(path: path).call(SayCall.self, SayArguments(text: "much"))
                Issue.record("there is an answer")
            } catch let error as ControlError {
                #expect(error.code == "failed")
                #expect(error.message.count < 5_000)
            }
        }
    }

    @Test func numbersThatJSONCannotWrite_travel() throws {
        var record = echo("x")
        record.confidence = .nan
        let line = try ControlJSON.encode(record)
        #expect(try ControlJSON.decode(TraceRecord.self, from: line).confidence.isNaN)
    }
}
