import Foundation
import Domain
import IntegerMatrices

/// Makes the semantic hint beside a model of n-grams.
public enum SemanticTrainer {
    /// The head's `C` and `eps`. On the calibration sentences 16 and 64 did as well, and took three times as long.
    private static let cost = 4.0, tolerance = 0.01
    /// An intent of the owner's is told from this many sentences of others: all of them would take 90 MB.
    private static let others = 3000

    /// Encodes and trains. Blocks for a minute on a server: call it on a queue or thread of its own.
    /// - Parameters:
    ///   - sentences: what the model was trained on.
    ///   - calibration: on which the temperatures are fitted.
    /// - Throws: `LinearError` where there is too little to learn from.
    public static func train(
        model: IntentModel, sentences: [TrainingSentence], calibration: [TrainingSentence],
        encoder: any SentenceEncoder
    ) throws(LinearError) -> SemanticHint {
        let numbers = numbers(of: model.intents)
        let (vectors, classes) = encoded(sentences, numbers, encoder)
        let width = model.intents.count
        guard Set(classes).count > 2 else {
            throw LinearError(call: "train", message: "sentences of more intents are expected for the semantic hint")
        }
        let linear = try LinearModel(
            vectors: vectors, classes: classes.map(Int.init), cost: cost, tolerance: tolerance)
        // An intent without a vector has no row of its own, and is never the likeliest.
        var rows = [[Float]](repeating: [Float](repeating: 0, count: vectors.width), count: width)
        var biases = [Double](repeating: impossible, count: width)
        for (column, intent) in linear.classes.enumerated() {
            rows[intent] = linear.row(column: column)
            biases[intent] = linear.bias(column: column)
        }
        var head = IntegerMatrix(width: vectors.width)
        for row in rows { head.append(row) }
        let plain = SemanticHint(
            encoder: encoder.identity, partner: model.signature, labels: model.intents, head: head, biases: biases,
            headTemperature: 1, neighbours: Neighbours(vectors, classes), temperature: 1, caution: 0)
        return calibrated(plain, model, calibration, encoder)
    }

    /// The hint of a release for a model that has the owner's own intents as well: only their sentences are encoded,
    /// and only they get new rows of the head, each told from the others.
    /// - Throws: `LinearError` where liblinear fails.
    public static func extend(
        _ shipped: SemanticHint, to model: IntentModel, sentences: [TrainingSentence], encoder: any SentenceEncoder
    ) throws(LinearError) -> SemanticHint {
        let known = Set(shipped.labels), numbers = numbers(of: model.intents)
        let own = sentences.filter { !known.contains($0.intent) }
        let (vectors, ownClasses) = encoded(own, numbers, encoder)
        let addedRows = try rows(of: vectors, ownClasses, among: shipped.neighbours.vectors)
        var head = IntegerMatrix(width: shipped.head.width)
        var biases: [Double] = []
        var row = [Float](repeating: 0, count: head.width)
        let shippedNumbers = self.numbers(of: shipped.labels)
        for (number, label) in model.intents.enumerated() {
            if let known = shippedNumbers[label] {
                shipped.head.read(row: Int(known), into: &row)
                head.append(row)
                biases.append(shipped.biases[Int(known)])
            } else {
                let added = addedRows[number]
                head.append(added?.row ?? [Float](repeating: 0, count: head.width))
                biases.append(added?.bias ?? impossible)
            }
        }
        var all = IntegerMatrix(width: head.width)
        var classes: [UInt16] = []
        all.reserve(rows: shipped.neighbours.vectors.count + vectors.count)
        for (place, intent) in shipped.neighbours.intents.enumerated() {
            // An intent that the owner's phrasebooks have taken away.
            guard let number = numbers[shipped.labels[Int(intent)]] else { continue }
            shipped.neighbours.vectors.read(row: place, into: &row)
            all.append(row)
            classes.append(number)
        }
        for place in 0..<vectors.count {
            vectors.read(row: place, into: &row)
            all.append(row)
        }
        classes += ownClasses
        return SemanticHint(
            encoder: shipped.encoder, partner: model.signature, labels: model.intents, head: head, biases: biases,
            headTemperature: shipped.headTemperature, neighbours: Neighbours(all, classes),
            temperature: shipped.temperature, caution: shipped.caution)
    }

