import IntegerMatrices

/// The vectors of training sentences, and how near those of an intent are to another.
struct Neighbours: Sendable, Equatable {
    /// An intent is as near as its three nearest sentences, by these weights. (Measured on crowd sentences.)
    private static let weights: [Float] = [0.6, 0.25, 0.15]

    /// A row for each sentence, and the number of its intent.
    let vectors: IntegerMatrix, intents: [UInt16]
    /// Where the rows of an intent stand; one stretch each where they were stored in their order.
    private let stretches: [UInt16: [Range<Int>]]

    /// - Parameter intents: one for each row of `vectors`.
    init(_ vectors: IntegerMatrix, _ intents: [UInt16]) {
        (self.vectors, self.intents) = (vectors, intents)
        var stretches: [UInt16: [Range<Int>]] = [:]
        var start = 0
        for place in intents.indices where place + 1 == intents.count || intents[place + 1] != intents[place] {
            stretches[intents[place], default: []].append(start..<place + 1)
            start = place + 1
        }
        self.stretches = stretches
    }

    /// How near the nearest sentences of an intent are, -1…1.
    func likeness(_ vector: [Float], to intent: Int) -> Double {
        var best = Self.weights.map { _ in -Float.infinity }
        for rows in stretches[UInt16(intent)] ?? [] {
            for cosine in vectors.products(of: rows, with: vector) where cosine > best[best.count - 1] {
                var place = best.count - 1
                while place > 0, cosine > best[place - 1] {
                    best[place] = best[place - 1]
                    place -= 1
                }
                best[place] = cosine
            }
        }
        var sum: Float = 0, weight: Float = 0
        for (cosine, share) in zip(best, Self.weights) where cosine.isFinite {
            sum += cosine * share
            weight += share
        }
        return weight > 0 ? Double(sum / weight) : -1
    }
}
