import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The owner's data as CSV, in and out, by the command line.
    @Suite(.serialized) struct TableTests {
        /// A data folder as seeded, with an empty ledger.
        private func empty(_ folder: TemporaryFolder) async throws -> String {
            let data = folder.file("data")
            try FileManager.default.copyItem(atPath: Workshop.shared().seededData, toPath: data)
            try await run("/usr/bin/sqlite3", ["\(data)/vanorb.sqlite", "DELETE FROM ledger_entry"])
            return data
        }

        private func file(_ name: String, _ text: String, _ van: VanUnderTest) throws -> String {
            let path = van.folder.file(name)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }

        @Test func exportAndImport_roundTrip_isPassedOver_andUndone() async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(Setup(hasBroker: false, data: try await empty(folder)))
            defer { van.end() }
            #expect(try await van.say("log diesel for fifty pounds").outcome == .done)
            let out = van.folder.file("out.csv")
            let written = try await van.vanorb("export", "ledger", out)
            #expect(written.status == 0 && written.lines == ["\(out): 1 row"], "\(written.lines)")
            let refused = try await van.vanorb("export", "ledger", out)
            #expect(refused.status == 1 && refused.lines.joined().contains(" exists."), "\(refused.lines)")
            let again = try await van.vanorb("import", "ledger", out)
            #expect(again.status == 0 && again.lines.first?.contains("already (line 2)") == true, "\(again.lines)")
            #expect(try await van.vanorb("undo").status == 0)
            #expect(try await van.ledger().isEmpty)

            let dry = try await van.vanorb("import", "ledger", out, "--dry-run")
            #expect(dry.lines.last == "1 entry would be imported. Nothing was changed.", "\(dry.lines)")
            #expect(try await van.ledger().isEmpty)
            #expect(try await van.vanorb("import", "ledger", out).status == 0)
            #expect(try await van.ledger().count == 1)
            let undone = try await van.say("undo that")
            #expect(undone.reply == "Undone: 1 entry imported from out.csv.")
            #expect(try await van.ledger().isEmpty)
        }

        @Test func importWithABadLine_changesNothing_andNamesTheLine() async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(Setup(hasBroker: false, data: try await empty(folder)))
            defer { van.end() }
            let table = try file("bad.csv", "date;amount;note\n1/2/2026;5;a\n2/2/2026;five;b\n\n;6;c\n", van)
            let bad = try await van.vanorb("import", "ledger", table)
            #expect(bad.status == 1)
            #expect(bad.lines.contains("\(table):3, amount: “five”; expected a currency’s three letters, such as EUR"))
            #expect(bad.lines.contains("\(table):5, date: empty; expected a date"), "\(bad.lines)")
            #expect(bad.lines.last == "Nothing was imported: 2 bad cells or lines.")
            #expect(try await van.ledger().isEmpty)
            let spreadsheet = van.folder.file("book.ods")
            try Data([0x50, 0x4B, 3, 4, 0, 0]).write(to: URL(fileURLWithPath: spreadsheet))
            let other = try await van.vanorb("import", "ledger", spreadsheet)
            #expect(other.status == 1 && other.lines.joined().contains("Save it as CSV"), "\(other.lines)")
            #expect(try await van.vanorb("import", "ledger", "/nowhere.csv").lines.joined().contains("no such file"))
            #expect(try await van.vanorb("import", "kittens", table).status == 64)
        }

        @Test(arguments: ["items", "lists", "trips"])
        func theOwnersOtherTables_goOutAndIn_andAreTakenBack(_ table: String) async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(Setup(hasBroker: false, data: try await empty(folder)))
            defer { van.end() }
            #expect(
                try await van.vanorb("items", "add", "magic carpet", "--place", "roof box", "--weight", "1.5").status
                    == 0)
            #expect(try await van.vanorb("lists", "add", "shopping", "oat milk", "--yes").status == 0)
            #expect(try await van.vanorb("trips", "start", "Wales", "--date", "2026-05-03").status == 0)
            let out = van.folder.file("out.csv")
            let written = try await van.vanorb("export", table, out)
            #expect(written.status == 0, "\(written.lines)")
            let before = try await van.vanorb("export", table).lines, rows = before.count - 1
            let again = try await van.vanorb("import", table, out)
            #expect(
                again.status == 0 && again.lines.joined().contains("already (line"), "\(again.lines)")
            let header = try #require(try String(contentsOfFile: out, encoding: .utf8).split(separator: "\r\n").first)
            let (columns, row) =
                switch table {
                case "items": ("Name;Where", "flying carpet;Roof box")
                case "lists": ("list;task", "Shopping;bread")
                default: ("destination;start;end", "Spain;1/2/2026;3/2/2026")
                }
            #expect(header.hasPrefix(table == "lists" ? "list,task,done" : "no,"))
            let one = try file("one.csv", "\(columns)\n\(row)\n", van)
            let bad = try file("bad.csv", "\(columns)\n\(row)\n;\n;x\n", van)
            let refused = try await van.vanorb("import", table, bad)
            #expect(refused.status == 1 && refused.lines.contains { $0.contains("bad.csv:4, ") }, "\(refused.lines)")
            #expect(refused.lines.last?.hasPrefix("Nothing was imported") == true)
            let dry = try await van.vanorb("import", table, one, "--dry-run")
            #expect(dry.lines.last?.hasSuffix("would be imported. Nothing was changed.") == true, "\(dry.lines)")
            #expect(try await van.vanorb("export", table).lines == before)
            let taken = try await van.vanorb("import", table, one)
            #expect(
                taken.status == 0 && taken.lines.last?.contains("To revert it: vanorb undo") == true, "\(taken.lines)"
            )
            #expect(try await van.vanorb("export", table).lines.count == rows + 2)
            let undone = try await van.vanorb("undo")
            #expect(
                undone.lines.joined().contains(
                    "1 \(table == "lists" ? "line" : String(table.dropLast())) imported from one.csv"),
                "\(undone.lines)")
            #expect(try await van.vanorb("export", table).lines.count == rows + 1)
        }

        /// A table so long that there is time to do something else meanwhile.
        private func long(_ van: VanUnderTest, _ count: Int = 20_000) throws -> String {
            var text = "date,amount,currency,note\n"
            for number in 0..<count { text += "2020-01-01,\(1 + number % 500).50,GBP,row \(number)\n" }
            return try file("long.csv", text, van)
        }

        private struct HungUp: Error {}

        private func importLong(_ van: VanUnderTest, take: (ImportEvent) async throws -> Void) async throws {
            let content = try Data(contentsOf: URL(fileURLWithPath: try long(van)))
            try await van.client.connected { connection in
                let upload = try await connection.upload(content, name: "long.csv")
                let arguments = ImportArguments(table: .ledger, upload: upload)
                try await connection.stream(ImportStream.self, arguments, take: take)
            }
        }

        @Test func turnsDuringAnImport_areAnswered_andASecondImportIsTold() async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(Setup(hasBroker: false, data: try await empty(folder)))
            defer { van.end() }
            var report: ImportReport?
            var hasSpoken = false
            try await importLong(van) { event in
                if event.phase == "reading", !hasSpoken {
                    hasSpoken = true
                    #expect(try await van.say("log five pounds for parking").outcome == .done)
                    let second = try await van.vanorb("import", "ledger", van.folder.file("long.csv"))
                    #expect(second.lines.joined().contains("Another import is running"), "\(second.lines)")
                }
                report = event.report ?? report
            }
            #expect(hasSpoken && report?.added == 20_000)
            let last = try #require(try await van.vanorb("export", "ledger").lines.last)
            #expect(last.contains("parking"), "\(last)")
        }

        @Test func clientThatGoesAwayInTheMiddle_leavesNothingBehind() async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(Setup(hasBroker: false, data: try await empty(folder)))
            defer { van.end() }
            await #expect(throws: HungUp.self) {
                try await importLong(van) { event in if event.phase == "reading" { throw HungUp() } }
            }
            // The next import may begin as soon as the first one has ended.
            let short = try file("short.csv", "date,amount\n1/1/2026,5\n", van)
            try await eventually("the abandoned import to end") {
                try await van.vanorb("import", "ledger", short).status == 0
            }
            #expect(try await van.ledger().count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(van.run)/uploads").isEmpty)
        }

        @Test(.enabled(if: SmallDisk.canMount, SmallDisk.missing))
        func fullDisk_atAnImportAndABackup_changesNothing_andIsSaid() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                try await fill(VanUnderTest(Setup(hasBroker: false, data: disk.data)), disk)
            }
        }

        private func fill(_ van: VanUnderTest, _ disk: SmallDisk) async throws {
            defer { van.end() }
            #expect(try await van.say("log five pounds for parking").outcome == .done)
            let before = try await van.ledger().count
            try await disk.fill()
            let full = try await van.vanorb("import", "ledger", try long(van))
            #expect(full.status == 1 && full.lines.joined().contains("no space"), "\(full.lines)")
            let backup = try await van.vanorb("backup")
            #expect(backup.status == 1 && backup.lines.joined().contains("no space"), "\(backup.lines)")
            let backups = (try? FileManager.default.contentsOfDirectory(atPath: "\(van.data)/backups")) ?? []
            #expect(backups.isEmpty, "\(backups)")
            #expect(try await van.ledger().count == before)
            try disk.free()
            let short = try file("short.csv", "date,amount\n1/1/2026,5\n", van)
            #expect(try await van.vanorb("import", "ledger", short).status == 0)
            #expect(try await van.vanorb("backup").status == 0)
            #expect(try await van.part("store")?.state == .ok)
        }
    }
}
