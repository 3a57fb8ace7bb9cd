import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// Recordings as people have them. What cannot be heard is refused with its own reason, and the daemon goes on.
    @Suite(.serialized, .van(Setup(hasBroker: false))) struct SoundFileTests {
        private func hear(_ folder: TemporaryFolder, _ name: String) async throws -> (status: Int32, text: String) {
            let answer = try await ScenarioTests.van.vanorb("hear", folder.file(name))
            return (answer.status, answer.lines.joined(separator: " "))
        }

        private func speech() async throws -> String {
            try await Workshop.shared().speech("where is the tow rope", voice: "rms")
        }

        @Test(arguments: [
            ("8-bit.wav", ["-b", "8", "-e", "unsigned"], "8 bit"),
            ("24-bit.wav", ["-b", "24"], "24 bit"),
            ("float.wav", ["-b", "32", "-e", "floating-point"], "float"),
            ("slow.wav", ["-r", "4000"], "4000 Hz"),
        ])
        func unsuitableFormat_isNamed(name: String, format: [String], reason: String) async throws {
            let folder = try TemporaryFolder()
            try await ScenarioTests.sox([try await speech()] + format + [folder.file(name)])
            let answer = try await hear(folder, name)
            #expect(answer.status == 1)
            #expect(answer.text.contains(name), "\(answer.text)")
            #expect(answer.text.lowercased().contains(reason.lowercased()), "\(answer.text)")
            #expect(
                !answer.text.contains("/uploads/"), "the daemon's own files mean nothing to the caller: \(answer.text)")
        }

        @Test func garbage_empty_truncated_andMissing_eachSaySo() async throws {
            let folder = try TemporaryFolder()
            let good = try Data(contentsOf: URL(fileURLWithPath: try await speech()))
            // An MP3 frame's header and noise.
            let noise = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
            try (Data([0xFF, 0xFB, 0x90, 0x64]) + noise).write(to: URL(fileURLWithPath: folder.file("song.mp3")))
            try Data().write(to: URL(fileURLWithPath: folder.file("empty.wav")))
            try good.prefix(good.count / 2).write(to: URL(fileURLWithPath: folder.file("half.wav")))
            try good.prefix(20).write(to: URL(fileURLWithPath: folder.file("stub.wav")))
            try good.prefix(44).write(to: URL(fileURLWithPath: folder.file("header.wav")))
            for (name, reason) in [
                ("song.mp3", "its format is not known"), ("empty.wav", "is empty"), ("half.wav", "cut off"),
                ("stub.wav", "not a sound file"),
                ("header.wav", "cut off"), ("missing.wav", "no such file"),
            ] {
                let answer = try await hear(folder, name)
                #expect(answer.status == 1, "\(name)")
                #expect(answer.text.contains(name), "\(answer.text)")
                #expect(answer.text.contains(reason), "\(answer.text)")
            }
            #expect(try await ScenarioTests.van.hear(file: speech()).reply == "The tow rope is in the garage.")
        }

        @Test func tenMinutesOfNoise_fireNothing_andTheNextCommandIsHeard() async throws {
            let folder = try TemporaryFolder(), before = try await ScenarioTests.van.ledger()
            try await ScenarioTests.sox([
                "-n", "-r", "16000", "-b", "16", folder.file("noise.wav"), "synth", "600", "pinknoise", "vol", "0.3",
            ])
            let noise = try await ScenarioTests.van.hear(file: folder.file("noise.wav"))
            #expect(noise.outcome != .done)
            #expect(noise.intent == nil)
            #expect(try await ScenarioTests.van.ledger() == before)
            #expect(try await ScenarioTests.van.hear(file: speech()).reply == "The tow rope is in the garage.")
        }

        @Test(arguments: [
            ("stereo.wav", ["-r", "48000", "-c", "2"]), ("tape.wav", ["-r", "22050"]),
            ("album.flac", ["-r", "44100", "-c", "2", "-b", "16"]),
        ])
        func otherRatesAndChannels_areHeard(name: String, format: [String]) async throws {
            let folder = try TemporaryFolder()
            try await ScenarioTests.sox([try await speech()] + format + [folder.file(name)])
            let answer = try await hear(folder, name)
            #expect(answer.status == 0)
            #expect(answer.text.contains("The tow rope is in the garage."), "\(answer.text)")
        }
    }
}
