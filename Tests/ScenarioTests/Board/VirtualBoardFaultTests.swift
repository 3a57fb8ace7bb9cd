import Control
import Foundation
import SystemTestKit
import Testing

/// What becomes of the virtual board when parts are taken from it.
@Suite(.serialized, .enabled(if: Guest.folder != nil, Guest.missing))
struct VirtualBoardFaultTests {
    @Test func microphonePulledOutMidSentence_isSaid_nothingIsDone_andItListensAgain() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let rows = try await guest.run("vanorb ledger list --json").joined()
        let start = watcher.count
        try await guest.tap()
        try await watcher.state(.listening, after: start)
        let speaking = Task { try? await guest.speak("log diesel for fifty pounds") }
        try await watcher.event("speech", after: start, within: Guest.patience) { $0.kind == WatchEvent.Kind.partial }
        let pulled = watcher.count
        // The kernel waits until nobody holds the card any more.
        try await guest.run("timeout 20 sh -c 'echo snd_aloop.1 >/sys/bus/platform/drivers/snd_aloop/unbind'")
        let notice = try await watcher.event("the notice", after: pulled) { $0.kind == WatchEvent.Kind.notice }
        #expect(notice.text?.contains("microphone") == true, "\(notice.text ?? "")")
        try await guest.run("echo snd_aloop.1 >/sys/bus/platform/drivers/snd_aloop/bind")
        await speaking.value
        try await watcher.event("listening again", after: pulled, within: Guest.patience) { $0.state == .listening }
        _ = try await guest.client.call(CloseCall.self)
        #expect(try await guest.run("vanorb ledger list --json").joined() == rows)
        try await VirtualBoardTests.quiet(guest)
    }

    @Test func microphoneThatIsGone_isSaidByDoctor_andFoundAgain_textWorksMeanwhile() async throws {
        let guest = try await Guest.rested()
        try await guest.run("echo snd_aloop.1 >/sys/bus/platform/drivers/snd_aloop/unbind")
        let watcher = try await Watcher(guest.client), start = watcher.count
        try await guest.tap()
        try await watcher.event("the notice", after: start) { $0.kind == WatchEvent.Kind.notice }
        let doctor = try await guest.run("vanorb doctor; true").joined(separator: "\n")
        #expect(doctor.contains("arecord -l"), "\(doctor)")
        #expect(try await guest.run("vanorb say 'log food for five pounds'").joined().contains("£5.00"))
        _ = try await guest.client.call(CloseCall.self)
        try await eventually("the ring to show the fault", within: Guest.patience) {
            try await guest.pixels().count { $0 != [0, 0, 0] } == 3
        }
        try await guest.run("echo snd_aloop.1 >/sys/bus/platform/drivers/snd_aloop/bind")
        // Nobody presses: it is looked for while it fails.
        try await eventually("the ring to be dark again", within: Guest.patience) {
            try await guest.pixels().allSatisfy { $0 == [0, 0, 0] }
        }
    }

    @Test func speakerPulledOutInAReply_endsTheTurn_andTheNextReplyIsHeard() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count
        let saying = Task { try await guest.run("vanorb say 'there is a fire'") }
        try await watcher.event("a word", after: start, within: Guest.patience) { $0.kind == WatchEvent.Kind.word }
        try await guest.run("timeout 20 sh -c 'echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/unbind'")
        try await watcher.event("the whole reply", after: start, within: Guest.patience) {
            $0.kind == WatchEvent.Kind.history
        }
        _ = try? await saying.value
        try await guest.run("echo snd_aloop.0 >/sys/bus/platform/drivers/snd_aloop/bind")
        let recording = try await guest.record(.voice)
        _ = try await guest.client.call(CloseCall.self)
        try await guest.run("vanorb say thanks")
        try await watcher.event("the word", after: start, within: Guest.patience) {
            $0.kind == WatchEvent.Kind.word && $0.text?.hasPrefix("welcome") == true
        }
        #expect(try await recording.end().contains { abs(Int($0)) > 1_000 }, "it is heard")
        try await VirtualBoardTests.settled(watcher, guest)
    }

    /// In which state the daemon is killed.
    enum Moment: String, CaseIterable {
        case closed, ready, listening, thinking, speaking, muted
    }

    @Test(arguments: Guest.isWhole ? Moment.allCases : [.listening, .muted])
    func daemonKilled_leavesNothingOn_beforeAnyRestart_andTheRingTellsTheTruthAfterIt(_ moment: Moment) async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        // Music that VanOrb turns down while it listens; and nothing comes back by itself.
        try await guest.run("aplay -q -D music -d 1 -f S16_LE -r 48000 -c 2 /dev/zero")
        let loud = try await guest.run("amixer -c Speaker cget name=Music | grep ': values'")
        try await guest.run(
            """
            mkdir -p /run/systemd/system/vanorb.service.d
            printf '[Service]\\nRestart=no\\n' >/run/systemd/system/vanorb.service.d/stay.conf
            systemctl daemon-reload
            """)
        let start = watcher.count
        // A command that is under way ends with the object that stands for it.
        let command = try await Self.reach(moment, guest, watcher, start)
        defer { withExtendedLifetime(command) {} }
        if moment == .listening {
            try await eventually("the music to be lower") {
                try await guest.run("amixer -c Speaker cget name=Music | grep ': values'") != loud
            }
        }
        try await guest.run("kill -9 \(try await guest.daemon())")
        try await eventually("the end of the service", within: Guest.patience) {
            try await guest.run("systemctl is-active vanorb; true") == ["failed"]
        }
        #expect(try await guest.motor() == false)
        #expect(try await guest.run("amixer -c Speaker cget name=Music | grep ': values'") == loud)
        #expect(try await guest.pixels() == Array(repeating: [0, 0, 0], count: 12))
        #expect(try await guest.run("pgrep -c vanorb; true") == ["0"], "no helper stays")
        try await guest.run(
            "rm -r /run/systemd/system/vanorb.service.d; systemctl daemon-reload; systemctl start vanorb")
        try await guest.answers()
        #expect(try await guest.client.call(StatusCall.self).state == .closed)
        try await eventually("the ring", within: Guest.patience) {
            let lit = try await guest.pixels().count { $0 != [0, 0, 0] }
            return lit == (moment == .muted ? 12 : 0)
        }
        if moment == .muted { _ = try await guest.client.call(UnmuteCall.self) }
    }

    /// - Returns: the command that is under way then.
    private static func reach(
        _ moment: Moment, _ guest: Guest, _ watcher: Watcher, _ start: Int
    ) async throws -> ChildProcess? {
        switch moment {
        case .closed: break
        case .muted: _ = try await guest.client.call(MuteCall.self)
        case .ready:
            try await guest.run("vanorb say 'what time is it'")
            try await watcher.state(.ready, after: start)
        case .listening:
            try await guest.tap()
            try await watcher.state(.listening, after: start)
        case .thinking:
            // The pump never answers, so that the turn lasts.
            let command = try guest.start("vanorb say 'turn on the water pump'")
            try await watcher.state(.thinking, after: start)
            return command
        case .speaking:
            let command = try guest.start("vanorb say 'there is a fire'")
            try await watcher.event("a word", after: start) { $0.kind == WatchEvent.Kind.word }
            return command
        }
        return nil
    }
}
