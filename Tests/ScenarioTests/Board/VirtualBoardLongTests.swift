import Control
import Foundation
import Testing

/// What takes long: half an hour of turns. `deploy/test --long` runs it.
@Suite(.serialized, .enabled(if: Guest.folder != nil && Guest.isLong, "for deploy/test --long alone"))
struct VirtualBoardLongTests {
    @Test func halfAnHourOfTurns_growsTheMemoryByTwoMegabytesAtMost_inTheLastTwenty() async throws {
        let guest = try await Guest.rested(), watcher = try await Watcher(guest.client)
        let minutes = Guest.soakMinutes, began = ContinuousClock.now, pid = try await guest.daemon()
        var memory: [(minute: Double, kilobytes: Int)] = [], turns = 0
        while began.duration(to: .now) < .seconds(minutes * 60) {
            let start = watcher.count
            // Spoken, asked, refused, stopped, and pressed without a word.
            switch turns % 4 {
            case 0, 2:
                try await guest.tap()
                try await watcher.state(.listening, after: start)
                try await guest.speak(turns % 8 == 0 ? "how much money do I have" : "what time is it")
                let turn = try await watcher.event("turn", after: start, within: Guest.patience) { $0.turn != nil }.turn
                try await watcher.spoken(try #require(turn).turn)
            case 1: try await guest.run("vanorb say 'log food for five pounds'")
            default:
                try await guest.run("vanorb say 'undo that'")
                try await guest.tap()
                try await watcher.state(.listening, after: start)
                _ = try await guest.client.call(CancelCall.self)
            }
            turns += 1
            let lines = try await guest.run("grep VmRSS /proc/\(pid)/status")
            let kilobytes = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            memory.append((began.duration(to: .now).minutes, try #require(kilobytes, "the daemon has ended")))
        }
        // A third of the time to come to rest; then the highest of the first tenth against that of the last.
        let rest = memory.filter { $0.minute >= minutes / 3 }
        let tenth = max(1, rest.count / 10)
        let first = rest.prefix(tenth).map(\.kilobytes).max() ?? 0,
            last = rest.suffix(tenth).map(\.kilobytes).max() ?? 0
        print(
            "soak: \(turns) turns in \(minutes) minutes, \(memory.first?.kilobytes ?? 0) kB at first, \(first) → \(last) kB"
        )
        #expect(last - first <= 2_048, "\(first) → \(last) kB in \(turns) turns")
        #expect(try await guest.daemon() == pid)
    }
}

extension Duration {
    fileprivate var minutes: Double { Double(components.seconds) / 60 }
}
