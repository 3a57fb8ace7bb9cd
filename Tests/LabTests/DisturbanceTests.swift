import Domain
import Language
import Foundation
import SystemTestKit
import Testing

@testable import vanorb_lab

/// What the whole appliance makes of sounds that are no speech.
@Suite struct DisturbanceTests {
    /// Four seconds of chords on a plucked instrument, four a second, over a beat.
    private var music: [Int16] {
        let chords: [[Double]] = [
            [220, 277.2, 329.6], [196, 246.9, 293.7], [174.6, 220, 261.6], [164.8, 207.7, 246.9],
        ]
        var random = SeededGenerator(seed: 2)
        return (0..<64_000).map { index in
            let own = Double(index % 4_000) / 16_000, time = Double(index) / 16_000
            var tones = 0.0
            for hertz in chords[index / 8_000 % chords.count] {
                for harmonic in [1.0, 2, 3, 4] {
                    tones += sin(2 * .pi * hertz * harmonic * time) / (harmonic * harmonic)
                }
            }
            let beat = Double.random(in: -1...1, using: &random) * exp(-own * 40)
            return Int16(2_000 * tones * exp(-own * 5) + 3_000 * beat)
        }
    }

    /// Two bursts of breath through a throat around 1 kHz, each as sudden as a cough.
    private var cough: [Int16] {
        var random = SeededGenerator(seed: 1), low = 0.0
        return (0..<24_000).map { index in
            let own = Double(index % 12_000)
            low += 0.4 * (Double.random(in: -1...1, using: &random) - low)
            return Int16(12_000 * low * min(1, own / 80) * exp(-own / 900))
        }
    }

    /// A panel's thump at 55 and 90 Hz, and the lock's clack.
    private var door: [Int16] {
        var random = SeededGenerator(seed: 1)
        return (0..<16_000).map { index in
            let time = Double(index) / 16_000
            let thump = sin(2 * .pi * 55 * time) + 0.6 * sin(2 * .pi * 90 * time)
            let clack = Double.random(in: -1...1, using: &random) * exp(-time * 60)
            return Int16(11_000 * thump * exp(-time * 14) + 9_000 * clack)
        }
    }

    @Test func coughDoorAndMusic_startNoCommand_andAnOrderBehindThemIsHeard() async throws {
        let cache = NSTemporaryDirectory() + "/disturbed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: cache) }
        let index = PhraseIndex(books: try SmallPhrasebook().books, names: OwnerNames())
        let stage = try await HearingStage(index: index, classifier: nil)
        let quiet = [Int16](repeating: 0, count: 8_000)
        for (name, sound) in [("cough", cough), ("door", door), ("music", music)] {
            let turn = try await stage.hear(quiet + sound + quiet)
            #expect(turn.commands.isEmpty, "\(name): “\(turn.transcript)” with \(turn.confidence)")
        }
        let order = try SyntheticVoice(name: "slt", cache: cache).speak(
            "make me a hot chocolate", lead: .milliseconds(300), tail: .milliseconds(300))
        #expect(try await stage.hear(order).commands.map(\.intent) == ["brew"])
    }
}
