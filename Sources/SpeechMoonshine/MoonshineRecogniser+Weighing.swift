import Domain

/// Sentences that were not found from left to right, compared with the sound as a whole.
extension MoonshineRecogniser {
    /// How well what another recogniser heard fits the utterance that was heard last: those of the texts that the
    /// vocabulary has, and what it has that sounds most like the first.
    /// - Throws: `MoonshineError`, also where the task was cancelled: the utterance cannot be weighed by again then.
    public func weigh(_ texts: [String]) async throws -> [ConstrainedResult.Reading] {
        guard let last, var automaton, let first = texts.first else { return [] }
        self.automaton = nil
        let beginning = last.isAnswer ? automaton.answers : automaton.everything
        let sentences = texts.filter { automaton.accepts(model.tokeniser.encode(words: $0), from: beginning) }
        // Where it is clear what was said, nothing else is looked for.
        let isClear = Self.isClear(last.readings.map(\.logLikelihoodRatio).min())
        let near = isClear ? [] : automaton.nearest(to: first, answering: last.isAnswer, most: Self.nearest)
        self.automaton = automaton
        var known = Set(last.readings.map(\.text))
        let fresh = (sentences + near).filter { known.insert($0).inserted }
        // The other's own words stand as they are: its free text is a guess, article and all.
        return readings(of: try await fitting(fresh, loosely: Set(near).subtracting(sentences)), near)
    }

    /// How well each of some sentences fits the utterance that was heard last, some at a time: all that compete for the
    /// places of a search.
    /// - Parameter loosely: those of them in which articles may be left out.
    func fitting(_ sentences: [String], loosely: Set<String>) async throws -> [BeamSearch.Sentence] {
        guard let last, let vocabulary else { return [] }
        var weighed: [BeamSearch.Sentence] = []
        let stop = last.stop
        for start in stride(from: 0, to: sentences.count, by: Self.together) {
            let some = sentences[start..<min(start + Self.together, sentences.count)].map { text in
                let words = text.split(separator: " ")
                let pattern = words.map(loosely.contains(text) ? Self.pattern : { .word(String($0)) })
                return Vocabulary.Sentence(pattern: .sequence(pattern), weight: 1)
            }
            var automaton = try TokenAutomaton(
                Vocabulary(
                    language: vocabulary.language, sentences: some, classes: [], writing: vocabulary.writing),
                model.tokeniser)
            weighed += try await withTaskCancellationHandler {
                try search.search(last.decoding, in: &automaton, from: automaton.commands, seeksFree: false).sentences
            } onCancel: {
                stop.stop()
            }
        }
        return weighed
    }

    private static let articles: Set<Substring> = ["the", "a", "an"]

    /// Who leaves out an article says the same.
    private static func pattern(_ word: Substring) -> Vocabulary.Pattern {
        articles.contains(word) ? .optional(.word(String(word))) : .word(String(word))
    }

    /// Readings with the articles of the vocabulary's sentences, whether these were said or not.
    private static func complete(
        _ readings: [ConstrainedResult.Reading], by sentences: [String]
    ) -> [ConstrainedResult.Reading] {
        func core(_ text: String) -> [Substring] { text.split(separator: " ").filter { !articles.contains($0) } }
        let whole = Dictionary(sentences.map { (core($0), $0) }) { first, _ in first }
        return readings.map { reading in
            guard !sentences.contains(reading.text), let text = whole[core(reading.text)] else { return reading }
            return .init(
                text: text, logLikelihoodRatio: reading.logLikelihoodRatio, score: reading.score,
                acousticScore: reading.acousticScore)
        }
    }

    /// So many sentences that sound like what was heard are looked at.
    static let nearest = 8
    /// More sentences at once would crowd each other out.
    private static let together = 5

    /// Different ones, best first.
    func readings(of sentences: [BeamSearch.Sentence], _ weighed: [String]) -> [ConstrainedResult.Reading] {
        guard let last else { return [] }
        var said = Set<String>()
        return Self.complete(sentences.map { reading($0, last.freeLogProbability) }, by: weighed)
            .sorted { $0.score > $1.score }.filter { said.insert($0.text).inserted }
    }

    private func reading(_ sentence: BeamSearch.Sentence, _ free: Float) -> ConstrainedResult.Reading {
        ConstrainedResult.Reading(
            text: Written.words(model.tokeniser.text(sentence.tokens)),
            logLikelihoodRatio: Double(free - sentence.logProbability),
            score: Double(sentence.score),
            acousticScore: Double(sentence.logProbability) / Double(sentence.tokens.count + 1), isFree: sentence.isFree)
    }
}
