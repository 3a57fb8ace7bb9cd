/// Works out the mean of the voice's cepstra while an utterance is under way, and says when it is worth decoding what
/// was heard so far again with it.
///
/// Microphone, room and voice shift all cepstra by a constant, which the recogniser has to take away. It starts from
/// the mean of its training data (or of the utterance before) and by itself learns only when the utterance is over.
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
