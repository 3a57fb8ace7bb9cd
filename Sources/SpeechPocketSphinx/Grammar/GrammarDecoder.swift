import CPocketSphinx
import Foundation

/// Recognises a whole utterance as one of the grammar's sentences, or rejects it. Used by one actor at a time.
///
/// A small grammar is searched whole. Of a large one only the part with the words of the trigram search: with two
/// thousand things the whole grammar takes 300 MB and half of the utterance's time, the part for an utterance a
/// fiftieth of that.
final class GrammarDecoder {
    /// A grammar of no more transitions is searched whole; a part of more is not searched at all.
    private static let wholeLimit = 6_000, partLimit = 5_000
    /// Longer utterances are not commands.
    private static let sampleLimit = 20 * 16_000
    /// The weight of the grammar's probabilities against the acoustic scores.
    private static let languageWeight: Float = 3

    private let pointer: OpaquePointer
    private let grammar: CompactGrammar
    private let isWhole: Bool
    private let hasPhones: Bool
    private static let phones = "phones", commands = "grammar"
    /// What kind of sentence words are.
    let check: SentenceCheck

    /// Loads the acoustic model and the dictionary, and a small grammar.
    /// - Parameter polite: what may be said before and after a command.
    /// - Throws: `PocketSphinxError` with what the library logged.
    init(model: SphinxModel, dictionary: String, grammar: CompactGrammar, polite: [[String]]) throws {
        pointer = try Decoder.load([
            "-hmm", model.acoustic, "-dict", dictionary, "-fsgusealtpron", "yes", "-allphone_ci", "yes",
        ])
        // Without a language model phones may come in any order. A model without a phone loop does without this check.
        hasPhones = ps_set_allphone_file(pointer, Self.phones, nil) == 0
        self.grammar = grammar
        check = SentenceCheck(grammar, polite: polite)
        isWhole = grammar.arcs.count <= Self.wholeLimit
        if isWhole, !prepare(GrammarPart(grammar) { _ in true }) {
            throw PocketSphinxError(call: "ps_set_fsg", detail: "the library refused the phrasebooks' grammar")
        }
    }

    deinit { ps_free(pointer) }

    /// The result of a search.
    enum Outcome {
        /// The sentence that fits best, and how well the sounds fit it; nil where that was not computed.
        case sentence(Decoder.Path, AcousticFit?)
        /// None of the grammar's sentences fits.
        case none
        /// There was too much to search.
        case unsearched
    }

    /// The sentence of the grammar that fits `samples` best.
    /// - Parameter words: the candidates of the other search; a large grammar is restricted to these.
    func read(_ samples: [Int16], words: Set<String>) -> Outcome {
        guard !samples.isEmpty else { return .none }
        guard samples.count <= Self.sampleLimit else { return .unsearched }
        if !isWhole {
            var isKept = [Bool](repeating: false, count: grammar.words.count)
            for word in words { if let number = check.numbers[word] { isKept[Int(number)] = true } }
            let part = GrammarPart(grammar) { isKept[Int($0)] }
            guard !part.arcs.isEmpty else { return .none }
            guard part.arcs.count <= Self.partLimit, prepare(part) else { return .unsearched }
        }
        // The library reports a sentence that does not fit as an error.
        return SphinxLog.collectingErrors { () -> Outcome in
            guard ps_set_search(pointer, Self.commands) == 0, let path = decode(samples) else { return .none }
            let grammar = segments
            guard hasPhones, path.words.count <= AcousticFit.mostWords, ps_set_search(pointer, Self.phones) == 0,
                hear(samples)
            else { return .sentence(path, nil) }
            return .sentence(path, AcousticFit(grammar: grammar, phones: segments))
        }.0
    }

    private func hear(_ samples: [Int16]) -> Bool {
        guard ps_start_stream(pointer) == 0, ps_start_utt(pointer) == 0 else { return false }
        // The whole utterance at once, so that its own cepstral mean is subtracted.
        let taken = samples.withUnsafeBufferPointer { buffer in
            ps_process_raw(pointer, buffer.baseAddress, buffer.count, 0, 1)
        }
        return ps_end_utt(pointer) == 0 && taken >= 0
    }

    private var segments: [AcousticFit.Segment] {
        var found: [AcousticFit.Segment] = [], next = ps_seg_iter(pointer)
        while let segment = next {
            var first: Int32 = 0, last: Int32 = 0, sound: Int32 = 0
            ps_seg_frames(segment, &first, &last)
            _ = ps_seg_prob(segment, &sound, nil, nil)
            let word = ps_seg_word(segment).map { String(cString: $0) } ?? ""
            // An epsilon transition of the grammar has no frame.
            if last > first {
                found.append(
                    AcousticFit.Segment(
                        frames: Int(first)..<Int(last) + 1, score: Double(sound),
                        isWord: !Decoder.spoken(word).isEmpty))
            }
            next = ps_seg_next(segment)
        }
        return found
    }

    private func decode(_ samples: [Int16]) -> Decoder.Path? {
        guard hear(samples) else { return nil }
        var score: Int32 = 0
        guard let text = ps_get_hyp(pointer, &score).map({ Decoder.spoken(String(cString: $0)) }), !text.isEmpty else {
            return nil
        }
        return Decoder.Path(
            text: text, score: logmath_log_to_ln(ps_get_logmath(pointer), score),
            words: Decoder.words(of: pointer, ps_seg_iter(pointer)))
    }

    /// Passes a grammar to the library, which copies what it needs.
    private func prepare(_ part: GrammarPart) -> Bool {
        guard let logarithm = ps_get_logmath(pointer),
            let model = fsg_model_init("vanorb", logarithm, Self.languageWeight, Int32(part.stateCount))
        else { return false }
        defer { fsg_model_free(model) }
        model.pointee.start_state = part.start
        model.pointee.final_state = part.end
        var known: [Int32: Int32] = [:]
        for arc in part.arcs {
            let share = Int32(Float(logmath_log(logarithm, Double(arc.share))) * Self.languageWeight)
            if arc.word < 0 {
                if arc.from != arc.to { fsg_model_null_trans_add(model, arc.from, arc.to, share) }
                continue
            }
            let number = known[arc.word] ?? fsg_model_word_add(model, grammar.words[Int(arc.word)])
            known[arc.word] = number
            fsg_model_trans_add(model, arc.from, arc.to, share, number)
        }
        if let closed = fsg_model_null_trans_closure(model, nil) { glist_free(closed) }
        return ps_set_fsg(pointer, Self.commands, model) == 0
    }
}
