import CPocketSphinx
import Copilot
import Foundation

/// A decoder of the library: its only owner. Used by one actor at a time.
final class Decoder {
    /// One recognised word, in frames of the utterance.
    struct Word {
        let text: String
        let firstFrame: Int
        let lastFrame: Int
        /// The posterior's natural logarithm.
        let logPosterior: Double
    }

    /// A decoder with its model, ready to recognise.
    private let pointer: OpaquePointer
    private let cepstrumSize = 13
    private let learnt: Double
    private var modelMean: [Float] = []
    private let reviews: [Int]
    private let full: Bool
    private let priorFrames: Double
    private var heard: [Int16] = []
    private let pause: Int
    private var total: [Double] = []
    private var frames = 0
    private var reviewed = 0
    private var quiet = 0

    /// Loads the acoustic model, the language model and the dictionary: about a fifth of a second of work.
    /// - Throws: `PocketSphinxError` with what the library logged.
    init(model: SphinxModel, files: VocabularyCache.Files, settings: DecoderSettings) throws {
        let arguments =
            ["vanorb", "-hmm", model.acoustic, "-lm", files.languageModel, "-dict", files.dictionary] + settings.arguments
        let (made, errors) = SphinxLog.collectingErrors { Self.make(arguments) }
        guard let made else {
            let reason = errors.isEmpty ? "no reason given" : errors.joined(separator: "; ")
            throw PocketSphinxError(
                call: "ps_init",
                detail: "cannot load the recogniser with the model \(model.folder): \(reason). "
                    + "See that Debian's package pocketsphinx-en-us is whole, and that there is memory left")
        }
        pointer = made
        pause = settings.pause
        full = settings.full
        reviews = settings.reviews
        priorFrames = settings.priorFrames
        learnt = settings.learntMeanShare
        modelMean = cepstralMean
    }

    deinit { ps_free(pointer) }

    private static func make(_ arguments: [String]) -> OpaquePointer? {
        var words = arguments.map { strdup($0) }
        defer { words.forEach { free($0) } }
        // The configuration is counted: the decoder keeps a reference of its own.
        guard let configuration = cmd_ln_parse_r(nil, ps_args(), Int32(words.count), &words, 1) else { return nil }
        defer { cmd_ln_free_r(configuration) }
        return ps_init(configuration)
    }

    /// The mean of the voice's cepstra, by which microphone and room are evened out. The library starts from a value
    /// of the model's and learns from each utterance; a new decoder takes over what the old one had learnt.
    var cepstralMean: [Float] {
        get {
            var mean = [Float](repeating: 0, count: cepstrumSize)
            if let normaliser { cmn_live_get(normaliser, &mean) }
            return mean
        }
        set {
            if let normaliser, newValue.count == cepstrumSize { cmn_live_set(normaliser, newValue) }
        }
    }

    private var normaliser: UnsafeMutablePointer<cmn_t>? {
        guard let state = ps_get_feat(pointer)?.pointee.cmn_struct, state.pointee.veclen == Int32(cepstrumSize) else {
            return nil
        }
        return state
    }

    /// The sum of the cepstra that the library has taken in, with their number.
    private var cepstralSum: (sum: [Double], frames: Int) {
        guard let normaliser, let sum = normaliser.pointee.sum else { return ([], 0) }
        return ((0..<cepstrumSize).map { Double(sum[$0]) }, Int(normaliser.pointee.nframe))
    }

    func start() throws {
        let mean = cepstralMean
        cepstralMean = zip(modelMean, mean).map { $0 + Float(learnt) * ($1 - $0) }
        heard = []
        total = [Double](repeating: 0, count: cepstrumSize)
        frames = 0
        reviewed = 0
        quiet = 0
        try restart()
    }

    private func restart() throws {
        // A stream for each utterance: frames are counted from its first sample.
        try checkSphinx("ps_start_stream", "cannot begin an utterance") { ps_start_stream(pointer) }
        try checkSphinx("ps_start_utt", "cannot begin an utterance") { ps_start_utt(pointer) }
    }

