import Language
import AudioPipeline
import AudioALSA
import Domain
import Foundation
import SignalProcessing
import SystemTestKit
import Testing

extension AudioTools {
    /// Feeds a sound to the endpointer as it ships, and returns its last verdict with the verdict's place in samples.
    static func endpoint(
        _ sound: [Int16], _ detector: any VoiceActivityDetector, chime: Duration = .zero
    ) -> (Endpointer.Verdict?, Int) {
        var settings = Endpointer.Settings()
        AudioGraph.standard.adopt(into: &settings)
        settings.chime = chime
        var endpointer = Endpointer(settings), began: Endpointer.Verdict?
        detector.reset()
        for start in stride(from: 0, to: sound.count - 511, by: 512) {
            let frame = Array(sound[start..<start + 512])
            let verdict = endpointer.accept(
                probability: detector.speechProbability(of: frame), level: Loudness.decibels(of: frame), count: 512,
                traits: detector.traits)
            guard let verdict else { continue }
            if verdict != .speechBegan { return (verdict, start + 512) }
            began = verdict
        }
        return (began, sound.count)
    }
}

/// What the microphone hears of the appliance's own chime, alone and with speech.
@Suite struct LeakingChimeTests {
    /// So many seconds of a quiet room with sounds in it.
    private func room(_ seconds: Double, _ sounds: [(start: Double, samples: [Double])]) -> [Int16] {
        var random = SeededGenerator(seed: 5)
        var all = (0..<Int(seconds * 16_000)).map { _ in Double.random(in: -40...40, using: &random) }
        for sound in sounds {
            let start = Int(sound.start * 16_000)
            for (index, value) in sound.samples.enumerated() where start + index < all.count {
                all[start + index] += value
            }
        }
        return all.map { Int16(min(max($0, -32_768), 32_767)) }
    }

    /// The chime as the microphone hears it from the speaker beside it: a third as loud, with the van's echo.
    private var chime: [Double] {
        let direct = ChimeSynthesiser.chime(.start, sampleRate: 16_000).samples.map { Double($0) / 3 }
        return (0..<direct.count + 1_600).map { index in
            [(0, 1.0), (270, 0.3), (610, 0.15), (1_130, 0.06)].reduce(0.0) { sum, echo in
                let place = index - echo.0
                return direct.indices.contains(place) ? sum + direct[place] * echo.1 : sum
            }
        }
    }

    /// As the conversation has it.
    private static let chimeLength = ChimeSynthesiser.chime(.start).duration + Endpointer.Settings.chimeDelay

    @Test func theLeakingChime_beginsNothing() throws {
        for delay in [0, 0.02, 0.04] {
            let sound = room(1.5, [(delay, chime)])
            let (verdict, _) = AudioTools.endpoint(sound, try SpeexVoiceActivity(), chime: Self.chimeLength)
            #expect(verdict == nil, "\(delay) s late")
        }
    }

    @Test(arguments: ["slt", "rms"])
    func speechThatBeginsDuringTheChime_isKept(voice: String) throws {
        let speech = try Flite.samples("turn on the water pump", voice: voice).map { Double($0) / 2 }
        let sound = room(4.5, [(0, chime), (0.05, speech)])
        let (verdict, place) = AudioTools.endpoint(sound, try SpeexVoiceActivity(), chime: Self.chimeLength)
        #expect(verdict == .speechEnded)
        #expect((speech.count + 800...speech.count + 36_000).contains(place))
    }
}
