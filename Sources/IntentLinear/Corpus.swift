import Domain

/// Training sentences as features and numbered intents.
struct Corpus {
    /// A sentence's features and the number of its intent.
    struct Sentence {
        let buckets: [UInt32]
        let intent: Int
    }

    /// The buckets that occur, ascending, and their places in that order.
    struct Columns {
        let buckets: [UInt32]
        let indexOfBucket: [UInt32: Int32]
    }

    /// The intents, sorted, so that the order of the sentences does not number them.
    let intents: [String]
    /// All sentences that have words, in the order given.
    let sentences: [Sentence]
    private let features: Features

    /// - Throws: `LinearError` when there are fewer than two intents with words.
    init(_ sentences: [TrainingSentence], features: Features) throws(LinearError) {
        self.features = features
        let worded = sentences.map { ($0.intent, features.buckets(of: $0.text)) }.filter { !$0.1.isEmpty }
        intents = Set(worded.map(\.0)).sorted()
        guard intents.count >= 2 else {
            throw LinearError(
                call: "train", message: "sentences of at least two intents are expected, not \(intents.count)"
            )
        }
        let numbers = Dictionary(uniqueKeysWithValues: intents.enumerated().map { ($1, $0) })
        self.sentences = worded.map { Sentence(buckets: $0.1, intent: numbers[$0.0] ?? 0) }
    }

    private init(intents: [String], sentences: [Sentence], features: Features) {
        self.intents = intents
        self.sentences = sentences
        self.features = features
    }

    /// A sentence in the corpus's terms; nil when it has no words or an intent of its own.
    func encode(_ sentence: TrainingSentence) -> Sentence? {
        let buckets = features.buckets(of: sentence.text)
        guard !buckets.isEmpty, let intent = intents.firstIndex(of: sentence.intent) else { return nil }
        return Sentence(buckets: buckets, intent: intent)
    }

    /// The buckets that occur.
    var columns: Columns {
        let buckets = Set(sentences.flatMap(\.buckets)).sorted()
        let places = Dictionary(uniqueKeysWithValues: buckets.enumerated().map { ($1, Int32($0)) })
        return Columns(buckets: buckets, indexOfBucket: places)
    }

    /// Holds out a share of each intent's sentences, evenly spread; an intent with few keeps at least one for training.
    func split(_ share: Double) -> (kept: Corpus, heldOut: [Sentence]) {
        var seen = [Int](repeating: 0, count: intents.count)
        var kept: [Sentence] = []
        var heldOut: [Sentence] = []
        for sentence in sentences {
            let before = Int(Double(seen[sentence.intent]) * share)
            seen[sentence.intent] += 1
            let isHeldOut = Int(Double(seen[sentence.intent]) * share) > before
            if isHeldOut { heldOut.append(sentence) } else { kept.append(sentence) }
        }
        return (Corpus(intents: intents, sentences: kept, features: features), heldOut)
    }
}
