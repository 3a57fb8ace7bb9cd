import Control
import Foundation
import SystemTestKit
import Testing

/// The gestures of the button, each by its line.
@Suite(.serialized, .enabled(if: Guest.folder != nil && Guest.isWhole, "for deploy/test --board alone"))
struct VirtualBoardGestureTests {
    @Test func tapWhileListening_submitsWhatWasSaid() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count
        try await guest.tap()
        try await watcher.state(.listening, after: start)
        try await guest.speak("what time is it")
        try await watcher.event("the words", after: start, within: Guest.patience) {
            $0.kind == WatchEvent.Kind.partial && $0.text == "what time is it"
        }
        try await guest.tap()
        let turn = try #require(try await watcher.event("turn", after: start) { $0.turn != nil }.turn)
        #expect(turn.intent == "time")
    }

    @Test func tapWhileThinking_cancelsTheTurn_andListens() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count
        let saying = try guest.start("vanorb say 'turn on the water pump'")
        try await watcher.state(.thinking, after: start)
        try await guest.tap()
        let turn = try #require(try await watcher.event("turn", after: start) { $0.turn != nil }.turn)
        #expect(turn.outcome == .cancelled)
        try await watcher.state(.listening, after: start)
        saying.end()
    }

    @Test func hold_isEndedByTheRelease_notBySilence() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count
        try await guest.run("echo pull-down >/run/lines/button/pull")
        try await watcher.state(.listening, after: start)
        try await guest.speak("what time is it")
        // Two seconds of silence and more, which would end what is no hold.
        try await guest.run("aplay -q -D plughw:Room,0,0 -d 3 -f S16_LE -r 16000 -c 1 /dev/zero")
        #expect(!watcher.events.dropFirst(start).contains { $0.turn?.intent == "time" })
        try await guest.run("echo pull-up >/run/lines/button/pull")
        let turn = try #require(
            try await watcher.event("turn", after: start, within: Guest.patience) { $0.turn?.intent == "time" }.turn)
        try await watcher.spoken(turn.turn)
    }

    @Test func doubleTap_dropsWhatTheFirstStarted_andCloses() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count
        try await guest.button((true, 80), (false, 120), (true, 80), (false, 0))
        try await watcher.state(.closed, after: start)
        #expect(!watcher.lines(after: start).contains { $0.hasPrefix("reply") })
    }

    @Test func nothingSaid_isSaid_andItIsReadyAgain() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let recording = try await guest.record(.voice), start = watcher.count
        try await guest.tap()
        try await watcher.event("the notice", after: start, within: Guest.patience) {
            $0.kind == WatchEvent.Kind.notice
        }
        try await watcher.state(.ready, after: start)
        #expect(try await ReplyReader.text(of: try await recording.end()) == "i didn't hear anything")
    }

    @Test func pressWhileMuted_saysSo_andAHoldOfThreeSecondsEndsIt() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        _ = try await guest.client.call(MuteCall.self)
        let recording = try await guest.record(.voice), start = watcher.count
        try await guest.tap()
        try await watcher.event("the notice", after: start) { $0.kind == WatchEvent.Kind.notice }
        try await watcher.event("the end of it", after: start, within: Guest.patience) {
            $0.kind == WatchEvent.Kind.status && ($0.state == .ready || $0.state == .closed)
        }
        let heard = try await ReplyReader.text(of: try await recording.end())
        #expect(heard == "i'm muted", "heard “\(heard)”")
        #expect(!watcher.events.dropFirst(start).contains { $0.state == .listening })
        let held = watcher.count
        try await guest.button((true, 3_400), (false, 0))
        try await watcher.event("unmuted", after: held) {
            $0.kind == WatchEvent.Kind.notice && $0.text?.contains("listening") == true
        }
        _ = try await guest.client.call(UnmuteCall.self)
    }

    @Test(arguments: [true, false]) func riskyAction_isDoneByAHoldOfASecond_andDroppedByADoubleTap(_ holds: Bool)
        async throws
    {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        // The package's broker lets nobody in without the password.
        let bus = try guest.start(
            "mosquitto_sub -h 127.0.0.1 -u vanorb -P \"$(cat /etc/vanorb-credentials/mqtt-password)\" -t van/side_door/set"
        )
        let start = watcher.count
        try await guest.run("vanorb say 'unlock the side door'")
        try await watcher.state(.listening, after: start)
        if holds {
            try await guest.button((true, 1_600), (false, 0))
            try await eventually("the lock’s command, \(watcher.lines(after: start))", within: Guest.patience) {
                bus.lines.contains { $0.uppercased() == "UNLOCK" }
            }
        } else {
            try await guest.button((true, 80), (false, 120), (true, 80), (false, 0))
            try await watcher.state(.closed, after: start)
            #expect(bus.lines.isEmpty)
        }
        try await guest.run("pkill -x mosquitto_sub; true")
    }
}
