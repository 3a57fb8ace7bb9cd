import CPocketSphinx
import Foundation

/// Hears a whole utterance as one of the grammar's sentences, or as none. Used by one actor at a time.
///
/// A small grammar is searched whole. Of a large one only what is made of the words that the trigram search came
/// across: with two thousand things the whole grammar takes 300 MB and half of the utterance's time, the part that an
/// utterance may be a fiftieth of that.
final class GrammarDecoder {
    /// A grammar of no more transitions is searched whole; a part of more is not searched at all.
    private static let wholeLimit = 6_000, partLimit = 5_000
    /// Longer utterances are no commands.
    private static let sampleLimit = 20 * 16_000
    /// How much the grammar's probabilities count against the sounds.
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
        // Without its language model the phones may come in any order. A model that cannot be searched so does without.
        hasPhones = ps_set_allphone_file(pointer, Self.phones, nil) == 0
        self.grammar = grammar
        check = SentenceCheck(grammar, polite: polite)
        isWhole = grammar.arcs.count <= Self.wholeLimit
        if isWhole, !prepare(GrammarPart(grammar) { _ in true }) {
            throw PocketSphinxError(call: "ps_set_fsg", detail: "the library refused the phrasebooks' grammar")
        }
    }

    deinit { ps_free(pointer) }

    /// The sentence of the grammar that fits `samples` best.
    /// - Parameter words: what the other search came across; a large grammar is cut down to these.
    /// - Returns: nil when no sentence fits at all.
    func read(_ samples: [Int16], words: Set<String>) -> Reading? {
        guard !samples.isEmpty, samples.count <= Self.sampleLimit else { return nil }
        if !isWhole {
            var isKept = [Bool](repeating: false, count: grammar.words.count)
            for word in words { if let number = check.numbers[word] { isKept[Int(number)] = true } }
            let part = GrammarPart(grammar) { isKept[Int($0)] }
            guard !part.arcs.isEmpty, part.arcs.count <= Self.partLimit, prepare(part) else { return nil }
        }
        // The library reports a sentence that does not fit as an error.
        return SphinxLog.collectingErrors { () -> Reading? in
            guard ps_set_search(pointer, Self.commands) == 0, let path = decode(samples) else { return nil }
            let grammar = segments
            guard hasPhones, ps_set_search(pointer, Self.phones) == 0, hear(samples) else {
                return Reading(path: path, fit: nil)
            }
            return Reading(path: path, fit: AcousticFit(grammar: grammar, phones: segments))
        }.0
    }

    /// What was read, and how well the sounds fit it; nil where the model has no search for phones.
    struct Reading {
        let path: Decoder.Path
        let fit: AcousticFit?
    }

    private func hear(_ samples: [Int16]) -> Bool {
        guard ps_start_stream(pointer) == 0, ps_start_utt(pointer) == 0 else { return false }
        // The whole utterance at once, so that its own cepstral mean is taken away.
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
            // Where a grammar goes on without a word, there is no frame.
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

    /// Hands a grammar to the library, which keeps what it needs of it.
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

/// What is left of a grammar without some of its words: the states that lie on a way from the start to the end.
struct GrammarPart {
    let stateCount: Int
    let start: Int32
    let end: Int32
    let arcs: [CompactGrammar.Arc]

    init(_ grammar: CompactGrammar, keeping isKept: (Int32) -> Bool) {
        let kept = grammar.arcs.filter { $0.word < 0 || isKept($0.word) }
        let ahead = Self.reached(from: grammar.start, kept, count: grammar.stateCount, from: \.from, to: \.to)
        let back = Self.reached(from: grammar.end, kept, count: grammar.stateCount, from: \.to, to: \.from)
        var numbers = [Int32](repeating: -1, count: grammar.stateCount), count: Int32 = 0
        for state in 0..<grammar.stateCount where ahead[state] && back[state] {
            numbers[state] = count
            count += 1
        }
        let ends = (numbers[Int(grammar.start)], numbers[Int(grammar.end)])
        guard ends.0 >= 0, ends.1 >= 0 else {
            (stateCount, start, end, arcs) = (0, 0, 0, [])
            return
        }
        stateCount = Int(count)
        (start, end) = ends
        arcs = kept.compactMap { arc in
            let from = numbers[Int(arc.from)], to = numbers[Int(arc.to)]
            return from < 0 || to < 0 ? nil : .init(from: from, to: to, word: arc.word, share: arc.share)
        }
    }

    private static func reached(
        from first: Int32, _ arcs: [CompactGrammar.Arc], count: Int, from: KeyPath<CompactGrammar.Arc, Int32>,
        to: KeyPath<CompactGrammar.Arc, Int32>
    ) -> [Bool] {
        // Arcs in a list for each state, as places in one array.
        var firsts = [Int32](repeating: 0, count: count + 1)
        for arc in arcs { firsts[Int(arc[keyPath: from]) + 1] += 1 }
        for state in 0..<count { firsts[state + 1] += firsts[state] }
        var next = firsts, targets = [Int32](repeating: 0, count: arcs.count)
        for arc in arcs {
            let state = Int(arc[keyPath: from])
            targets[Int(next[state])] = arc[keyPath: to]
            next[state] += 1
        }
        var isReached = [Bool](repeating: false, count: count), open = [first]
        isReached[Int(first)] = true
        while let state = open.popLast() {
            for place in firsts[Int(state)]..<firsts[Int(state) + 1] {
                let target = targets[Int(place)]
                guard !isReached[Int(target)] else { continue }
                isReached[Int(target)] = true
                open.append(target)
            }
        }
        return isReached
    }
}
