import Foundation
import IntegerMatrices

/// Rows of numbers, one after the other.
typealias Rows = [Float]

/// A linear layer: a matrix and a bias for each output.
struct Projection: Sendable {
    private let matrix: IntegerMatrix
    private let biases: [Float]

    init(_ file: TensorFile, _ name: String, from inputs: Int, to outputs: Int) throws {
        var matrix = IntegerMatrix(width: inputs)
        matrix.reserve(rows: outputs)
        try file.read("\(name).weight", [outputs, inputs]) { matrix.append($0) }
        self.matrix = matrix
        biases = try file.row("\(name).bias", outputs)
    }

    func apply(_ rows: Rows) -> Rows {
        let outputs = biases.count, count = rows.count / matrix.width
        return Rows(unsafeUninitializedCapacity: count * outputs) { room, initialised in
            guard let start = room.baseAddress else { return }
            rows.withUnsafeBufferPointer { matrix.products(with: $0, into: start) }
            biases.withUnsafeBufferPointer { biases in
                for row in 0..<count { for column in 0..<outputs { start[row * outputs + column] += biases[column] } }
            }
            initialised = count * outputs
        }
    }
}

/// Gives each row the mean 0 and the variance 1, then scales and shifts its columns.
struct LayerNorm: Sendable {
    private static let smallest: Float = 1e-12
    private let weights: [Float], biases: [Float]

    init(_ file: TensorFile, _ name: String, width: Int) throws {
        weights = try file.row("\(name).weight", width)
        biases = try file.row("\(name).bias", width)
    }

    func apply(_ rows: inout Rows) {
        let width = weights.count
        rows.withUnsafeMutableBufferPointer { rows in
            for start in stride(from: 0, to: rows.count, by: width) {
                var sum: Float = 0
                for column in 0..<width { sum += rows[start + column] }
                let mean = sum / Float(width)
                var squares: Float = 0
                for column in 0..<width {
                    let distance = rows[start + column] - mean
                    squares += distance * distance
                }
                let factor = 1 / (squares / Float(width) + Self.smallest).squareRoot()
                for column in 0..<width {
                    rows[start + column] = (rows[start + column] - mean) * factor * weights[column] + biases[column]
                }
            }
        }
    }
}

/// The activation x·Φ(x), from a table between -8 and 8: the error function costs more than the products.
struct GELU: Sendable {
    private static let bound: Float = 8, steps: Float = 512
    private let table: [Float]

    init() {
        table = (0...Int(2 * Self.bound * Self.steps) + 1).map { place in
            let x = Double(place) / Double(Self.steps) - Double(Self.bound)
            return Float(x * (1 + erf(x / 2.0.squareRoot())) / 2)
        }
    }

    func apply(_ rows: inout Rows) {
        rows.withUnsafeMutableBufferPointer { rows in
            table.withUnsafeBufferPointer { table in
                for place in rows.indices {
                    let x = rows[place]
                    if x >= Self.bound { continue }
                    guard x > -Self.bound else {
                        rows[place] = 0
                        continue
                    }
                    let position = (x + Self.bound) * Self.steps
                    let below = Int(position)
                    rows[place] = table[below] + (table[below + 1] - table[below]) * (position - Float(below))
                }
            }
        }
    }
}

/// Lets each row take from all rows what it attends to, by several heads.
struct Attention: Sendable {
    private let heads: Int
    private let query: Projection, key: Projection, value: Projection, output: Projection
    private let norm: LayerNorm

    init(_ file: TensorFile, _ name: String, width: Int, heads: Int) throws {
        self.heads = heads
        func part(_ part: String) throws -> Projection {
            try Projection(file, "\(name).\(part)", from: width, to: width)
        }
        (query, key, value) = (try part("self.query"), try part("self.key"), try part("self.value"))
        output = try part("output.dense")
        norm = try LayerNorm(file, "\(name).output.LayerNorm", width: width)
    }

    func apply(_ rows: Rows, width: Int) -> Rows {
        let queries = query.apply(rows), keys = key.apply(rows), values = value.apply(rows)
        var result = output.apply(mixed(queries, keys, values, width))
        for place in result.indices { result[place] += rows[place] }
        norm.apply(&result)
        return result
    }

    private func mixed(_ queries: Rows, _ keys: Rows, _ values: Rows, _ width: Int) -> Rows {
        let count = queries.count / width, size = width / heads
        let scale = 1 / Float(size).squareRoot()
        var result = Rows(repeating: 0, count: queries.count)
        var shares = [Float](repeating: 0, count: count)
        for head in 0..<heads {
            for row in 0..<count {
                let start = row * width + head * size
                var highest = -Float.infinity
                for other in 0..<count {
                    let behind = other * width + head * size
                    var product: Float = 0
                    for place in 0..<size { product += queries[start + place] * keys[behind + place] }
                    shares[other] = product * scale
                    highest = max(highest, shares[other])
                }
                var sum: Float = 0
                for other in 0..<count {
                    shares[other] = exp(shares[other] - highest)
                    sum += shares[other]
                }
                for other in 0..<count {
                    let share = shares[other] / sum, behind = other * width + head * size
                    for place in 0..<size { result[start + place] += share * values[behind + place] }
                }
            }
        }
        return result
    }
}

/// One layer of the encoder: attention, and two projections with the activation between them.
struct EncoderLayer: Sendable {
    private let attention: Attention
    private let wide: Projection, narrow: Projection
    private let norm: LayerNorm

    init(_ file: TensorFile, _ name: String, _ shape: MiniLM.Shape) throws {
        attention = try Attention(file, "\(name).attention", width: shape.width, heads: shape.heads)
        wide = try Projection(file, "\(name).intermediate.dense", from: shape.width, to: shape.wide)
        narrow = try Projection(file, "\(name).output.dense", from: shape.wide, to: shape.width)
        norm = try LayerNorm(file, "\(name).output.LayerNorm", width: shape.width)
    }

    func apply(_ rows: Rows, width: Int, _ activation: GELU) -> Rows {
        let attended = attention.apply(rows, width: width)
        var inner = wide.apply(attended)
        activation.apply(&inner)
        var result = narrow.apply(inner)
        for place in result.indices { result[place] += attended[place] }
        norm.apply(&result)
        return result
    }
}
