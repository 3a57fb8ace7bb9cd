import Foundation
import IntegerMatrices

/// Rows of numbers, one after the other.
typealias Rows = [Float]

/// A linear layer: a matrix and a bias for each output.
struct Projection: Sendable {
    private let matrix: IntegerMatrix
    private let biases: [Float]

    init(_ file: TensorFile, _ name: String, from inputs: Int, to outputs: Int) throws {
        try self.init(file, [name], from: inputs, to: outputs)
    }

    /// Several layers with the same input as one, whose outputs follow each other: the input is rounded once.
    init(_ file: TensorFile, _ names: [String], from inputs: Int, to outputs: Int) throws {
        var matrix = IntegerMatrix(width: inputs), biases: [Float] = []
        matrix.reserve(rows: outputs * names.count)
        for name in names {
            try file.read("\(name).weight", [outputs, inputs]) { matrix.append($0) }
            biases += try file.row("\(name).bias", outputs)
        }
        (self.matrix, self.biases) = (matrix, biases)
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
            guard let first = rows.baseAddress else { return }
            for start in stride(from: 0, to: rows.count, by: width) {
                let row = first + start, mean = Lanes.sum(row, width) / Float(width)
                let variance = Lanes.squares(row, from: mean, width) / Float(width)
                let factor = 1 / (variance + Self.smallest).squareRoot()
                for column in 0..<width {
                    row[column] = (row[column] - mean) * factor * weights[column] + biases[column]
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
    /// Queries, keys and values of each row, one after the other.
    private let input: Projection
    private let output: Projection
    private let norm: LayerNorm

    init(_ file: TensorFile, _ name: String, width: Int, heads: Int) throws {
        self.heads = heads
        input = try Projection(
            file, ["\(name).self.query", "\(name).self.key", "\(name).self.value"], from: width, to: width)
        output = try Projection(file, "\(name).output.dense", from: width, to: width)
        norm = try LayerNorm(file, "\(name).output.LayerNorm", width: width)
    }

    func apply(_ rows: Rows, width: Int) -> Rows {
        var result = output.apply(mixed(input.apply(rows), width))
        for place in result.indices { result[place] += rows[place] }
        norm.apply(&result)
        return result
    }

    /// - Parameter parts: queries, keys and values: three times `width` for each row.
    private func mixed(_ parts: Rows, _ width: Int) -> Rows {
        let count = parts.count / (3 * width), size = width / heads
        let scale = 1 / Float(size).squareRoot()
        var result = Rows(repeating: 0, count: count * width)
        var shares = [Float](repeating: 0, count: count)
        parts.withUnsafeBufferPointer { parts in
            result.withUnsafeMutableBufferPointer { result in
                guard let parts = parts.baseAddress, let result = result.baseAddress else { return }
                for head in 0..<heads {
                    for row in 0..<count {
                        let query = parts + row * 3 * width + head * size
                        for other in 0..<count {
                            let key = parts + (other * 3 + 1) * width + head * size
                            shares[other] = Lanes.product(query, key, size) * scale
                        }
                        let highest = shares.max() ?? 0
                        var sum: Float = 0
                        for other in 0..<count {
                            shares[other] = exp(shares[other] - highest)
                            sum += shares[other]
                        }
                        for other in 0..<count {
                            let value = parts + (other * 3 + 2) * width + head * size
                            Lanes.add(value, times: shares[other] / sum, to: result + row * width + head * size, size)
                        }
                    }
                }
            }
        }
        return result
    }
}

/// Arithmetic on eight numbers at a time: a sum of one after the other waits for each.
enum Lanes {
    private typealias Eight = SIMD8<Float>

    @inline(__always)
    private static func eight(_ numbers: UnsafePointer<Float>) -> Eight {
        UnsafeRawPointer(numbers).loadUnaligned(as: Eight.self)
    }

    static func sum(_ numbers: UnsafePointer<Float>, _ count: Int) -> Float {
        let whole = count / 8 * 8
        var lanes = Eight(), rest: Float = 0
        for place in stride(from: 0, to: whole, by: 8) { lanes += eight(numbers + place) }
        for place in whole..<count { rest += numbers[place] }
        return lanes.sum() + rest
    }

    /// The sum of squares of what the numbers are away from `middle`.
    static func squares(_ numbers: UnsafePointer<Float>, from middle: Float, _ count: Int) -> Float {
        let whole = count / 8 * 8
        var lanes = Eight(), rest: Float = 0
        for place in stride(from: 0, to: whole, by: 8) {
            let distance = eight(numbers + place) - middle
            lanes += distance * distance
        }
        for place in whole..<count { rest += (numbers[place] - middle) * (numbers[place] - middle) }
        return lanes.sum() + rest
    }

    static func product(_ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, _ count: Int) -> Float {
        let whole = count / 8 * 8
        var lanes = Eight(), rest: Float = 0
        for place in stride(from: 0, to: whole, by: 8) { lanes += eight(one + place) * eight(other + place) }
        for place in whole..<count { rest += one[place] * other[place] }
        return lanes.sum() + rest
    }

    static func add(
        _ numbers: UnsafePointer<Float>, times factor: Float, to target: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        for place in 0..<count { target[place] += factor * numbers[place] }
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
