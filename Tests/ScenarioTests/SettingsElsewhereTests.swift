import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// Settings while no daemon runs, and another language.
    @Suite(.serialized)
    struct SettingsElsewhereTests {
        @Test func typoThatKeepsTheDaemonFromStarting_isNamed_andMendedWithoutIt() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false, owner: "# mine\n"))
            defer { van.end() }
            try await van.stop()
            try van.write(owner: "# mine\nspeech:\n  rate: fast\n")
            let list = try await van.vanorb("settings", "list", "speech")
            #expect(list.status == 0, "\(list.lines)")
            let text = list.lines.joined(separator: "\n")
            #expect(text.contains("VanOrb is not running") && text.contains("vanorb.yaml:3: speech.rate"), "\(text)")
            let other = try await van.vanorb("settings", "set", "log.level", "debug")
            #expect(other.status == 1 && other.lines.joined().contains("vanorb.yaml:3: speech.rate: expected a number"))
            #expect(try await van.vanorb("settings", "set", "speech.rat", "1").lines.joined().contains("did you mean"))
            #expect(van.owner == "# mine\nspeech:\n  rate: fast\n")
            let mended = try await van.vanorb("settings", "set", "speech.rate", "0.6")
            #expect(mended.status == 0, "\(mended.lines)")
            #expect(mended.lines == ["speech.rate changed from fast to 0.6. It takes effect when VanOrb starts."])
            #expect(van.owner == "# mine\nspeech:\n  rate: 0.6\n")
            #expect(try await van.vanorb("settings", "languages").lines == ["en  (selected)"])
            try await van.restart()
            #expect(try await van.setting("speech.rate").value == "0.6")
        }

        @Test func language_changesAfterTheTurn_byItself() async throws {
            // The program with a second language beside English: the same data, but for one answer.
            let folder = try TemporaryFolder(), bundle = "VanOrb_Language.resources"
            try FileManager.default.copyItem(atPath: "\(Workshop.products)/vanorbd", toPath: folder.file("vanorbd"))
            try FileManager.default.copyItem(
                atPath: "\(Workshop.products)/\(bundle)", toPath: folder.file(bundle))
            let languages = folder.file("\(bundle)/Languages")
            try FileManager.default.copyItem(atPath: "\(languages)/en", toPath: "\(languages)/xx")
            try Self.translate(in: "\(languages)/xx")
            let van = try await VanUnderTest(Setup(hasBroker: false, owner: "", products: folder.path))
            defer { van.end() }
            #expect(try await van.vanorb("settings", "languages").lines == ["en  (selected)", "xx"])
            #expect(try await van.say("thank you").reply == "You're welcome.")
            let began = ContinuousClock.now, pid = van.daemon.pid
            let done = try await van.vanorb("settings", "set", "language", "xx")
            #expect(done.status == 0 && done.lines.first?.contains("VanOrb restarts with it") == true, "\(done.lines)")
            try await eventually("the daemon to restart") {
                guard let status = try? await van.status() else { return false }
                return .seconds(status.uptimeSeconds) < began.duration(to: .now)
            }
            #expect(van.daemon.pid == pid && van.daemon.isRunning)
            #expect(try await van.say("thank you").reply == "Xenial!")
            #expect(try await van.vanorb("settings", "languages").lines == ["en", "xx  (selected)"])
        }

        /// Gives one reply another text, and each phrasebook the language's name.
        private static func translate(in folder: String) throws {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".yaml") {
                let path = "\(folder)/\(name)"
                var text = try String(contentsOfFile: path, encoding: .utf8)
                text = text.replacing(/(?m)^language: en$/, with: "language: xx")
                text = text.replacing("You're welcome.", with: "Xenial!")
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
    }
}
