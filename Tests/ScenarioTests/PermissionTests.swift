import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// What the daemon, or who speaks to it, has no right to. Each time the words name the file and what to do.
    @Suite(.serialized) struct PermissionTests {
        /// Root may read and write everything, unless that power is dropped.
        static let powerless =
            getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []

        private func forbid(_ file: String, _ mode: Int = 0) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        }

        /// A file of the test's own with nobody allowed to read it.
        private func secret(_ folder: TemporaryFolder, _ name: String, _ text: String) throws -> String {
            try text.write(toFile: folder.file(name), atomically: false, encoding: .utf8)
            try forbid(folder.file(name))
            return folder.file(name)
        }

        @Test(arguments: ["vanorb.yaml", "board.yaml", "devices.yaml"])
        func fileOfTheOwners_thatMayNotBeRead_endsTheStart_andIsNamed(name: String) async throws {
            let folder = try TemporaryFolder()
            let file = try secret(folder, name, "")
            let board = name == "board.yaml" ? file : "\(Workshop.root)/board/virtual.yaml"
            let devices = name == "devices.yaml" ? file : Workshop.devices
            let settings = name == "vanorb.yaml" ? ["--settings", file] : []
            let command =
                Self.powerless + [
                    "\(Workshop.products)/vanorbd", "--defaults", "\(Workshop.root)/deploy/defaults.yaml",
                ] + settings
                + [
                    "paths.board=\(board)", "paths.data=\(folder.file("data"))", "paths.run=\(folder.file("run"))",
                    "paths.devices=\(devices)", "paths.phrases=\(folder.file("phrases.d"))",
                    "paths.classifier=\(try Workshop.shared().classifier)", "mqtt.enabled=false",
                ].flatMap { ["--set", $0] }
            let daemon = try ChildProcess(command[0], Array(command.dropFirst()))
            #expect(try await daemon.exit() == 78, "\(daemon.lines)")
            #expect(daemon.lines.count == 1, "\(daemon.lines)")
            let line = daemon.lines.first ?? ""
            #expect(line.contains(file) && line.contains("no permission to read it"), "\(line)")
        }

        @Test func phrasebookThatMayNotBeRead_isSaid_andTheOthersWork() async throws {
            let van = try await VanUnderTest(
                Setup(
                    hasBroker: false,
                    phrases: ["secret.yaml": "language: en\nintents: {}\n"], launcher: Self.powerless))
            defer { van.end() }
            try forbid(van.folder.file("phrases.d/secret.yaml"))
            try await van.restart()
            let part = try #require(try await van.status().parts.first { $0.name.hasSuffix("secret.yaml") })
            #expect(part.state == .failed && part.detail.contains("no permission to read it"), "\(part.detail)")
            #expect(try await van.say("where is the tow rope").reply == "The tow rope is in the garage.")
        }

        @Test func dataThatMayNotBeRead_areSaid_emergenciesAreAnswered_andNothingIsTouched() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false, launcher: Self.powerless))
            defer { van.end() }
            let before = try await van.ledger()
            try await van.stop()
            try forbid(van.data)
            defer { try? forbid(van.data, 0o755) }
            try await van.restart()
            let part = try #require(try await van.part("store"))
            #expect(part.state == .failed && part.detail.contains(van.data), "\(part.detail)")
            #expect(part.advice?.contains("right to") == true || part.advice?.contains("may write") == true, "\(part)")
            #expect(try await van.say("log diesel for fifty pounds").reply == StoreTests.apology)
            #expect(try await van.say("I can smell gas").reply.hasPrefix("No flames, no switches."))
            let backup = try await van.vanorb("backup")
            #expect(backup.status == 1, "\(backup.lines)")
            try await van.stop()
            try forbid(van.data, 0o755)
            try await van.restart()
            #expect(try await van.ledger() == before)
            #expect(try await van.part("store")?.state == .ok)
        }

        @Test func runFolderThatMayNotBeWritten_endsTheStart_andIsNamed() async throws {
            let folder = try TemporaryFolder(), run = folder.file("closed")
            try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
            try forbid(run, 0o555)
            let van = try await VanUnderTest(
                Setup(hasBroker: false, run: run, launcher: Self.powerless), waits: false)
            defer { van.end() }
            let status = try await van.daemon.exit()
            #expect(status != 0 && status != 78, "the settings are right, and it may be mended meanwhile")
            #expect(van.daemon.lines.last?.contains("\(run)/control.sock") == true, "\(van.daemon.lines)")
            #expect(van.daemon.lines.last?.contains("Permission denied") == true, "\(van.daemon.lines)")
        }

        @Test func socketThatMayNotBeUsed_isToldApartFromADaemonThatIsAway() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            try forbid(van.socket)
            for command in [["status"], ["say", "hello"], ["doctor"], ["restore", "--yes"]] {
                let words = Self.powerless + ["\(Workshop.products)/vanorb"] + command
                let child = try ChildProcess(
                    words[0], Array(words.dropFirst()), environment: ["VANORB_SOCKET": van.socket])
                #expect(try await child.exit() == 2, "\(command): \(child.lines)")
                let text = child.lines.joined(separator: " ")
                #expect(text.contains(van.socket) && text.contains("group vanorb"), "\(text)")
                #expect(!text.contains("systemctl"), "it runs: \(text)")
            }
            try forbid(van.socket, 0o660)
            #expect(try await van.vanorb("status").status == 0)
        }

        @Test func deviceNodesThatMayNotBeOpened_areNamedWithWhatToDo_andTextWorks() async throws {
            let folder = try TemporaryFolder()
            let bus = try secret(folder, "spidev0.0", ""), chip = try secret(folder, "gpiochip0", "")
            let board = """
                name: forbidden
                button: {chip: \(chip), line: 17}
                motor: {chip: \(chip), line: 27}
                ring: {type: apa102, count: 12, spi: \(bus)}
                """
            let van = try await VanUnderTest(Setup(hasBroker: false, board: board, launcher: Self.powerless))
            defer { van.end() }
            for (part, file) in [("button", chip), ("motor", chip), ("ring", bus)] {
                try await eventually("the \(part) to be missed") { try await van.part(part)?.state == .failed }
                let detail = try await van.part(part)?.detail ?? ""
                #expect(detail.contains(file) && detail.contains("udev rule"), "\(detail)")
            }
            #expect(try await van.say("where is the tow rope").reply == "The tow rope is in the garage.")
        }
    }
}
