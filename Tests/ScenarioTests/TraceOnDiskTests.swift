import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// What turns leave behind: in memory only, unless the owner wants it otherwise.
    @Suite(.serialized) struct TraceOnDiskTests {
        private func kept(_ van: VanUnderTest) -> String {
            (try? String(contentsOfFile: "\(van.data)/traces.jsonl", encoding: .utf8)) ?? ""
        }

        private func traces(_ van: VanUnderTest, _ count: Int, skip: Int? = nil) async throws -> [TraceRecord] {
            try await van.client.call(TraceCall.self, TraceArguments(count: count, skip: skip)).turns
        }

        @Test func turns_outlastARestart_whereTheOwnerWantsIt_andAreRemovedWhereNot() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false, owner: ""))
            defer { van.end() }
            _ = try await van.say("what day is it")
            #expect(!FileManager.default.fileExists(atPath: "\(van.data)/traces.jsonl"))
            let done = try await van.change("trace.keep_on_disk", to: "true")
            #expect(done.isInForce && done.waiting.isEmpty)
            let first = try await van.say("how much money do I have")
            _ = try await van.say("where is the tow rope")
            try await eventually("both turns to be written") {
                kept(van).contains("how much money") && kept(van).contains("tow rope")
            }
            #expect(!kept(van).contains("what day"), "only what comes after it was turned on")
            let mode = try FileManager.default.attributesOfItem(atPath: "\(van.data)/traces.jsonl")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(try await traces(van, 50).count == 3, "what is in both places is told once")

            try await van.restart()
            let old = try await traces(van, 50)
            #expect(old.map(\.transcript) == ["where is the tow rope", "how much money do I have"])
            #expect(old.last?.reply == first.reply && old.last?.intent == first.intent)
            _ = try await van.say("what time is it")
            #expect(
                try await traces(van, 2).map(\.transcript) == ["what time is it", "where is the tow rope"])
            #expect(try await traces(van, 5, skip: 2).map(\.transcript) == ["how much money do I have"])
            let shown = try await van.vanorb("trace", "1", "--skip", "1")
            #expect(shown.status == 0 && shown.lines.joined().contains("where is the tow rope"), "\(shown.lines)")

            _ = try await van.change("trace.keep_on_disk", to: "false")
            try await eventually("the file to go") {
                !FileManager.default.fileExists(atPath: "\(van.data)/traces.jsonl")
            }
            #expect(try await traces(van, 50).map(\.transcript) == ["what time is it"])
        }

        @Test func traceThatCannotBeWritten_isSaidOnce_andTurnsGoOn() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false, settings: ["trace.keep_on_disk=true"]))
            defer { van.end() }
            let path = "\(van.data)/traces.jsonl"
            // Also root cannot write to a folder.
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for _ in 0..<3 { #expect(try await van.say("what time is it").outcome == .done) }
            try await van.daemon.printed("can’t write the trace to disk")
            try await eventually("doctor to know") { try await van.part("trace on disk")?.state == .warning }
            #expect(
                van.daemon.lines.count { $0.contains("can’t write the trace to disk") && $0.contains("warning") } == 1)
            #expect(try await traces(van, 2).count == 2)
            try FileManager.default.removeItem(atPath: path)
            _ = try await van.say("what day is it")
            try await eventually("it to be kept again") { kept(van).contains("what day is it") }
            try await eventually("doctor to know") { try await van.part("trace on disk")?.state == .ok }
        }

        @Test func aTranscript_isInTheLogAtDebugLevelOnly() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false, owner: ""))
            defer { van.end() }
            _ = try await van.say("where is the tow rope")
            _ = try await van.change("log.level", to: "debug")
            _ = try await van.say("where is the first aid kit")
            try await eventually("the second transcript") {
                van.daemon.lines.contains { $0.contains("debug") && $0.contains("where is the first aid kit") }
            }
            #expect(!van.daemon.lines.contains { $0.contains("where is the tow rope") })
        }
    }
}
