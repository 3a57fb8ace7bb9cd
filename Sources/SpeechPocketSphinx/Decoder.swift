import CPocketSphinx
import Foundation

/// A decoder of the library: its only owner. Used by one actor at a time.
final class Decoder {
    private static let cepstrumSize = 13
    /// Samples that one call decodes at most; repeated decoding catches up call by call, so that none is long.
    private static let stretch = 16_000

    private let pointer: OpaquePointer
    private let schedule: CepstralReview.Schedule
    private var review: CepstralReview
    /// The utterance, and how much of it the library was given since its last start.
    private var heard: [Int16] = []
    private var given = 0
    /// How much of it has been noted for the mean.
    private var noted = 0
    /// Frames of speech when the utterance was concluded; nil while it is not.
    private var concludedAt: Int?

    /// Loads the acoustic model, the language model and the dictionary.
    /// - Throws: `PocketSphinxError` with the library's log.
    init(model: SphinxModel, files: VocabularyCache.Files, settings: DecoderSettings) throws {
        pointer = try Self.load(
            ["-hmm", model.acoustic, "-lm", files.languageModel, "-dict", files.dictionary] + settings.arguments)
        schedule = settings.review
        review = CepstralReview(settings.review, size: Self.cepstrumSize)
    }

    deinit { ps_free(pointer) }

    /// A decoder of the library with these options; the caller frees it.
    /// - Throws: `PocketSphinxError` with the library's log.
    static func load(_ options: [String]) throws -> OpaquePointer {
        let (made, errors) = SphinxLog.collectingErrors { make(["vanorb"] + options) }
        if let made { return made }
        let reason = errors.isEmpty ? "no reason given" : errors.joined(separator: "; ")
        throw PocketSphinxError(
            call: "ps_init",
            detail: "cannot load the recogniser (\(options.joined(separator: " "))): \(reason). "
                + "See that Debian's package pocketsphinx-en-us is whole, and that there is memory left")
    }

    private static func make(_ arguments: [String]) -> OpaquePointer? {
        var words = arguments.map { strdup($0) }
        defer { words.forEach { free($0) } }
        // The configuration is reference-counted: the decoder retains it.
        guard let configuration = cmd_ln_parse_r(nil, ps_args(), Int32(words.count), &words, 1) else { return nil }
        defer { cmd_ln_free_r(configuration) }
        return ps_init(configuration)
    }

    /// Begins an utterance.
    func start() throws {
        heard = []
        noted = 0
        concludedAt = nil
        review = CepstralReview(schedule, size: Self.cepstrumSize)
        try restart()
    }

    /// Takes the next samples of the utterance.
    func process(_ samples: [Int16]) throws {
        guard !samples.isEmpty else { return }
        heard += samples
        try give(atMost: max(Self.stretch, samples.count))
        guard isUpToDate, concludedAt == nil, let mean = review.due() else { return }
        try check("ps_end_utt", "cannot end the utterance", ps_end_utt)
        cepstralMean = mean
        try restart()
    }

    /// Samples without speech after which the utterance is likely to be over, and frames of speech that show that it
    /// is not.
    private static let closing = 8_000, resumed = 12

    /// What was heard of the utterance.
    var utterance: [Int16] { heard }

    /// True when there was speech, then silence for a while, and nothing is left to decode.
    var isUtteranceOver: Bool {
        isUpToDate && concludedAt == nil && review.frames >= Self.resumed && review.quiet >= Self.closing
    }

    /// Ends the search while the microphone stays open; call `follow` when its result was read.
    func conclude() throws {
        try check("ps_end_utt", "cannot end the utterance", ps_end_utt)
    }

    /// Waits for more speech, without the utterance so far.
    func follow() throws {
        concludedAt = review.frames
        // In the same stream: a new one would take noise for speech until it has adapted to it.
        try check("ps_start_utt", "cannot begin an utterance", ps_start_utt)
        given = heard.count
    }

    /// True when there was speech after the conclusion.
    var hasResumed: Bool { concludedAt.map { review.frames - $0 >= Self.resumed } ?? false }

    /// Undoes the conclusion: everything is searched again, piece by piece.
    func reopen() throws {
        concludedAt = nil
        try check("ps_end_utt", "cannot end the utterance", ps_end_utt)
        try restart()
    }

    /// Ends the utterance.
    func end() throws {
        try give(atMost: .max)
        try check("ps_end_utt", "cannot end the utterance", ps_end_utt)
        heard = []
    }

    /// Drops the utterance.
    func drop() {
        heard = []
        // The result of a dropped utterance is irrelevant; the next one starts over.
        _ = SphinxLog.collectingErrors { ps_end_utt(pointer) }
    }

    /// False while the library is still catching up with what was heard.
    var isUpToDate: Bool { given == heard.count }

    private func restart() throws {
        given = 0
        // A stream for each utterance: frames are counted from its first sample.
        try check("ps_start_stream", "cannot begin an utterance", ps_start_stream)
        try check("ps_start_utt", "cannot begin an utterance", ps_start_utt)
    }

    private func give(atMost limit: Int) throws {
        let end = given + min(limit, heard.count - given)
        guard end > given else { return }
        let before = cepstralSum
        try check("ps_process_raw", "the recogniser did not take the sound") { pointer in
            heard.withUnsafeBufferPointer { buffer in
                ps_process_raw(pointer, buffer.baseAddress.map { $0 + given }, end - given, 0, 0)
            }
        }
        // What is decoded again was noted the first time.
        if given >= noted {
            review.note(before: before, after: cepstralSum, samples: end - given)
            noted = end
        }
        given = end
    }

