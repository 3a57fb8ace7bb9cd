import Control
import Foundation
import SystemTestKit
import Testing

/// The appliance on the kernel's own interfaces: a simulated line is the button, the motor is a line and the ring a bus
/// that are read back, and the sound card's loops are the room.
@Suite(.serialized, .enabled(if: Guest.folder != nil, Guest.missing))
struct VirtualBoardTests {
    @Test func pressAndASentence_areFeltSeenHeardAndKept() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count, frames = try await guest.frames()
        let rows = try await guest.run("vanorb ledger list --json").joined()
        let recording = try await guest.record(.voice)
        let motor = try guest.start("simline watch /run/lines/motor/value 120000")
        try await motor.printed(" 0")
        try await guest.tap()
        try await watcher.state(.listening, after: start)
        try await guest.speak("log diesel for fifty pounds")
        let turn = try #require(
            try await watcher.event("turn", after: start, within: Guest.patience) { $0.turn != nil }.turn)
        #expect(turn.intent == "log_expense" && turn.outcome == .done, "\(turn)")
        try await watcher.spoken(turn.turn)
        let heard = try await ReplyReader.text(of: try await recording.end())
        #expect(Self.words(heard).contains("fifty") && Self.words(heard).contains("diesel"), "heard “\(heard)”")
        // Two pulses: the press, and the end of the sentence.
        let asked = watcher.lines(after: start).filter { $0.hasPrefix("haptic") }
        try await eventually("two pulses of \(asked); the motor’s line was \(motor.lines)") {
            motor.lines.count >= 5
        }
        try await guest.run("pkill -x simline")
        let levels = motor.lines.compactMap { $0.split(separator: " ").last }
        #expect(levels.prefix(5) == ["0", "1", "0", "1", "0"], "\(motor.lines)")
        #expect(try await guest.frames() > frames + 20, "the ring has moved")
        let after = try await guest.run("vanorb ledger list --json").joined()
        #expect(after != rows && after.contains("5000"), "\(after)")
        #expect(try await guest.motor() == false)
    }

    @Test func bouncingContact_isOnePress() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let start = watcher.count
        // Chatter of a worn switch, in both directions, and a spike of one millisecond later.
        try await guest.run(
            "simline play /run/lines/button/pull 0:300 1:200 0:700 1:300 0:500 1:100 0:90000 1:400 0:200 1:300 0:600 1:0"
        )
        try await watcher.state(.listening, after: start)
        try await guest.run("simline play /run/lines/button/pull 0:1000 1:0")
        try await Self.settled(watcher, guest)
        let pulses = watcher.lines(after: start).filter { $0 == "haptic medium" }
        #expect(pulses.count == 1, "\(watcher.lines(after: start))")
    }

    @Test func pressWhileSpeaking_stopsTheSound_andListens() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let recording = try await guest.record(.voice)
        let start = watcher.count
        let saying = Task { try await guest.run("vanorb say 'there is a fire'") }
        try await watcher.event("the fifth word", after: start, within: Guest.patience) {
            $0.kind == WatchEvent.Kind.word && ($0.start ?? 0) > 20
        }
        let pressed = watcher.count
        try await guest.tap()
        try await watcher.state(.listening, after: pressed)
        _ = try await guest.client.call(CancelCall.self)
        _ = try? await saying.value
        let loud = try await recording.end().filter { abs(Int($0)) > 300 }
        // The whole reply takes some fifteen seconds.
        #expect(loud.count < 16_000 * 5, "\(loud.count) samples are loud")
    }

    @Test func daemonKilledInAPulse_leavesMotorAndRingOff_andComesBack() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let first = try await guest.daemon(), start = watcher.count
        try await guest.tap()
        try await watcher.event("the pulse", after: start) { $0.kind == WatchEvent.Kind.haptic }
        try await guest.run("kill -9 \(first)")
        try await eventually("systemd to notice", within: Guest.patience) { try await guest.daemon() != first }
        #expect(try await guest.motor() == false)
        try await guest.answers()
        #expect(try await guest.client.call(StatusCall.self).state == .closed)
        #expect(try await guest.pixels() == Array(repeating: [0, 0, 0], count: 12), "a closed session is dark")
    }

    @Test func cardThatSomebodyElseHolds_isSaid_andUsedAgainWhenItIsFree() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let thief = try guest.start("exec arecord -q -D hw:Room,1,0 -f S16_LE -r 16000 -c 1 /dev/null")
        try await eventually("the card to be held", within: Guest.patience) {
            try await guest.run("cat /proc/asound/card1/pcm1c/sub0/status").first != "closed"
        }
        let start = watcher.count
        try await guest.tap()
        let notice = try await watcher.event("the notice", after: start) { $0.kind == WatchEvent.Kind.notice }
        #expect(notice.text?.contains("another program") == true, "\(notice.text ?? "")")
        thief.end()
        try await guest.run("pkill -x arecord; true")
        try await Self.settled(watcher, guest)
        let again = watcher.count
        try await guest.tap()
        try await watcher.event("listening", after: again) { $0.state == .listening }
        #expect(watcher.events.dropFirst(again).allSatisfy { $0.kind != WatchEvent.Kind.notice })
        _ = try await guest.client.call(CancelCall.self)
    }

    @Test(arguments: [Guest.isWhole ? 1_000 : 150])
    func manyPresses_leaveNoStateStuck_andNoDescriptorOpen(_ presses: Int) async throws {
        let guest = try await Guest.rested()
        func descriptors() async throws -> Int {
            Int(try await guest.run("ls /proc/\(try await guest.daemon())/fd | wc -l").first ?? "") ?? 0
        }
        func threads() async throws -> Int {
            Int(try await guest.run("ls /proc/\(try await guest.daemon())/task | wc -l").first ?? "") ?? 0
        }
        // What is opened once is open after the first turn.
        try await guest.tap()
        _ = try await guest.client.call(CloseCall.self)
        try await Self.quiet(guest)
        let before = try await (descriptors(), threads()), pid = try await guest.daemon()
        // Taps, double taps and what lies between: 20 to 60 ms down, 30 to 500 ms up.
        let steps = (0..<presses).map { "0:\(20_000 + $0 * 7_919 % 40_000) 1:\(30_000 + $0 * 104_729 % 470_000)" }
        for part in stride(from: 0, to: steps.count, by: 100) {
            let words = steps[part..<min(part + 100, steps.count)].joined(separator: " ")
            try await guest.run("simline play /run/lines/button/pull \(words)")
        }
        _ = try await guest.client.call(CloseCall.self)
        try await Self.quiet(guest)
        #expect(try await guest.daemon() == pid, "it must not have been started again")
        #expect(try await guest.client.call(StatusCall.self).state == .closed)
        #expect(try await descriptors() <= before.0)
        // The workers of libdispatch that a busy minute has called end by themselves when they have been idle for a
        // while.
        try await eventually("no more than \(before.1 + 2) threads", within: Guest.patience) {
            try await threads() <= before.1 + 2
        }
        #expect(try await guest.motor() == false)
        let watcher = try await Watcher(guest.client), start = watcher.count
        try await guest.tap()
        try await watcher.state(.listening, after: start)
        _ = try await guest.client.call(CloseCall.self)
    }

    static func words(_ text: String) -> [Substring] { text.split(separator: " ") }

    /// Ends what goes on and waits until nothing does.
    static func settled(_ watcher: Watcher, _ guest: Guest) async throws {
        _ = try await guest.client.call(CloseCall.self)
        try await quiet(guest)
    }

    /// Waits until the appliance is closed and has let the card go.
    static func quiet(_ guest: Guest) async throws {
        try await eventually("the card to be free", within: Guest.patience) {
            let isClosed = try await guest.client.call(StatusCall.self).state == .closed
            let open = try await guest.run("cat /proc/asound/card*/pcm*/sub*/status | grep -vc closed; true").first
            return isClosed && open == "0"
        }
    }
}
