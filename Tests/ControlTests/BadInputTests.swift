import Foundation
import SystemTestKit
import Testing

@testable import Control

@Suite(.serialized) struct BadInputTests {
    /// What is sent, the code and a piece of the message that come back.
    static let badLines: [(line: String, code: String, says: String)] = [
        ("hello", "not-json", "not JSON"),
        ("{\"id\": 1, \"call\":", "not-json", "not JSON"),
        ("[1, 2]", "bad-request", "object"),
        ("\"version\"", "bad-request", "object"),
        ("{\"call\": \"version\"}", "bad-request", "id"),
        ("{\"id\": \"one\", \"call\": \"version\"}", "bad-request", "id: a whole number"),
        ("{\"id\": 1.5, \"call\": \"version\"}", "bad-request", "id: a whole number"),
        ("{\"id\": 99999999999999999999, \"call\": \"version\"}", "bad-request", "id: a whole number"),
        ("{\"id\": 1}", "bad-request", "call"),
        ("{\"id\": 1, \"call\": 7}", "bad-request", "call: a text"),
        ("{\"id\": 1, \"call\": \"fly\"}", "unknown-call", "fly"),
        ("{\"id\": 1, \"call\": \"say\"}", "bad-arguments", "arguments"),
        ("{\"id\": 1, \"call\": \"say\", \"arguments\": {}}", "bad-arguments", "arguments.text"),
        ("{\"id\": 1, \"call\": \"say\", \"arguments\": {\"text\": 5}}", "bad-arguments", "arguments.text: a text"),
        ("{\"id\": 1, \"call\": \"say\", \"arguments\": {\"text\": \"  \"}}", "bad-arguments", "arguments.text"),
        ("{\"id\": 1, \"call\": \"say\", \"arguments\": 5}", "bad-arguments", "arguments"),
        ("{\"id\": 1, \"call\": \"trace\", \"arguments\": {\"count\": 51}}", "bad-arguments", "1 to 50"),
        ("{\"id\": 1, \"call\": \"trace\", \"arguments\": {\"count\": \"a\"}}", "bad-arguments", "a whole number"),
        (
            "{\"id\": 1, \"call\": \"trace\", \"arguments\": {\"count\": 1.5}}", "bad-arguments",
            "arguments.count: a whole number"
        ),
        (
            "{\"id\": 1, \"call\": \"press\", \"arguments\": {\"gesture\": \"kick\"}}", "bad-arguments",
            "tap, hold, double"
        ),
        (
            "{\"id\": 1, \"call\": \"press\", \"arguments\": {\"gesture\": \"tap\", \"holdSeconds\": 1}}",
            "bad-arguments", "holdSeconds"
        ),
        (
            "{\"id\": 1, \"call\": \"press\", \"arguments\": {\"gesture\": \"hold\", \"holdSeconds\": 1000}}",
            "bad-arguments", "holdSeconds"
        ),
        (String(repeating: "[", count: 100_000), "not-json", "not JSON"),
    ]

    @Test(arguments: badLines)
    func badLine_getsAnErrorThatNamesIt_andTheConnectionGoesOn(_ bad: (line: String, code: String, says: String))
        async throws
    {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            await client.send(bad.line)
            let answer = try #require(await client.line())
            let error = try #require(try answerError(answer))
            #expect(error.code == bad.code)
            #expect(error.message.contains(bad.says), "\(error.message)")

            await client.send("{\"id\": 2, \"call\": \"version\"}")
            #expect(await client.line() == "{\"id\":2,\"result\":{\"protocol\":1,\"version\":\"1.2.3\"}}")
        }
    }

    @Test func binaryGarbage_getsErrors_andTheConnectionGoesOn() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            var random = SystemRandomNumberGenerator()
            let garbage = (0..<4_096).map { _ in UInt8.random(in: 128...255, using: &random) }
            await client.send(garbage + [0, 0, 0, UInt8(ascii: "\n")])
            #expect(try answerError(await client.line() ?? "")?.code == "not-json")
            // UTF-16, which Foundation would read by itself.
            await client.send(Array("{}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) + [UInt8(ascii: "\n")])
            #expect(try answerError(await client.line() ?? "")?.code == "not-json")
            await client.send("{\"id\": 2, \"call\": \"version\"}")
            #expect(await client.line()?.contains("1.2.3") == true)
        }
    }

    @Test func lineOfOneMebibyte_isTaken() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            let request = "{\"id\": 1, \"call\": \"version\"}"
            let padding = String(repeating: " ", count: ControlLimits.lineBytes - request.utf8.count)
            await client.send(request + padding)
            #expect(await client.line()?.contains("1.2.3") == true)
        }
    }

    @Test func lineOverOneMebibyte_getsAnErrorNamingTheLimit_thenTheConnectionCloses() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            let tooLong = [UInt8](repeating: UInt8(ascii: "x"), count: ControlLimits.lineBytes + 1)
            await client.send(tooLong + [UInt8(ascii: "\n")])
            let error = try #require(try answerError(await client.line() ?? ""))
            #expect(error.code == "line-too-long")
            #expect(error.message.contains("1048576"))
            #expect(await client.line() == nil)
        }
    }

    @Test func endlessLine_isCutOff_withoutReadingItToItsEnd() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            let flood = Task { await client.send([UInt8](repeating: UInt8(ascii: "x"), count: 64 << 20)) }
            await flood.value
            #expect(try answerError(await client.line() ?? "")?.code == "line-too-long")
        }
    }

    @Test func utf8SplitAcrossReads_arrivesWhole() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            let request = Array("{\"id\": 1, \"call\": \"say\", \"arguments\": {\"text\": \"café £5 🚐\"}}\n".utf8)
            for byte in request { await client.send([byte]) }
            #expect(await client.line()?.contains("café £5 🚐") == true)
        }
    }

    @Test func halfALine_thenHangUp_harmsNobody() async throws {
        try await withServer { path in
            for _ in 0..<20 {
                let client = try RawClient(path)
                await client.send(Array("{\"id\": 1, \"call\": \"ver".utf8))
            }
            #expect(try await ControlClient(path: path).call(VersionCall.self).version == "1.2.3")
        }
    }

    @Test func halfALine_thenNoMore_isClosed() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            await client.send(Array("{\"id\": 1, \"call\": \"ver".utf8))
            await client.finishSending()
            #expect(await client.line() == nil)
        }
    }

    @Test func emptyLines_areSkipped_andCarriageReturnsForgiven() async throws {
        try await withServer { path in
            let client = try RawClient(path)
            _ = await client.line()
            await client.send("\n \n\r\n{\"id\": 1, \"call\": \"version\"}\r")
            #expect(await client.line()?.contains("1.2.3") == true)
        }
    }

    @Test func floodOfBadLines_byAClientThatNeverReads_isCutOff() async throws {
        try await withServer(patience: .milliseconds(200)) { path in
            let client = try RawClient(path)
            await client.send(
                Array(repeating: UInt8(ascii: "x"), count: 0) + Array(String(repeating: "x\n", count: 500_000).utf8))
            #expect(await client.isClosedInTheEnd())
            #expect(try await ControlClient(path: path).call(VersionCall.self).version == "1.2.3")
        }
    }

    private func answerError(_ line: String) throws -> ControlError? {
        try ControlJSON.decode(AnswerLine<Empty>.self, from: Data(line.utf8)).error
    }
}
