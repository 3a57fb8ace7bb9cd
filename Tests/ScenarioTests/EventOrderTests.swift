import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// What an owner sees, feels and hears, in its order.
    @Suite(.serialized) struct EventOrderTests {
        /// Taps with a sentence in the room and follows the turn to Ready.
        private func turn(isPaced: Bool) async throws -> (events: [WatchEvent], trace: TraceRecord, audio: Double) {
            let van = try await VanUnderTest(Setup(isPaced: isPaced))
            defer { van.end() }
            try await van.room(.silence(0.5), .speech("where is the first aid kit"), .silence(3))
            let watcher = try await van.watch()
            let start = watcher.count
            try await van.press()
            try await eventually("the turn's end, there were \(watcher.lines(after: start))") {
                let lines = watcher.lines(after: start)
                guard let history = lines.firstIndex(of: "history 1") else { return false }
                return lines[history...].contains("ring ready")
            }
            let events = Array(watcher.events.dropFirst(start))
            let trace = try #require(events.compactMap(\.turn).last)
            let raw = try Data(contentsOf: URL(fileURLWithPath: "\(van.run)/microphone.raw"))
            return (events, trace, Double(raw.count) / 32_000 - 3)
        }

        @Test func tap_leadsThroughAllStates_andTheEndIsCountedInSamples() async throws {
            let paced = try await turn(isPaced: true)
            let unpaced = try await turn(isPaced: false)
            for turn in [paced, unpaced] {
                try checkOrder(turn.events)
                checkPartials(turn.events, audio: turn.audio)
                #expect(turn.trace.transcript == "where is the first aid kit")
            }
            for name in ["speech begins at", "speech ends at", "audio heard"] {
                let stages = [paced, unpaced].map { turn in turn.trace.stages.first { $0.name == name }?.milliseconds }
                #expect(stages[0] != nil)
                #expect(stages[0] == stages[1], "\(name)")
            }
        }

        @Test func typedWords_areSeenAtOnce_andTheirReplyAfterThem() async throws {
            let van = try await VanUnderTest()
            defer { van.end() }
            let watcher = try await van.watch()
            let start = watcher.count
            let turn = try await van.say("where is the first aid kit")
            try await watcher.spoken(turn.turn)
            let lines = watcher.lines(after: start)
            let expected = [
                "status thinking", "transcript where is the first aid kit", "reply \(turn.reply)",
                "history \(turn.turn)",
            ]
            let places = expected.map { lines.firstIndex(of: $0) }
            #expect(!places.contains(nil), "\(lines)")
            #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(lines)")
        }

        private func checkOrder(_ events: [WatchEvent]) throws {
            let lines = events.map(\.line)
            let reply = try #require(events.first { $0.kind == WatchEvent.Kind.reply }?.text)
            let expected = [
                "haptic medium", "chime start", "ring listening", "haptic light", "chime end", "ring thinking",
                "transcript where is the first aid kit", "reply \(reply)", "turn done", "ring speaking",
                "history 1", "ring ready",
            ]
            let places = expected.map { lines.firstIndex(of: $0) }
            #expect(!places.contains(nil), "\(lines)")
            #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(lines)")

            let words = events.filter { $0.kind == WatchEvent.Kind.word }
            #expect(words.compactMap(\.text).joined(separator: " ") == reply)
            let starts = words.compactMap(\.start)
            #expect(starts == starts.sorted())
            let first = lines.firstIndex { $0.hasPrefix("word ") } ?? 0
            let last = lines.lastIndex { $0.hasPrefix("word ") } ?? 0
            #expect(first > lines.firstIndex(of: "ring speaking") ?? .max)
            #expect(last < lines.firstIndex(of: "history 1") ?? 0)
        }

        private func checkPartials(_ events: [WatchEvent], audio: Double) {
            let listening = events.firstIndex { $0.line == "ring listening" } ?? 0
            let partials = events.enumerated().filter { $1.kind == WatchEvent.Kind.partial }
            #expect(partials.allSatisfy { $0.offset > listening })
            let times = partials.compactMap(\.element.audioSeconds)
            #expect(times.count >= 3, "\(partials.map(\.element.text))")
            #expect(times == times.sorted())
            #expect(Set(times).count == times.count)
            // The words are there while they are being said.
            #expect(times.first ?? .infinity < audio - 0.5)
        }
    }
}
