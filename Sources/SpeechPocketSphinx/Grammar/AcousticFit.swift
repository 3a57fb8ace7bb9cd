/// How well the sounds of an utterance fit a sentence of the grammar, against phones in any order.
///
/// The grammar finds one of its sentences in any speech. Any sounds can be recognised as phones, so the distance of
/// the two scores shows how far the sentence is forced onto them (R. Rose and D. Paul, “A hidden Markov model based
/// keyword recognition system”, 1990).
struct AcousticFit {
    /// A stretch of what was decoded.
    struct Segment {
        let frames: Range<Int>
        /// The sounds' score, in the library's units.
        let score: Double
        /// False for silence and noise.
        let isWord: Bool
    }

    /// Longer sentences do not match by chance, and people breathe and mumble behind them: it is irrelevant how
    /// they fit.
    static let mostWords = 3

    /// The sentence's score less the phones', by frame of the words; seldom above 0.
    let margin: Double
    /// The same of what the sentence takes for silence or noise: words left out of it.
    let unexplained: Double

    /// True where the sounds are hardly those of the sentence. Of 275 right readings (spoken by flite and by people,
    /// clean and at 12 and 6 dB) one was lower than these, of 119 recordings of other speech 24.
    var isForced: Bool { margin < -36 || unexplained < -15 }

    /// - Returns: nil where there are no words.
    init?(grammar: [Segment], phones: [Segment]) {
        let spoken = grammar.filter(\.isWord).reduce(0) { $0 + $1.frames.count }
        guard spoken > 0 else { return nil }
        margin = (grammar.reduce(0) { $0 + $1.score } - phones.reduce(0) { $0 + $1.score }) / Double(spoken)
        unexplained =
            grammar.filter { !$0.isWord }.reduce(0) { sum, silence in
                let heard = phones.reduce(0) { sum, phone in
                    let common = phone.frames.clamped(to: silence.frames).count
                    return sum + phone.score * Double(common) / Double(phone.frames.count)
                }
                return sum + min(0, silence.score - heard)
            } / Double(spoken)
    }
}