    func process(_ samples: [Int16]) throws {
        guard !samples.isEmpty else { return }
        heard += samples
        let before = cepstralSum
        try feed(samples)
        let after = cepstralSum
        if after.frames > before.frames {
            for index in total.indices { total[index] += after.sum[index] - before.sum[index] }
            frames += after.frames - before.frames
            quiet = 0
        } else {
            quiet += samples.count
        }
        let isTime = quiet >= pause || (!reviews.isEmpty && frames >= (reviews.first { $0 > reviewed } ?? .max))
        guard pause > 0, isTime, frames >= 50, Double(frames) >= 1.3 * Double(reviewed) else { return }
        reviewed = frames
        let prior = modelMean
        let mean = prior.indices.map {
            Float((Double(prior[$0]) * priorFrames + total[$0]) / (Double(frames) + priorFrames))
        }
        try finishUtterance()
        cepstralMean = mean
        try restart()
        try feed(heard)
    }

    private func feed(_ samples: [Int16]) throws {
        try checkSphinx("ps_process_raw", "the recogniser did not take the sound") {
            ps_process_raw(pointer, samples, samples.count, 0, 0)
        }
    }

    func end() throws {
        if full, !heard.isEmpty {
            try finishUtterance()
            cepstralMean = modelMean
            try restart()
            let h = heard
            try checkSphinx("ps_process_raw", "x") { ps_process_raw(pointer, h, h.count, 0, 1) }
        }
        try finishUtterance()
    }

    private func finishUtterance() throws {
        try checkSphinx("ps_end_utt", "cannot end the utterance") { ps_end_utt(pointer) }
    }

    /// The best words so far.
    var hypothesis: String {
        var score: Int32 = 0
        guard let text = ps_get_hyp(pointer, &score) else { return "" }
        return Self.spoken(String(cString: text))
    }

    /// The posterior probability of the best path, as a natural logarithm; meaningful after `end`.
    var logPosterior: Double { naturalLog(ps_get_prob(pointer)) }

    /// The words of the best path.
    var words: [Word] { words(ps_seg_iter(pointer)) }

    /// Up to `count` paths with their scores (natural logarithms, comparable among themselves), best first.
    func best(_ count: Int) -> [(text: String, score: Double, words: [Word])] {
        var result: [(text: String, score: Double, words: [Word])] = []
        var next = ps_nbest(pointer)
        // The same words come again with other silences between them: look at more paths than are wanted.
        var looks = 0
        while let entry = next {
            guard result.count < count, looks < count * 20 else {
                ps_nbest_free(entry)
                break
            }
            looks += 1
            var score: Int32 = 0
            if let text = ps_nbest_hyp(entry, &score).map({ Self.spoken(String(cString: $0)) }), !text.isEmpty,
                !result.contains(where: { $0.text == text })
            {
                result.append((text, naturalLog(score), words(ps_nbest_seg(entry))))
            }
            next = ps_nbest_next(entry)
        }
        return result
    }

    private func words(_ first: OpaquePointer?) -> [Word] {
        var result: [Word] = []
        var next = first
        while let segment = next {
            var start: Int32 = 0
            var end: Int32 = 0
            ps_seg_frames(segment, &start, &end)
            let posterior = ps_seg_prob(segment, nil, nil, nil)
            if let text = ps_seg_word(segment).map({ Self.spoken(String(cString: $0)) }), !text.isEmpty {
                result.append(
                    Word(
                        text: text, firstFrame: Int(start), lastFrame: Int(end), logPosterior: naturalLog(posterior)))
            }
            next = ps_seg_next(segment)
        }
        return result
    }

    private func naturalLog(_ value: Int32) -> Double { logmath_log_to_ln(ps_get_logmath(pointer), value) }

    /// The words without the library's marks: ends of the sentence, silence, noise, and the number of a variant.
    static func spoken(_ text: String) -> String {
        text.split(separator: " ").compactMap { word -> Substring? in
            guard let first = word.first, !"<[+".contains(first) else { return nil }
            guard word.last == ")", let bracket = word.lastIndex(of: "("), bracket > word.startIndex else {
                return word
            }
            return word[..<bracket]
        }.joined(separator: " ")
    }
}
