import Domain
import SystemTestKit

/// Speech made at test time by one of flite's voices, which are built from real speakers.
struct SpokenSentence {
    /// 16 kHz mono, with silence before and after.
    let samples: [Int16]

    init(_ text: String, voice: String = "slt") throws {
        self.init(speech: try Flite.samples(text, voice: voice))
    }

    private init(speech: [Int16]) {
        let silence = [Int16](repeating: 0, count: 8_000)
        samples = silence + speech + silence
    }

    /// The samples in blocks, as the microphone delivers them.
    var blocks: [[Int16]] {
        stride(from: 0, to: samples.count, by: 512).map { Array(samples[$0..<min($0 + 512, samples.count)]) }
    }
}

extension SpokenSentence {
    /// A sound of a synthesiser's, with silence before and after.
    init(_ sound: Sound) { self.init(speech: Flite.resampled(sound.samples, from: sound.sampleRate)) }
}
