import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The button, with the room at the pace of speech.
    @Suite(.serialized, .van(Setup(isPaced: true))) struct GestureTests {
        @Test func hold_isNotEndedBySilence_andReleaseSubmits() async throws {
            let van = try ScenarioTests.van
            try await van.room(.silence(0.7), .speech("where is the tow rope"), .silence(60))
            let watcher = try await van.watch()
            let start = watcher.count
            // Two seconds and more of silence behind the sentence.
            try await van.press(.hold, holdSeconds: 6)
            let turn = try #require(try await watcher.event("turn", after: start) { $0.turn != nil }.turn)
            #expect(turn.reply == "The tow rope is in the garage.")
            let heard = try #require(turn.stages.first { $0.name == "audio heard" }).milliseconds
            let ended = try #require(turn.stages.first { $0.name == "speech ends at" }).milliseconds
            #expect(heard - ended > 1_900, "the closing silence of 1.5 s, and the tail, must not have ended it")
            try await watcher.spoken(turn.turn)
        }

        @Test func tapWhileListening_submitsWhatWasSaid() async throws {
            let van = try ScenarioTests.van
            try await van.room(.silence(0.5), .speech("is the fridge on"), .silence(60))
            let watcher = try await van.watch()
            let start = watcher.count
            try await van.press()
            try await watcher.event("all words", after: start) {
                $0.kind == WatchEvent.Kind.partial && $0.text == "is the fridge on"
            }
            try await van.press()
            let turn = try await watcher.event("turn", after: start) { $0.turn != nil }.turn
            #expect(turn?.intent == "get_state")
            try await watcher.spoken(try #require(turn?.turn))
        }

        @Test func doubleTap_dropsAndCloses() async throws {
            let van = try ScenarioTests.van
            let rows = try await van.ledger().count
            try await van.room(.silence(0.2), .speech("log diesel for fifty pounds"), .silence(60))
            let watcher = try await van.watch()
            let start = watcher.count
            try await van.press(.double)
            try await watcher.state(.closed, after: start)
            let lines = watcher.lines(after: start)
            #expect(lines.filter { $0.hasPrefix("turn ") } == ["turn cancelled"], "\(lines)")
            #expect(lines.contains("chime end"))
            #expect(!lines.contains { $0.hasPrefix("reply ") || $0.hasPrefix("transcript ") })
            #expect(try await van.ledger().count == rows)
            #expect(try await van.status().state == .closed)
        }

        @Test func pressWhileSpeaking_stopsTheSound_andListens() async throws {
            let van = try ScenarioTests.van
            try await van.room(.silence(60))
            try van.clearSpoken()
            let watcher = try await van.watch()
            let start = watcher.count
            // The longest reply there is: some ten seconds.
            let turn = try await van.say("there is a fire")
            try await watcher.event("the third word", after: start) {
                $0.kind == WatchEvent.Kind.word && ($0.start ?? 0) > 8
            }
            let pressed = watcher.count
            try await van.press()
            try await watcher.state(.listening, after: pressed)
            try await watcher.spoken(turn.turn)
            let words = watcher.events.filter { $0.kind == WatchEvent.Kind.word }
            #expect((words.last?.end ?? .max) < turn.reply.count / 2, "it must not have gone on speaking")
            #expect(try await RoundTripTests.seconds(try #require(van.spokenFiles.last)) < 5)
            #expect(try await van.status().state == .listening)
            _ = try await van.client.call(CancelCall.self)
            try await watcher.state(.ready, after: pressed)
        }

        @Test func pressWhileThinking_cancelsTheTurn_andListens() async throws {
            // A device that never confirms makes the turn last.
            let silent = """
                devices:
                  - {name: step, kind: switch, command_topic: step/set, state_topic: step/state}
                """
            let van = try await VanUnderTest(
                Setup(hasDevices: false, isPaced: true, devices: silent, settings: ["mqtt.confirmation=8"]))
            defer { van.end() }
            try await van.room(.silence(60))
            let watcher = try await van.watch()
            try await eventually("the broker") { try await van.status().bus.connected }
            let start = watcher.count
            async let said = van.say("turn on the step")
            try await watcher.state(.thinking, after: start)
            try await van.press()
            try await watcher.state(.listening, after: start)
            // What was sent before the press is reported as sent and not confirmed, or, where it takes long to know, as
            // not known; only what was not sent is cancelled.
            let trace = try await said
            let isNotSent = trace.outcome == .cancelled && trace.effects.isEmpty
            #expect(isNotSent || trace.outcome == .failed, "\(trace)")
            let lines = watcher.lines(after: start)
            #expect(!lines.contains { $0.hasPrefix("reply ") }, "\(lines)")
            _ = try await van.client.call(CancelCall.self)
            try await watcher.state(.ready, after: start)
        }

        @Test func silence_isSaid_andLeadsToReady() async throws {
            let van = try ScenarioTests.van
            try await van.room(.silence(60))
            let watcher = try await van.watch()
            let start = watcher.count
            try await van.press()
            try await watcher.event("nothing heard", after: start) {
                $0.kind == WatchEvent.Kind.notice && $0.text == "I didn't hear anything."
            }
            try await watcher.event("ring ready", after: start) { $0.line == "ring ready" || $0.line == "ring closed" }
            #expect(watcher.lines(after: start).contains("turn nothing-heard"))
        }
    }
}
