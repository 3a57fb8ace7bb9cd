import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// Backups brought back by the command line, with the daemon up and with it down.
    @Suite(.serialized)
    struct RestoreTests {
        private func run(_ van: VanUnderTest) async throws -> (backup: String, before: Int) {
            #expect(try await van.say("log diesel for fifty pounds").outcome == .done)
            let before = try await van.ledger().count
            let backup = try await van.client.call(BackupMakeCall.self).path
            #expect(try await van.say("log five pounds for parking").outcome == .done)
            return (backup, before)
        }

        @Test func restore_withTheDaemonUp_restartsItWithTheBackup() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            let (backup, before) = try await run(van)
            let pid = van.daemon.pid
            let asked = try await van.vanorb("restore")
            #expect(asked.status == 1 && asked.lines.contains { $0.contains("1 ledger entry.") }, "\(asked.lines)")
            #expect(asked.lines.last?.contains("Nothing was restored. To restore") == true)
            #expect(try await van.ledger().count == before + 1)
            let done = try await van.vanorb("restore", "--yes")
            #expect(done.status == 0 && done.lines.first?.hasPrefix(backup) == true, "\(done.lines)")
            #expect(done.lines.last?.contains("the replaced database is kept as") == true, "\(done.lines)")
            #expect(try await van.ledger().count == before)
            #expect(van.daemon.pid == pid && van.daemon.isRunning)
            #expect(try await van.say("log six pounds for parking").outcome == .done)
            let wrong = try await van.vanorb("restore", "--yes", "/etc/hostname")
            #expect(wrong.status == 1 && wrong.lines.joined().contains("this cannot be restored"), "\(wrong.lines)")
            #expect(wrong.lines.joined().contains("/etc/hostname"), "\(wrong.lines)")
            try await van.stop()
        }

        /// The service sees neither homes nor /tmp: here a file that is closed to the daemon.
        @Test(.enabled(if: getuid() == 0, "only root can read what its own daemon may not"))
        func backupOfTheCallers_isSent_sinceTheDaemonNeedNotReachIt() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false, launcher: PermissionTests.powerless))
            defer { van.end() }
            let (backup, before) = try await run(van)
            let home = try TemporaryFolder()
            let copy = home.file("at-home.sqlite")
            try FileManager.default.moveItem(atPath: backup, toPath: copy)
            let made = Date(timeIntervalSince1970: 1_770_000_000)
            try FileManager.default.setAttributes(
                [.modificationDate: made, .posixPermissions: 0], ofItemAtPath: copy)
            let plan = try await van.vanorb("restore", copy, "--dry-run")
            #expect(
                plan.status == 0 && plan.lines.first?.hasPrefix("\(copy), made 2 Feb 2026") == true, "\(plan.lines)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(van.run)/uploads").isEmpty)
            let done = try await van.vanorb("restore", copy, "--yes")
            #expect(done.status == 0, "\(done.lines)")
            #expect(try await van.ledger().count == before)
            await #expect {
                try await van.client.connected { connection in
                    let upload = try await connection.upload(Data("abc".utf8), name: "x.sqlite")
                    _ = try await connection.call(
                        RestorePlanCall.self, RestoreArguments(backup: "/home/me/x.sqlite", upload: upload))
                }
            } throws: { ($0 as? ControlError)?.message.contains("/home/me/x.sqlite") == true }
        }

        @Test func restoreAndDoctor_workWithTheDaemonDown() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            let (backup, before) = try await run(van)
            try await van.stop()
            let doctor = try await van.vanorb("doctor")
            #expect(doctor.status == 1, "\(doctor.lines)")
            let text = doctor.lines.joined(separator: "\n")
            #expect(text.contains("FAILED") && text.contains("no answer on \(van.socket)"), "\(text)")
            for words in ["integrity verified", "newest less than a day old", "MB free", "data folder"] {
                #expect(text.contains(words), "\(words): \(text)")
            }
            let json = try await van.vanorb("doctor", "--json")
            let parts = try ControlJSON.decode([PartStatus].self, from: Data(json.lines.joined().utf8))
            #expect(json.status == 1 && parts.first?.name == "daemon")

            #expect(try await van.vanorb("restore", backup).status == 1)
            let done = try await van.vanorb("restore", "newest", "--yes")
            #expect(done.status == 0 && done.lines.last?.contains("is in place. The replaced") == true, "\(done.lines)")
            try await van.restart()
            #expect(try await van.ledger().count == before)
        }

        @Test func damagedDatabase_isReplacedByTheNewestGoodBackup_andKept() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            let (_, before) = try await run(van)
            try await van.stop()
            let file = "\(van.data)/vanorb.sqlite", garbage = Data(repeating: 0xA5, count: 20_000)
            try garbage.write(to: URL(fileURLWithPath: file))
            let doctor = try await van.vanorb("doctor")
            #expect(doctor.lines.joined().contains("its beginning is damaged"), "\(doctor.lines)")
            try await van.restart()
            #expect(try await van.part("store")?.state == .failed)
            let done = try await van.vanorb("restore", "--yes")
            #expect(done.status == 0, "\(done.lines)")
            #expect(done.lines.contains { $0.contains("unreadable: everything written since") })
            #expect(try await van.ledger().count == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: van.data)
            let kept = try #require(names.first { $0.hasPrefix("vanorb.sqlite.replaced-") && $0.hasSuffix("Z") })
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(van.data)/\(kept)")) == garbage)
        }

        @Test(arguments: ["empty", "missing"])
        func databaseThatHasGone_isNoFirstStart_andTheOwnerChooses(state: String) async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            let (backup, before) = try await run(van)
            try await van.stop()
            let file = "\(van.data)/vanorb.sqlite"
            func lose() throws {
                if state == "empty" {
                    try Data().write(to: URL(fileURLWithPath: file))
                } else {
                    try FileManager.default.removeItem(atPath: file)
                }
            }
            try lose()
            let doctor = try await van.vanorb("doctor").lines.joined(separator: " ")
            #expect(doctor.contains("the database is \(state)"), "\(doctor)")
            try await van.restart()
            try await eventually("the backup to be offered") {
                try await van.part("store")?.advice?.contains(backup) == true
            }
            #expect(try await van.say("how much money do I have").outcome == .failed)
            #expect(try await van.vanorb("backup").status == 1)
            let done = try await van.vanorb("restore", "newest", "--yes")
            #expect(done.status == 0 && !done.lines.joined().contains("Nothing was added"), "\(done.lines)")
            #expect(try await van.ledger().count == before)
            try await van.stop()
            try lose()
            try await van.restart()
            #expect(try await van.vanorb("restore", "empty", "--yes").status == 0)
            #expect(try await van.ledger().isEmpty)
            #expect(try await van.part("store")?.state == .ok)
            #expect(try await van.vanorb("backup").status == 0)
            #expect(FileManager.default.fileExists(atPath: backup))
        }

        @Test func secondPath_takesCopies_andItsAbsenceIsANotice() async throws {
            let folder = try TemporaryFolder()
            let stick = folder.file("stick")
            let van = try await VanUnderTest(
                Setup(hasBroker: false, settings: ["backup.second_path=\(stick)"]))
            defer { van.end() }
            let alone = try await van.vanorb("backup")
            #expect(alone.status == 0 && alone.lines.last?.contains("is not available") == true, "\(alone.lines)")
            #expect(try await van.part("backup")?.state == .ok)
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            let both = try await van.vanorb("backup")
            #expect(both.lines.contains { $0.hasPrefix("\(stick)/vanorb-") }, "\(both.lines)")
            let list = try await van.vanorb("backup", "list")
            #expect(list.status == 0 && list.lines.last?.contains(stick) == true, "\(list.lines)")
        }
    }
}
