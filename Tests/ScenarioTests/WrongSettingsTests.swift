import Foundation
import SystemTestKit
import Testing

/// Files of the owner's with a slip in them, and what the daemon says of it.
struct WrongFile: Sendable, CustomTestStringConvertible {
    let name: String
    var settings: String?
    var board: String?
    var devices: String?
    var override: String?
    /// All of these are in the message.
    let message: [String]
    var testDescription: String { name }
}

extension ScenarioTests {
    /// Wrong settings end the daemon with status 78, which systemd does not restart, and name file and line.
    @Suite(.serialized) struct WrongSettingsTests {
        static let cases = [
            WrongFile(
                name: "unknown key", settings: "language: en\nlimits:\n  no_speach: 4\n",
                message: ["vanorb.yaml:3:", "limits.no_speach", "defaults.yaml"]),
            WrongFile(
                name: "key in the wrong place", settings: "port: 1884\n",
                message: ["vanorb.yaml:1:", "“port”", "mqtt.port"]),
            WrongFile(
                name: "out of range", settings: "# mine\n\nspeech:\n  rate: 3\n",
                message: ["vanorb.yaml:4:", "speech.rate", "0.0 to 1.0"]),
            WrongFile(
                name: "wrong kind", settings: "mqtt:\n  port: many\n",
                message: ["vanorb.yaml:2:", "mqtt.port", "whole number", "many"]),
            WrongFile(
                name: "wrong word", settings: "button:\n  mode: hodl\n",
                message: ["vanorb.yaml:2:", "button.mode", "hodl", "both, tap, hold"]),
            WrongFile(
                name: "a tree where a value belongs", settings: "language: {en: true}\n",
                message: ["vanorb.yaml:1:", "language"]),
            WrongFile(
                name: "not YAML", settings: "language: en\nmqtt: {port: 1883\n", message: ["vanorb.yaml:", "YAML"]),
            WrongFile(
                name: "no such language", settings: "language: tlh\n", message: ["vanorb.yaml:1:", "tlh", "en"]),
            WrongFile(
                name: "a slip on the command line", override: "mqtt.prot=1",
                message: ["--set mqtt.prot", "unknown setting"]),
            WrongFile(
                name: "board: unknown key", board: "name: x\nmicrofone: {device: a}\n",
                message: ["board.yaml:2:", "microfone"]),
            WrongFile(
                name: "board: not an ALSA configuration", board: "name: x\nalsa: |\n  pcm.a {\n    type file\n",
                message: ["board.yaml:", "alsa"]),
            WrongFile(
                name: "board: out of range", board: "microphone:\n  device: a\n  period: 7\n",
                message: ["board.yaml:3:", "period", "32 to 8192"]),
            WrongFile(
                name: "board: what is lowered, named twice",
                board: """
                    speaker:
                      speech: a
                      ducking:
                        - {card: hw:0, control: Music, decibels: 20}
                        - {card: hw:0, control: Music}
                    """,
                message: ["board.yaml:5:", "speaker.ducking[2]", "duplicate control “Music” of hw:0"]),
            WrongFile(
                name: "board: lowered by too much",
                board: "speaker: {speech: a, ducking: {card: hw:0, control: Music, decibels: 90}}\n",
                message: ["board.yaml:1:", "decibels", "1 to 60"]),
            WrongFile(
                name: "board: a chain with a slip",
                board: """
                    name: x
                    audio:
                      nodes:
                        microphone: {kind: microphone, rate: 48000, channels: 2}
                        fork: {kind: split}
                        recogniser: {kind: recogniser}
                        vad: {kind: voice_activity}
                      connections: [microphone → fork, fork → recogniser, fork → vad, vad.end → recogniser.finish]
                    """,
                message: [
                    "board.yaml:6:", "audio.nodes.recogniser", "16000 Hz mono", "48000 Hz with 2 channels", "resample",
                ]),
            WrongFile(
                name: "devices: unknown kind", devices: "devices:\n  - name: pump\n    kind: pump\n",
                message: ["devices.yaml:3:", "pump"]),
            WrongFile(
                name: "devices: not a list", devices: "devices: pump\n", message: ["devices.yaml:1:", "list"]),
            WrongFile(
                name: "devices: not YAML", devices: "devices:\n  - name: [pump\n", message: ["devices.yaml:", "YAML"]),
        ]

        @Test(arguments: cases) func daemon_refusesToStart_namingFileAndLine(wrong: WrongFile) async throws {
            let folder = try TemporaryFolder()
            func write(_ name: String, _ text: String) throws -> String {
                try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
                return folder.file(name)
            }
            let board = try write("board.yaml", wrong.board ?? VanUnderTest.virtualBoard(isPaced: false))
            let devices = try write("devices.yaml", wrong.devices ?? "devices: []\n")
            let settings = try write("vanorb.yaml", wrong.settings ?? "")
            let overrides = [
                "paths.board=\(board)", "paths.data=\(folder.file("data"))", "paths.run=\(folder.file("run"))",
                "paths.devices=\(devices)", "paths.phrases=\(folder.file("phrases.d"))",
                "paths.classifier=\(try Workshop.shared().classifier)", "mqtt.enabled=false",
            ]
            let daemon = try ChildProcess(
                "\(Workshop.products)/vanorbd",
                ["--defaults", "\(Workshop.root)/deploy/defaults.yaml", "--settings", settings]
                    + (overrides + [wrong.override].compactMap { $0 }).flatMap { ["--set", $0] })
            #expect(try await daemon.exit() == 78)
            #expect(daemon.lines.count == 1, "\(daemon.lines)")
            for part in wrong.message { #expect(daemon.lines.first?.contains(part) == true, "\(daemon.lines)") }
        }

        @Test func check_ofAFileWithControlCharacters_doesNotSteerTheTerminal() async throws {
            let folder = try TemporaryFolder()
            let settings = folder.file("vanorb.yaml")
            try "no\u{1B}[31mpe: 1\n".write(toFile: settings, atomically: true, encoding: .utf8)
            let daemon = try ChildProcess(
                "\(Workshop.products)/vanorbd",
                ["--check", "--defaults", "\(Workshop.root)/deploy/defaults.yaml", "--settings", settings])
            #expect(try await daemon.exit() == 78)
            #expect(daemon.lines.contains("no [31mpe: 1"), "\(daemon.lines)")
        }

        @Test func check_acceptsWhatShips_andStartsNothing() async throws {
            let folder = try TemporaryFolder()
            let overrides = [
                "paths.board=\(Workshop.root)/board/virtual.yaml", "paths.data=\(folder.file("data"))",
                "paths.run=\(folder.file("run"))", "paths.devices=\(Workshop.devices)",
                "paths.phrases=\(folder.file("phrases.d"))", "paths.classifier=\(try Workshop.shared().classifier)",
            ]
            let lines = try await run(
                "\(Workshop.products)/vanorbd",
                ["--check", "--defaults", "\(Workshop.root)/deploy/defaults.yaml"]
                    + overrides.flatMap { ["--set", $0] })
            #expect(lines.last == "The settings are valid.")
            #expect(!FileManager.default.fileExists(atPath: folder.file("run/control.sock")))
        }
    }
}
