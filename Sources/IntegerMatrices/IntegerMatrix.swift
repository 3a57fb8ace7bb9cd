import CIntegerProducts

/// Rows of numbers in 8 bits, with one scale for each row: an eighth of the memory of `Double`, and quick to multiply.
/// The rounding error is below a 250th of the row's largest number.
public struct IntegerMatrix: Sendable, Equatable {
    /// Numbers in a row.
    public let width: Int
    /// The rows, one after the other, to be multiplied by `scales`.
    public private(set) var values: [Int8]
    /// One for each row.
    public private(set) var scales: [Float]

    /// Rows.
    public var count: Int { scales.count }

    /// No rows of `width` numbers.
    public init(width: Int) {
        self.width = width
        values = []
        scales = []
    }

    /// Rows as they were stored.
    /// - Returns: nil where there are not `width` values for each scale.
    public init?(width: Int, values: [Int8], scales: [Float]) {
        guard width > 0, values.count == width * scales.count else { return nil }
        self.width = width
        self.values = values
        self.scales = scales
    }

    /// Makes room for that many rows.
    public mutating func reserve(rows: Int) {
        values.reserveCapacity(rows * width)
        scales.reserveCapacity(rows)
    }

    /// Appends the rows that follow each other in `numbers`; what does not fill a row is left out.
    public mutating func append(_ numbers: UnsafeBufferPointer<Float>) {
        for start in stride(from: 0, through: numbers.count - width, by: width) {
            let row = UnsafeBufferPointer(rebasing: numbers[start..<(start + width)])
            let scale = Self.largest(row) / 127
            scales.append(scale)
            let factor = scale > 0 ? 1 / scale : 0
            for number in row { values.append(Int8(truncatingIfNeeded: Self.rounded(number * factor))) }
        }
    }

    /// Appends the rows that follow each other in `numbers`.
    public mutating func append(_ numbers: [Float]) { numbers.withUnsafeBufferPointer { append($0) } }

    /// Puts the numbers of the row at `index` in `target`, which has room for `width`.
    public func read(row index: Int, into target: UnsafeMutablePointer<Float>) {
        let scale = scales[index]
        values.withUnsafeBufferPointer { values in
            for column in 0..<width { target[column] = Float(values[index * width + column]) * scale }
        }
    }

    /// The largest number that a sum of `width` products may be made of, without running over 32 bits.
    private var limit: Float { Float(min(Int(Int16.max), Int(Int32.max) / 128 / width)) }

    /// The scalar products of each row of `vectors` (numbers of `width`, one after the other) with each row of the
    /// matrix: `count` for each vector.
    public func products(with vectors: UnsafeBufferPointer<Float>, into target: UnsafeMutablePointer<Float>) {
        products(of: 0..<count, with: vectors, into: target)
    }

    /// The same for some rows of the matrix: `part.count` for each vector.
    private func products(
        of part: Range<Int>, with vectors: UnsafeBufferPointer<Float>, into target: UnsafeMutablePointer<Float>
    ) {
        let rows = vectors.count / width
        var sixteen = [Int16](repeating: 0, count: rows * width)
        var vectorScales = [Float](repeating: 0, count: rows)
        let limit = limit
        sixteen.withUnsafeMutableBufferPointer { sixteen in
            for row in 0..<rows {
                let vector = UnsafeBufferPointer(rebasing: vectors[(row * width)..<((row + 1) * width)])
                let scale = Self.largest(vector) / limit
                guard scale > 0, scale.isFinite else { continue }
                vectorScales[row] = scale
                let factor = 1 / scale
                for column in 0..<width {
                    sixteen[row * width + column] = Int16(truncatingIfNeeded: Self.rounded(vector[column] * factor))
                }
            }
        }
        let count = part.count
        var sums = [Int32](repeating: 0, count: rows * count)
        values.withUnsafeBufferPointer { values in
            guard let start = values.baseAddress, count > 0 else { return }
            vanorb_products(start + part.lowerBound * width, sixteen, &sums, count, width, rows)
        }
        sums.withUnsafeBufferPointer { sums in
            scales.withUnsafeBufferPointer { scales in
                for row in 0..<rows {
                    let scale = vectorScales[row]
                    for column in 0..<count {
                        target[row * count + column] =
                            Float(sums[row * count + column]) * scale * scales[part.lowerBound + column]
                    }
                }
            }
        }
    }

    /// The scalar product of each row with `vector`.
    public func products(with vector: [Float]) -> [Float] { products(of: 0..<count, with: vector) }

    /// The scalar product of each of some rows with `vector`.
    public func products(of rows: Range<Int>, with vector: [Float]) -> [Float] {
        precondition(
            vector.count == width && rows.lowerBound >= 0 && rows.upperBound <= count, "another width or count")
        return [Float](unsafeUninitializedCapacity: rows.count) { room, initialised in
            if let start = room.baseAddress {
                vector.withUnsafeBufferPointer { products(of: rows, with: $0, into: start) }
            }
            initialised = rows.count
        }
    }

    /// The nearest whole number of one between ±2^22: added to 1.5 · 2^23 it stands in the lowest bits. A conversion would
    /// be checked, and take several times as long.
    @inline(__always)
    private static func rounded(_ number: Float) -> UInt32 { (number + 12_582_912).bitPattern }

    private static func largest(_ numbers: UnsafeBufferPointer<Float>) -> Float {
        // Eight at a time: one comparison would wait for the other.
        var lanes = SIMD8<Float>(), rest: Float = 0
        let whole = numbers.count / 8 * 8, raw = UnsafeRawBufferPointer(numbers)
        for start in stride(from: 0, to: whole, by: 8) {
            let eight = raw.loadUnaligned(fromByteOffset: start * 4, as: SIMD8<Float>.self)
            lanes.replace(with: eight, where: eight .> lanes)
            lanes.replace(with: -eight, where: -eight .> lanes)
        }
        for place in whole..<numbers.count { rest = max(rest, abs(numbers[place])) }
        let largest = max(lanes.max(), rest)
        return largest.isFinite ? largest : 0
    }
}
