/// How the decoder is set up, where it differs from the library's own defaults.
struct DecoderSettings: Sendable {
    /// Options of the library.
    var arguments: [String] = []
    /// How much of the cepstral mean that the last utterance left goes into the next, 0…1; the rest is the model's.
    var learntMeanShare = 1.0
    var pause = 0
    var full = false
    var reviews: [Int] = []
    var priorFrames = 0.0
}
