import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The disk is full, at every kind of write but the ledger's (`StoreDamageTests`), an import's and a backup's
    /// (`TableTests`). Nothing is half-written, nothing is said to be done that is not, and all goes on when there is
    /// room.
    @Suite(.serialized, .enabled(if: SmallDisk.canMount, SmallDisk.missing)) struct FullDiskTests {
        /// Takes all the room, also what the database's log has left.
        private func exhaust(_ disk: SmallDisk, _ van: VanUnderTest) async throws {
            try await disk.fill()
            var refused = 0
            for _ in 0..<400 where refused < 3 {
                refused += try await van.say("log five pounds for parking").outcome == .done ? 0 : 1
            }
            #expect(refused == 3)
        }

        @Test func restore_isRefused_andTheDatabaseStays() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                let van = try await VanUnderTest(Setup(hasBroker: false, data: disk.data))
                defer { van.end() }
                _ = try await van.client.call(BackupMakeCall.self)
                #expect(try await van.say("log diesel for fifty pounds").outcome == .done)
                let before = try await van.ledger(), pid = van.daemon.pid
                try await disk.fill()
                let full = try await van.vanorb("restore", "--yes")
                #expect(full.status == 1 && full.lines.joined().lowercased().contains("no space"), "\(full.lines)")
                #expect(try await van.ledger() == before)
                #expect(van.daemon.pid == pid && van.daemon.isRunning)
                let left = try FileManager.default.contentsOfDirectory(atPath: van.data)
                #expect(!left.contains { $0.contains("incoming") || $0.contains("restored") }, "\(left)")
                try disk.free()
                #expect(try await van.vanorb("restore", "--yes").status == 0)
                #expect(try await van.ledger().count == before.count - 1)
            }
        }

        /// One command for each table of the owner's.
        @Test func everyTypedWrite_isRefused_andNothingOfItIsThere() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                let van = try await VanUnderTest(Setup(hasBroker: false, data: disk.data))
                defer { van.end() }
                try await exhaust(disk, van)
                let dump = ["\(van.data)/vanorb.sqlite", ".dump"]
                func contents() async throws -> [String] {
                    try await run("/usr/bin/sqlite3", dump).filter(Self.isOwners)
                }
                let before = try await contents()
                for command in [
                    ["words", "set", "lidl", "lid ul"], ["items", "add", "magic carpet", "--place", "roof box"],
                    ["lists", "add", "departure", "count the carpets"], ["trips", "start", "the south of France"],
                    ["budget", "set", "300", "groceries"], ["ledger", "add", "12 pounds groceries"],
                    ["medical", "set", "no nuts"], ["rates", "set", "EUR", "0.85"],
                ] {
                    let child = try await van.vanorb(command)
                    #expect(child.status == 1, "\(command): \(child.lines)")
                    #expect(!child.lines.isEmpty, "\(command)")
                }
                #expect(try await contents() == before)
                try disk.free()
                #expect(try await van.vanorb("words", "set", "lidl", "lid ul").status == 0)
                #expect(try await van.part("store")?.state == .ok)
            }
        }

        /// What the appliance itself keeps, such as how far a clock was set, is not the owner's.
        private static func isOwners(_ line: String) -> Bool {
            line.hasPrefix("INSERT") && !line.contains("kept_value")
        }

        @Test func lastUtterance_staysTheFormerOne_andTheTurnIsAnswered() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                let van = try await VanUnderTest(
                    Setup(hasBroker: false, data: disk.data, settings: ["keep_last_utterance=true"]))
                defer { van.end() }
                let kept = "\(disk.data)/last-utterance.wav"
                _ = try await van.hear("where is the tow rope")
                try await eventually("the utterance to be kept") { FileManager.default.fileExists(atPath: kept) }
                let former = FileManager.default.contents(atPath: kept)
                try await disk.fill()
                #expect(try await van.hear("what time is it", voice: "awb").outcome == .done)
                try await van.daemon.printed("the last utterance was not kept")
                #expect(FileManager.default.contents(atPath: kept) == former)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: disk.data).allSatisfy { !$0.hasSuffix(".new") })
                try disk.free()
                _ = try await van.hear("what time is it", voice: "awb")
                try await eventually("the new one") { FileManager.default.contents(atPath: kept) != former }
            }
        }

        /// A full disk is not a reader who has enough.
        @Test(arguments: ["status", "ledger", "export ledger", "export ledger --json"])
        func outputToAFullDisk_isAFailure_andSaidSo(command: String) async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            func shell(_ redirection: String) async throws -> (status: Int32, lines: [String]) {
                let child = try ChildProcess(
                    "/bin/bash", ["-c", "set -o pipefail; \(Workshop.products)/vanorb \(command) \(redirection)"],
                    environment: ["VANORB_SOCKET": van.socket])
                return (try await child.exit(), child.lines)
            }
            let full = try await shell(">/dev/full")
            #expect(full.status == 1 && full.lines.joined().contains("No space left on device"), "\(full.lines)")
            let enough = try await shell("| true")
            #expect(enough.status == 0 && enough.lines.isEmpty, "\(enough.lines)")
        }

        @Test func upload_isRefused_withTheReason_andTextWorks() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                let van = try await VanUnderTest(Setup(hasBroker: false, run: "\(disk.path)/run"))
                defer { van.end() }
                let speech = try await Workshop.shared().speech("where is the tow rope", voice: "rms")
                try await disk.fill()
                for command in [["hear", speech], ["import", "ledger", Workshop.items]] {
                    let full = try await van.vanorb(command)
                    #expect(full.status == 1, "\(full.lines)")
                    let text = full.lines.joined(separator: " ")
                    #expect(text.contains("No space left") && text.contains("\(van.run)/uploads"), "\(text)")
                    #expect(!text.contains("Error Domain"), "\(text)")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(van.run)/uploads").isEmpty)
                #expect(try await van.say("where is the tow rope").reply == "The tow rope is in the garage.")
                try disk.free()
                #expect(try await van.vanorb("hear", speech).status == 0)
            }
        }

        @Test func export_leavesNoHalfTable() async throws {
            try await withSmallDisk(room: 500) { disk in
                let van = try await VanUnderTest(Setup(hasBroker: false))
                defer { van.end() }
                #expect(try await van.say("log diesel for fifty pounds").outcome == .done)
                try await disk.fill()
                let full = try await van.vanorb("export", "ledger", "\(disk.path)/out.csv")
                let text = full.lines.joined(separator: " ")
                #expect(full.status == 1 && text.contains("out.csv") && text.contains("enough space"), "\(text)")
                let left = try FileManager.default.contentsOfDirectory(atPath: disk.path)
                #expect(!left.contains { $0.hasPrefix("out.csv") }, "\(left)")
            }
        }
    }
}