    /// The decision value of what has nothing to be recognised by.
    private static let impossible = -30.0

    /// A row of the head for each of the owner's intents.
    private static func rows(
        of vectors: IntegerMatrix, _ classes: [UInt16], among others: IntegerMatrix
    ) throws(LinearError) -> [Int: (row: [Float], bias: Double)] {
        guard vectors.count > 0, others.count > 0 else { return [:] }
        var sample = vectors
        var row = [Float](repeating: 0, count: vectors.width)
        let step = max(1, others.count / Self.others)
        for place in stride(from: 0, to: others.count, by: step) {
            others.read(row: place, into: &row)
            sample.append(row)
        }
        let rest = Int(UInt16.max)
        let targets = classes.map(Int.init) + [Int](repeating: rest, count: sample.count - vectors.count)
        let linear = try LinearModel(vectors: sample, classes: targets, cost: cost, tolerance: tolerance)
        // Where others are left out, an intent looks likelier by as much.
        let correction = log(Double(step))
        var result: [Int: (row: [Float], bias: Double)] = [:]
        for (column, intent) in linear.classes.enumerated() where intent != rest {
            result[intent] = (linear.row(column: column), linear.bias(column: column) - correction)
        }
        return result
    }

    private static func calibrated(
        _ hint: SemanticHint, _ model: IntentModel, _ calibration: [TrainingSentence], _ encoder: any SentenceEncoder
    ) -> SemanticHint {
        let numbers = numbers(of: model.intents)
        let samples = calibration.compactMap { sentence -> (vector: [Float], ngrams: [Double], right: Int)? in
            guard let right = numbers[sentence.intent], let ngrams = model.probabilities(sentence.text),
                let vector = encoder.encode(sentence.text)
            else { return nil }
            return (vector, ngrams, Int(right))
        }
        var result = hint
        result.headTemperature = Calibration.temperature(
            fitting: samples.map { (hint.decisions($0.vector), $0.right) })
        let scored = samples.map { (scores: result.scores($0.vector, $0.ngrams), right: $0.right) }
        guard !scored.isEmpty else { return result }
        func cautious(_ caution: Double) -> [(scores: [Double], right: Int)] {
            scored.map { (result.scores($0.scores, caution: caution), $0.right) }
        }
        // Never less careful than the three are.
        let caution = Calibration.lowest(between: 0, and: 10, within: 0.1) {
            let samples = cautious($0)
            return Calibration.loss(samples, temperature: Calibration.temperature(fittingScores: samples))
        }
        result.temperature = Calibration.temperature(fittingScores: cautious(caution))
        result.caution = caution
        return result
    }

    private static func numbers(of labels: [String]) -> [String: UInt16] {
        Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, UInt16($0)) })
    }

    private static func encoded(
        _ sentences: [TrainingSentence], _ numbers: [String: UInt16], _ encoder: any SentenceEncoder
    ) -> (IntegerMatrix, [UInt16]) {
        var vectors = IntegerMatrix(width: encoder.width)
        var classes: [UInt16] = []
        vectors.reserve(rows: sentences.count)
        // Those of an intent side by side, so that they can be compared without the others.
        let sorted = sentences.filter { numbers[$0.intent] != nil }.enumerated()
            .sorted { (numbers[$0.element.intent] ?? 0, $0.offset) < (numbers[$1.element.intent] ?? 0, $1.offset) }
        for (_, sentence) in sorted {
            guard let number = numbers[sentence.intent], let vector = encoder.encode(sentence.text) else { continue }
            vectors.append(vector)
            classes.append(number)
        }
        return (vectors, classes)
    }
}

extension LinearModel {
    /// All weights of the class at `column`.
    fileprivate func row(column: Int) -> [Float] {
        (0..<featureCount).map { Float(weight(feature: $0, column: column)) }
    }
}
