import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The database is damaged, copied, or out of room, and the appliance goes on.
    @Suite(.serialized) struct StoreDamageTests {
        private static let garbage = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) })

        /// A data folder of a test's own, filled like the demonstration van's.
        private func data(in folder: TemporaryFolder) throws -> String {
            let data = folder.file("data")
            try FileManager.default.copyItem(atPath: Workshop.shared().seededData, toPath: data)
            return data
        }

        @Test func overwrittenPages_areSaid_withTheNewestGoodBackup_andFireIsAnswered() async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(Setup(hasBroker: false, data: try data(in: folder)))
            defer { van.end() }
            let backup = try await van.client.call(BackupMakeCall.self)
            try await van.stop()
            let file = "\(van.data)/vanorb.sqlite"
            let handle = try #require(FileHandle(forUpdatingAtPath: file))
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: size / 2 / 4_096 * 4_096)
            try handle.write(contentsOf: Self.garbage)
            try handle.close()
            let damaged = FileManager.default.contents(atPath: file)

            try await van.restart()
            try await eventually("the backup to be offered") {
                try await van.part("store")?.advice?.contains(backup.path) == true
            }
            let status = try await van.vanorb("status")
            #expect(status.lines.joined(separator: " ").contains("damaged"), "\(status.lines)")
            let fire = try await van.vanorb("say", "there's a fire")
            #expect(fire.status == 0)
            #expect(fire.lines.joined(separator: " ").contains("Everybody out, now."), "\(fire.lines)")
            #expect(fire.lines.joined(separator: " ").contains("999"), "\(fire.lines)")
            for command in ["log diesel for fifty pounds", "where is the tow rope", "start a trip to Spain"] {
                let turn = try await van.say(command)
                #expect(turn.outcome == .failed && turn.reply.hasPrefix("Sorry"), "\(command): \(turn.reply)")
            }
            #expect(try await van.vanorb("backup").status == 1)
            try await van.stop()
            #expect(FileManager.default.contents(atPath: file) == damaged, "the damaged file is kept as it was")
        }

        @Test func backup_isMadeWhileTheVanIsInUse_andIsWhole() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            #expect(try await van.say("log diesel for fifty pounds").outcome == .done)
            let made = try await van.vanorb("backup")
            #expect(made.status == 0)
            let path = try #require(made.lines.first?.split(separator: " ").first).description
            #expect(path.hasPrefix("\(van.data)/backups/vanorb-"), "\(made.lines)")
            #expect(made.lines.first?.contains("verified; 1 kept") == true, "\(made.lines)")
            #expect(try await run("/usr/bin/sqlite3", [path, "PRAGMA integrity_check"]) == ["ok"])
            let entries = try await run("/usr/bin/sqlite3", [path, "SELECT COUNT(*) FROM ledger_entry"])
            #expect(entries == ["\(try await van.ledger().count)"])
            let json = try await van.vanorb("backup", "--json")
            #expect(json.status == 0 && json.lines.joined().contains("\"path\""), "\(json.lines)")
        }

        @Test(.enabled(if: SmallDisk.canMount, SmallDisk.missing))
        func fullDisk_isSaid_nothingIsHalfWritten_andItGoesOnWhenThereIsRoom() async throws {
            try await withSmallDisk(room: 16_000) { disk in
                try await fillAndFree(VanUnderTest(Setup(hasBroker: false, data: disk.data)), disk)
            }
        }

        private func fillAndFree(_ van: VanUnderTest, _ disk: SmallDisk) async throws {
            defer { van.end() }
            let before = try await van.ledger().count
            try await disk.fill()
            var logged = 0, refused = 0
            for _ in 0..<400 where refused < 3 {
                let turn = try await van.say("log five pounds for parking")
                if turn.outcome == .done {
                    logged += 1
                } else {
                    #expect(turn.reply == StoreTests.apology)
                    refused += 1
                }
            }
            #expect(refused == 3, "the log's file has some room left, but not for ever: \(logged)")
            #expect(try await van.ledger().count == before + logged, "what was said to be logged, and no more")
            let part = try #require(try await van.part("store"))
            #expect(part.state == .failed && part.detail.contains("no space"), "\(part.detail)")
            #expect(try await van.say("there's a fire").reply.hasPrefix("Everybody out"))

            try disk.free()
            #expect(try await van.say("log six pounds for parking").outcome == .done)
            #expect(try await van.part("store")?.state == .ok)
            #expect(try await van.ledger().count == before + logged + 1)
            try await van.stop()
            let findings = try await run("/usr/bin/sqlite3", ["\(van.data)/vanorb.sqlite", "PRAGMA integrity_check"])
            #expect(findings == ["ok"])
        }
    }
}
