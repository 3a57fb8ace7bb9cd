import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The power goes at the worst moment.
    @Suite(.serialized) struct CrashTests {
        @Test func killedTheMomentItSaysLogged_losesNothing() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            let before = try await van.ledger().count
            for round in 1...5 {
                let watcher = try await van.watch()
                let start = watcher.count
                let daemon = van.daemon
                async let said = van.say("log \(round) pounds for parking")
                try await watcher.event("the reply", after: start) {
                    $0.kind == WatchEvent.Kind.reply && $0.text?.hasPrefix("Logged") == true
                }
                daemon.signal(SIGKILL)
                // The answer may have come before the end, or the connection was lost.
                _ = try? await said
                _ = try await daemon.exit()
                try await van.restart()
                let entries = try await van.ledger()
                #expect(entries.count == before + round)
                #expect(entries.first?.amount.minorUnits == Int64(round) * 100)
                #expect(entries.first?.category == "parking")
                #expect(try await van.part("store")?.state == .ok)
            }
            try await van.stop()
            let findings = try await run("/usr/bin/sqlite3", ["\(van.data)/vanorb.sqlite", "PRAGMA integrity_check"])
            #expect(findings == ["ok"])
        }
    }
}