    private func check(_ name: String, _ detail: String, _ call: (OpaquePointer) -> Int32) throws {
        try checkSphinx(name, detail) { call(pointer) }
    }
}

/// The mean of the cepstra. A new decoder takes over the old one's.
extension Decoder {
    var cepstralMean: [Float] {
        get {
            var mean = [Float](repeating: 0, count: Self.cepstrumSize)
            if let normaliser { cmn_live_get(normaliser, &mean) }
            return mean
        }
        set {
            if let normaliser, newValue.count == Self.cepstrumSize { cmn_live_set(normaliser, newValue) }
        }
    }

    private var cepstralSum: CepstralSum {
        guard let normaliser, let sum = normaliser.pointee.sum else { return CepstralSum(sum: [], frames: 0) }
        return CepstralSum(
            sum: (0..<Self.cepstrumSize).map { Double(sum[$0]) }, frames: Int(normaliser.pointee.nframe))
    }

    private var normaliser: UnsafeMutablePointer<cmn_t>? {
        guard let state = ps_get_feat(pointer)?.pointee.cmn_struct,
            state.pointee.veclen == Int32(Self.cepstrumSize)
        else { return nil }
        return state
    }
}

/// What was recognised.
extension Decoder {
    /// One recognised word, in frames of the utterance.
    struct Word {
        let text: String
        let firstFrame: Int
        let lastFrame: Int
        /// The posterior's natural logarithm; 0 in alternatives, for which the library has none.
        let logPosterior: Double
    }

    /// A sequence of words, its score as a natural logarithm that is comparable within one utterance.
    struct Path {
        let text: String
        let score: Double
        let words: [Word]
    }

    /// The best words so far.
    var hypothesis: String {
        var score: Int32 = 0
        guard let text = ps_get_hyp(pointer, &score) else { return "" }
        return Self.spoken(String(cString: text))
    }

    /// The words of the best path.
    var words: [Word] { Self.words(of: pointer, ps_seg_iter(pointer)) }

    /// Every word that the search considered; after `end`.
    var candidates: Set<String> {
        guard let lattice = ps_get_lattice(pointer) else { return [] }
        var words = Set<String>()
        var next = ps_latnode_iter(lattice)
        while let place = next {
            if let word = ps_latnode_baseword(lattice, ps_latnode_iter_node(place)) {
                words.insert(String(cString: word))
            }
            next = ps_latnode_iter_next(place)
        }
        return words
    }

    /// Up to `count` paths of different words, best first; after `end`.
    func best(_ count: Int) -> [Path] {
        var result: [Path] = []
        var next = ps_nbest(pointer)
        // The same words recur with other silences between them: read more paths than are wanted.
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
                result.append(
                    Path(text: text, score: naturalLog(score), words: Self.words(of: pointer, ps_nbest_seg(entry))))
            }
            next = ps_nbest_next(entry)
        }
        return result
    }

    static func words(of pointer: OpaquePointer, _ first: OpaquePointer?) -> [Word] {
        var result: [Word] = []
        var next = first
        while let segment = next {
            var start: Int32 = 0
            var end: Int32 = 0
            ps_seg_frames(segment, &start, &end)
            let posterior = logmath_log_to_ln(ps_get_logmath(pointer), ps_seg_prob(segment, nil, nil, nil))
            // “(NULL)” is an epsilon transition of a grammar.
            if let text = ps_seg_word(segment).map({ Self.spoken(String(cString: $0)) }), !text.isEmpty,
                text != "(NULL)"
            {
                result.append(
                    Word(text: text, firstFrame: Int(start), lastFrame: Int(end), logPosterior: posterior))
            }
            next = ps_seg_next(segment)
        }
        return result
    }

    private func naturalLog(_ value: Int32) -> Double { logmath_log_to_ln(ps_get_logmath(pointer), value) }

    /// The words without the library's marks: ends of the sentence, silence, noise, and the number of a variant.
    static func spoken(_ text: String) -> String {
        text.split(separator: " ").compactMap { word -> Substring? in
            guard let first = word.first, !"<[+(".contains(first) else { return nil }
            guard word.last == ")", let bracket = word.lastIndex(of: "("), bracket > word.startIndex else {
                return word
            }
            return word[..<bracket]
        }.joined(separator: " ")
    }
}

/// How the decoder is set up, where it differs from the library's own defaults.
///
/// Measured on 150 spoken drink orders of the grammar they were made with (a command is right when every slot is) and
/// on 24 commands by each of four synthetic voices, both clean and in kitchen noise of 12 dB (there every second
/// order):
/// - The library's defaults stay: the second pass (`-fwdflat no` loses four orders in a hundred, and ends an utterance
///   in 2 ms instead of 30 to 60), the removal of silence (without it, and with the mean kept from order to order, .69
///   instead of .89 are right) and of noise.
/// - Its own estimate of the cepstral mean is replaced by `CepstralReview`: .79 instead of .69 are right in noise, 60
///   instead of 38 of the 96 synthetic commands; clean it makes no difference to one voice, and the mean
///   need not be reset between two.
/// - The beams for a word's last sound are wider (1e-40 and 7e-29 are the library's): among the words of a van with
///   200 things, the right word fell out of “turn on the water pump” in one of four synthetic voices. On 200 of the van's
///   commands in four voices the word error rate stays .04, and hearing takes a sixth more time.
struct DecoderSettings: Sendable {
    /// Options of the library.
    var arguments = ["-lpbeam", "1e-50", "-lponlybeam", "1e-36"]
    /// When the cepstral mean is estimated during an utterance.
    var review = CepstralReview.Schedule()
}
