import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The database cannot be used. The appliance stays up, says so and answers emergencies.
    @Suite(.serialized) struct StoreTests {
        static let apology = "Sorry, I couldn't write that down. Nothing was changed."

        static let damage =
            "My records are damaged, so I can't look anything up or write anything down, and there's no good backup."

        /// - Parameters:
        ///   - announced: what is told once behind the first reply.
        ///   - isReadable: whether what is stored can be looked up.
        private func checkDegraded(
            _ van: VanUnderTest, announced: String? = nil, isReadable: Bool = false
        ) async throws {
            let part = try #require(try await van.part("store"))
            #expect(part.state == .failed)
            #expect(part.detail.contains(van.data), "\(part.detail)")
            #expect(part.advice != nil)
            let logged = try await van.hear("log diesel for fifty pounds")
            #expect(logged.reply == [Self.apology, announced].compactMap(\.self).joined(separator: " "))
            #expect(logged.outcome == .failed)
            let gas = try await van.hear("I can smell gas")
            #expect(gas.reply.hasPrefix("No flames, no switches."))
            #expect(gas.outcome == .done)
            #expect(try await van.say("what's the emergency number").reply == "The emergency number here is 999.")
            #expect(try await van.say("help me").reply.contains("999"))
            let listing = try await van.vanorb("ledger", "list")
            guard !isReadable else { return #expect(listing.status == 0 && listing.lines.count > 3) }
            #expect(listing.status == 1)
            #expect(listing.lines.joined().contains(van.data), "\(listing.lines)")
        }

        @Test func damagedDatabase_isKept_andEmergenciesAreAnswered() async throws {
            let folder = try TemporaryFolder()
            let garbage = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) })
            let file = URL(fileURLWithPath: folder.file("vanorb.sqlite"))
            try garbage.write(to: file)
            let van = try await VanUnderTest(Setup(hasBroker: false, data: folder.path))
            defer { van.end() }
            try await checkDegraded(van, announced: Self.damage)
            try await van.stop()
            #expect(try Data(contentsOf: file) == garbage, "the damaged file must be kept as it was")
        }

        @Test func readOnlyData_isSaid_andEmergenciesAreAnswered() async throws {
            let folder = try TemporaryFolder()
            let data = folder.file("data")
            try FileManager.default.copyItem(atPath: Workshop.shared().seededData, toPath: data)
            // Root may write where it has no right to, unless that power is dropped.
            let launcher = getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override"] : []
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: data) where name != "speech" {
                try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: "\(data)/\(name)")
            }
            try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: data)
            defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data) }
            let van = try await VanUnderTest(Setup(hasBroker: false, data: data, launcher: launcher))
            defer { van.end() }
            let backup = van.folder.file("backup.sqlite")
            try files.copyItem(atPath: "\(data)/vanorb.sqlite", toPath: backup)
            try await checkDegraded(van, isReadable: true)
            let table = van.folder.file("table.csv")
            try "date,amount\n1/1/2026,5\n".write(toFile: table, atomically: true, encoding: .utf8)
            let names = try files.contentsOfDirectory(atPath: data).sorted()
            for command in [["import", "ledger", table], ["backup"], ["restore", backup, "--yes"]] {
                let refused = try await van.vanorb(command)
                let text = refused.lines.joined(separator: " ")
                #expect(refused.status == 1, "\(command): \(text)")
                #expect(text.contains(data) || text.contains("database cannot be used"), "\(command): \(text)")
            }
            try await van.stop()
            #expect(try files.contentsOfDirectory(atPath: data).sorted() == names)
        }

        @Test func databaseOfANewerVanOrb_isNotTouched_andAnOldBackupOfItCanBeRestored() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            _ = try await van.client.call(BackupMakeCall.self)
            let before = try await van.ledger()
            try await van.stop()
            let file = "\(van.data)/vanorb.sqlite"
            try await run("/usr/bin/sqlite3", [file, "INSERT INTO grdb_migrations VALUES ('v99')"])
            let newer = FileManager.default.contents(atPath: file)
            try await van.restart()
            let part = try #require(try await van.part("store"))
            #expect(part.state == .failed && part.detail.contains("newer VanOrb") && part.detail.contains("v99"))
            #expect(part.advice?.hasPrefix("Install the newer VanOrb again, or restore a backup") == true, "\(part)")
            #expect(try await van.say("log diesel for fifty pounds").reply == Self.apology)
            #expect(try await van.say("there's a fire").reply.hasPrefix("Everybody out"))
            let doctor = try await van.vanorb("doctor")
            #expect(doctor.status == 1 && doctor.lines.joined(separator: " ").contains("newer VanOrb"))
            try await van.stop()
            #expect(FileManager.default.contents(atPath: file) == newer, "it is as it was")
            let without = try await van.vanorb("doctor")
            #expect(without.status == 1 && without.lines.joined(separator: " ").contains("newer VanOrb"))
            let restored = try await van.vanorb("restore", "--yes")
            #expect(restored.status == 0, "\(restored.lines)")
            try await van.restart()
            #expect(try await van.ledger() == before)
            #expect(try await van.part("store")?.state == .ok)
            let kept = try FileManager.default.contentsOfDirectory(atPath: van.data)
                .first { $0.hasPrefix("vanorb.sqlite.replaced-") && $0.hasSuffix("Z") }
            #expect(FileManager.default.contents(atPath: "\(van.data)/\(try #require(kept))") == newer)
        }

        @Test func check_leavesNoFolderAndNoDatabase_whichWouldBeRoots() async throws {
            let folder = try TemporaryFolder()
            let lines = try await run(
                "\(Workshop.products)/vanorbd",
                ["--check", "--defaults", "\(Workshop.root)/deploy/defaults.yaml"]
                    + [
                        "paths.board=\(Workshop.root)/board/virtual.yaml", "paths.data=\(folder.file("data"))",
                        "paths.run=\(folder.file("run"))", "paths.devices=\(Workshop.devices)",
                        "paths.phrases=\(folder.file("phrases.d"))",
                        "paths.classifier=\(try Workshop.shared().classifier)",
                    ].flatMap { ["--set", $0] })
            #expect(lines.last == "The settings are valid.")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }
}
