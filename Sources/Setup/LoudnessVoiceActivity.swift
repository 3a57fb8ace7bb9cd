import Domain
import AudioPipeline

/// Stands in where the voice-activity library fails: loud is voice.
final class LoudnessVoiceActivity: VoiceActivityDetector {
    func speechProbability(of samples: [Int16]) -> Double { Loudness.level(of: samples) > 0.4 ? 0.9 : 0.1 }
    func reset() {}
}
