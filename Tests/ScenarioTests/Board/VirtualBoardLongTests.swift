import Control
import Foundation
import Testing

/// What takes long: half an hour of turns, and a power cut after the other. `deploy/test --long` runs it.
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

    /// Fifty in the long suite; fewer by VANORB_POWER_CUTS.
    @Test func powerCutInTheMiddleOfWrites_losesNothingThatWasConfirmed_andStartsAgain() async throws {
        let script = Workshop.root + "/board/virtual/guest", folder = try TemporaryFolder()
        let disk = folder.file("disk"), home = folder.file("guest")
        let product = try #require(Guest.folder) + "/product"
        try await VirtualBoard.execute(script, ["disk", disk])
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try await VirtualBoard.execute("/bin/cp", ["-a", product, home])
        var confirmed: [Int] = []
        for cut in 0...Guest.powerCuts {
            try await VirtualBoard.execute("/usr/bin/env", ["VANORB_DISK=\(disk)", script, "start", home])
            func inside(_ command: String) async throws -> [String] {
                try await VirtualBoard.execute(script, ["ssh", home, command])
            }
            if cut == 0 { try await _ = inside("/opt/vanorb/install; systemctl disable -q --now vanorb; true") }
            try await _ = inside("systemctl start vanorb")
            let rows = try await inside("vanorb ledger list --limit 1000 --json").joined()
            for pounds in confirmed { #expect(rows.contains("\(pounds)00"), "\(pounds) pounds are lost at cut \(cut)") }
            guard cut < Guest.powerCuts else { break }
            // Writes go on while the power goes.
            let writing = try VirtualBoard.child(
                script,
                [
                    "ssh", home,
                    "for n in $(seq \(1000 + cut * 20) \(1019 + cut * 20)); do vanorb say \"log food for $n pounds\" && echo done $n; done",
                ])
            try await eventually("two entries; \(writing.lines)", within: Guest.patience) {
                writing.lines.count { $0.hasPrefix("done") } >= 2
            }
            let sure = writing.lines.compactMap { $0.hasPrefix("done ") ? Int($0.dropFirst(5)) : nil }
            try await VirtualBoard.execute(script, ["stop", home])
            confirmed += sure
            writing.end()
        }
        try await VirtualBoard.execute(script, ["stop", home])
        print("power cuts: \(Guest.powerCuts), \(confirmed.count) confirmed entries, none lost")
    }
}

extension Duration {
    fileprivate var minutes: Double { Double(components.seconds) / 60 }
}
