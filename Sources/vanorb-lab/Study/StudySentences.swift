import Domain
import Language
import Setup

/// Sentences for the study: drawn from the phrasebooks' examples and templates, filled with the van's names, evenly
/// over all handlers and intents. The same seed draws the same ones.
struct StudySentences {
    /// A sentence and the text router's result: a transcript is right when it has the same result.
    struct Sentence: Encodable, Equatable, Sendable {
        let text: String
        let intent: String
        let slots: [String: String]

        var label: SpeechLabel { SpeechLabel(wanted: .command(intent: intent, slots: slots), text: text) }
    }

    /// A half of all sentences. What is tuned on one half is reported on the other.
    enum Part: String, CaseIterable, Sendable {
        case tune, report, all

        /// Decided by the sentence alone, so that it stays in its half whatever else is drawn.
        func holds(_ text: String) -> Bool {
            // The low bits of this hash follow the last letter's; the high ones mix all of it.
            self == .all || (StableHash.of(text) >> 40 & 1 == 0) == (self == .tune)
        }
    }

    /// So many sentences of one template at most.
    private static let perTemplate = 2
    /// How often a template is drawn from for each of them: some drawings are another intent's, or in the other half.
    private static let tries = 4

    let index: PhraseIndex
    let classifier: (any IntentClassifier)?
    let seed: UInt64

    /// Draws `count` sentences of a part, or as many as there are.
    func draw(_ count: Int, part: Part) -> [Sentence] {
        var random = SeededGenerator(seed: seed)
        var text = TrainingText(books: index.books, names: index.names, seed: seed)
        let router = Router(index: index, classifier: classifier)
        var taken = Set<String>()
        var queues = index.books.books.flatMap { book in
            book.intents.map { intent in candidates(intent, book, part, &text, &random) }
        }
        var result: [Sentence] = []
        // One of each intent in turn, until there are enough: no handler drowns another.
        while result.count < count, queues.contains(where: { !$0.texts.isEmpty }) {
            for place in queues.indices where result.count < count {
                while let candidate = queues[place].texts.popLast() {
                    guard !taken.contains(candidate),
                        let sentence = sentence(candidate, queues[place].intent, router)
                    else { continue }
                    taken.insert(candidate)
                    result.append(sentence)
                    break
                }
            }
        }
        return result
    }

    private func candidates(
        _ intent: PhrasebookIntent, _ book: Phrasebook, _ part: Part, _ text: inout TrainingText,
        _ random: inout SeededGenerator
    ) -> (intent: String, texts: [String]) {
        var texts = intent.examples.map { SpokenWords.of($0).joined(separator: " ") }.filter { part.holds($0) }
        for phrase in intent.phrases {
            var found = Set<String>()
            for _ in 0..<(Self.perTemplate * Self.tries) where found.count < Self.perTemplate {
                guard let words = text.drawSaid(phrase, book) else { continue }
                let drawn = words.joined(separator: " ")
                if !drawn.isEmpty, part.holds(drawn) { found.insert(drawn) }
            }
            texts += found.sorted()
        }
        return ("\(book.handler).\(intent.name)", texts.shuffled(using: &random))
    }

    private func sentence(_ text: String, _ intent: String, _ router: Router) -> Sentence? {
        let commands = router.commands(in: text).commands
        guard commands.count == 1, let command = commands.first, "\(command.handler).\(command.intent)" == intent else {
            return nil
        }
        // What is meant, where it has a name; “it” and “the awning” may be the same thing.
        let slots = command.slots.mapValues { value in
            value.names.count == 1 ? value.names.first?.name ?? value.text : value.text
        }
        return Sentence(text: text, intent: intent, slots: slots)
    }
}
