/// Works out the mean of the voice's cepstra while an utterance is under way, and says when it is worth decoding what
/// was heard so far again with it.
///
/// Microphone, room and voice shift all cepstra by a constant, which the recogniser must subtract. It starts from the
/// mean of its training data (or of the utterance before) and the library updates it only when the utterance is over.
struct CepstralReview {
    /// When to look.
    struct Schedule: Sendable {
        /// After so many frames of speech, wherever the noise lets no pause be seen.
        var frames = [100, 200]
        /// After so many samples without speech: all of the command is there, and while the end of speech is being
        /// waited for there is time.
        var pause = 4_800
        /// No more when so many samples were heard: decoding them again would delay the transcript.
        var limit = 160_000
        /// A mean over fewer frames than this says more about the words than about the voice.
        var minimum = 50
        /// How many times more frames than at the last look make another worthwhile.
        var growth = 1.3
        /// False to leave the mean to the library.
        var isOn = true
    }

    private let schedule: Schedule
    private var sum: [Double]
    /// Frames of speech, and samples since the last of them.
    private(set) var frames = 0, quiet = 0
    private var reviewed = 0
    private var heard = 0

    init(_ schedule: Schedule, size: Int) {
        self.schedule = schedule
        sum = [Double](repeating: 0, count: size)
    }

    /// Notes what the library's running sum of cepstra was before and after it took in `samples`.
    mutating func note(before: CepstralSum, after: CepstralSum, samples: Int) {
        heard += samples
        let new = after.frames - before.frames
        // The library drops frames without speech, and shortens its sum from time to time.
        guard new > 0, before.sum.count == sum.count, after.sum.count == sum.count else {
            if new == 0 { quiet += samples }
            return
        }
        quiet = 0
        frames += new
        for index in sum.indices { sum[index] += after.sum[index] - before.sum[index] }
    }

    /// The mean so far when it is time to use it, else nil.
    mutating func due() -> [Float]? {
        guard schedule.isOn, heard <= schedule.limit, frames >= schedule.minimum,
            Double(frames) >= schedule.growth * Double(reviewed),
            quiet >= schedule.pause || schedule.frames.contains(where: { $0 > reviewed && $0 <= frames })
        else { return nil }
        reviewed = frames
        return sum.map { Float($0 / Double(frames)) }
    }
}

/// The library's running sum of cepstra, and over how many frames it goes.
struct CepstralSum {
    let sum: [Double]
    let frames: Int
}

/// The mean of the cepstra as it is kept over a restart: its acoustic model on a line, its numbers on the next. It is
/// meaningless for another model.
struct StoredMean: Equatable {
    private static let count = 13
    /// Cepstra of speech stay within some tens; values far beyond are damage.
    private static let range: ClosedRange<Float> = -1_000...1_000

    let text: String

    init(_ mean: [Float], of model: String) {
        text = model + "\n" + mean.map { "\($0)" }.joined(separator: " ")
    }

    /// The mean that `text` holds.
    /// - Returns: nil unless it is 13 numbers of a sensible size for `model`.
    static func mean(in text: String, of model: String) -> [Float]? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, lines[0] == model else { return nil }
        let words = lines[1].split(separator: " ")
        let mean = words.compactMap { Float($0) }.filter { $0.isFinite && range.contains($0) }
        return words.count == count && mean.count == count ? mean : nil
    }
}

extension PocketSphinxRecogniser {
    /// The mean of the voice's cepstra, with the acoustic model that it belongs to; nil before anything is prepared.
    public func adaptationState() async -> String? {
        guard let mean = decoder?.cepstralMean, let model = try? SphinxModel(folder: modelFolder) else { return nil }
        let kept = StoredMean(mean, of: model.fingerprint)
        return StoredMean.mean(in: kept.text, of: model.fingerprint) == nil ? nil : kept.text
    }

    /// Starts with the mean that `adaptationState` returned before a restart. A damaged one, or another model's, is
    /// ignored.
    public func restore(_ adaptationState: String) async {
        guard let model = try? SphinxModel(folder: modelFolder) else { return }
        restoredMean = StoredMean.mean(in: adaptationState, of: model.fingerprint)
    }
}
