/// The trained weights: for each bucket that occurred in training one weight for each intent, in 16 bits, with one
/// scale for each intent. The rounding error is below a 65 000th of the intent's largest weight.
struct Weights: Sendable, Equatable {
    /// The intents, in the order of the weights.
    var labels: [String]
    /// The buckets that have weights, ascending.
    var buckets: [UInt32]
    /// `buckets.count` rows of `labels.count` weights, to be multiplied by `scales`.
    var rows: [Int16]
    /// One for each intent.
    var scales: [Double]
    /// One for each intent.
    var biases: [Double]

    /// Rounds weights in rows of `labels.count` to 16 bits; rows of zeros are left out.
    init(labels: [String], buckets: [UInt32], exact: [Double], biases: [Double]) {
        let width = labels.count
        var scales = [Double](repeating: 0, count: width)
        for (index, weight) in exact.enumerated() { scales[index % width] = max(scales[index % width], abs(weight)) }
        scales = scales.map { $0 / Double(Int16.max) }
        self.labels = labels
        self.scales = scales
        self.biases = biases
        self.buckets = []
        rows = []
        rows.reserveCapacity(exact.count)
        for (index, bucket) in buckets.enumerated() {
            let row = (0..<width).map { column -> Int16 in
                let scale = scales[column]
                return scale == 0 ? 0 : Int16((exact[index * width + column] / scale).rounded())
            }
            guard row.contains(where: { $0 != 0 }) else { continue }
            self.buckets.append(bucket)
            rows += row
        }
    }

    /// Weights as they were stored.
    init(labels: [String], buckets: [UInt32], rows: [Int16], scales: [Double], biases: [Double]) {
        self.labels = labels
        self.buckets = buckets
        self.rows = rows
        self.scales = scales
        self.biases = biases
    }

    /// The weight of the row at `index` for the intent at `column`.
    func weight(_ index: Int, _ column: Int) -> Double {
        Double(rows[index * labels.count + column]) * scales[column]
    }
}
