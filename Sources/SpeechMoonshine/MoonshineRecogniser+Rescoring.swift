import Domain
import OnnxRuntime

/// Scores whole sentences that the search from left to right has not found.
extension MoonshineRecogniser {
    /// Scores what another recogniser heard on the last utterance: those of the texts that the vocabulary has, and its
    /// sentences that sound most like the first text.
    /// - Throws: `OnnxError`, also where the task was cancelled: the utterance cannot be used again then.
    public func rescore(_ texts: [String]) async throws -> [ConstrainedResult.Reading] {
        guard let last, var automaton, let first = texts.first else { return [] }
        self.automaton = nil
        let beginning = last.isAnswer ? automaton.answers : automaton.everything
        let sentences = texts.filter { automaton.accepts(model.tokeniser.encode(words: $0), from: beginning) }
        // Where it is clear what was said, nothing else is searched for.
        let isClear = Self.isClear(last.readings.map(\.logLikelihoodRatio).min())
        let near = isClear ? [] : automaton.nearest(to: first, answering: last.isAnswer, limit: Self.nearestCount)
        self.automaton = automaton
        var known = Set(last.readings.map(\.text))
        let fresh = (sentences + near).filter { known.insert($0).inserted }
        // The other recogniser's own texts keep their articles: its free text is a guess.
        let scored = try await scored(fresh, loosely: Set(near).subtracting(sentences))
        return readings(of: scored, completedBy: near)
    }

    /// Scores sentences on the last utterance, a few at a time, as many as a beam has places for.
    /// - Parameter loosely: those of them in which articles may be missing.
    func scored(_ sentences: [String], loosely: Set<String>) async throws -> [BeamSearch.Sentence] {
        guard let last, let vocabulary else { return [] }
        var scored: [BeamSearch.Sentence] = []
        let stop = last.stop
        for start in stride(from: 0, to: sentences.count, by: Self.batchSize) {
            let some = sentences[start..<min(start + Self.batchSize, sentences.count)].map { text in
                let words = text.split(separator: " ")
                let pattern = words.map { word -> Vocabulary.Pattern in
                    // Who leaves out an article says the same.
                    let isLoose = loosely.contains(text) && vocabulary.unstressed.contains(String(word))
                    return isLoose ? .optional(.word(String(word))) : .word(String(word))
                }
                return Vocabulary.Sentence(pattern: .sequence(pattern), weight: 1)
            }
            var automaton = try TokenAutomaton(
                Vocabulary(
                    language: vocabulary.language, sentences: some, classes: [], writing: vocabulary.writing),
                model.tokeniser)
            scored += try await withTaskCancellationHandler {
                try search.search(last.decoding, in: &automaton, from: automaton.commands, seeksFree: false).sentences
            } onCancel: {
                stop.stop()
            }
        }
        return scored
    }

    /// Readings with the articles of the vocabulary's sentences, whether these were said or not.
    private func complete(
        _ readings: [ConstrainedResult.Reading], by sentences: [String]
    ) -> [ConstrainedResult.Reading] {
        func core(_ text: String) -> [Substring] {
            text.split(separator: " ").filter { vocabulary?.unstressed.contains(String($0)) != true }
        }
        let whole = Dictionary(sentences.map { (core($0), $0) }) { first, _ in first }
        return readings.map { reading in
            guard !sentences.contains(reading.text), let text = whole[core(reading.text)] else { return reading }
            return .init(
                text: text, logLikelihoodRatio: reading.logLikelihoodRatio, score: reading.score,
                acousticScore: reading.acousticScore)
        }
    }

    /// So many sentences that sound like what was heard are scored.
    static let nearestCount = 8
    /// More sentences at once would crowd each other out of the beam.
    private static let batchSize = 5

    /// The sentences as readings, each text once, best first.
    func readings(of sentences: [BeamSearch.Sentence], completedBy weighed: [String]) -> [ConstrainedResult.Reading] {
        guard let last else { return [] }
        var said = Set<String>()
        return complete(sentences.map { reading($0, last.freeLogProbability) }, by: weighed)
            .sorted { $0.score > $1.score }.filter { said.insert($0.text).inserted }
    }

    private func reading(_ sentence: BeamSearch.Sentence, _ free: Float) -> ConstrainedResult.Reading {
        ConstrainedResult.Reading(
            text: ModelText.words(model.tokeniser.text(sentence.tokens)),
            logLikelihoodRatio: Double(free - sentence.logProbability),
            score: Double(sentence.score),
            acousticScore: Double(sentence.logProbability) / Double(sentence.tokens.count + 1), isFree: sentence.isFree)
    }
}
