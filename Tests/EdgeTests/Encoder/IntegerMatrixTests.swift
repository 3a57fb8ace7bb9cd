import IntegerMatrices
import Testing

/// Products in 8 bits are those of the numbers, but for the rounding, whatever the sizes.
@Suite struct IntegerMatrixTests {
    private static func numbers(_ count: Int, _ seed: Int) -> [Float] {
        (0..<count).map { Float(($0 &* 7919 &+ seed &* 104_729) % 2001 - 1000) / 1000 }
    }

    // Widths with and without the quick way, and rows and outputs that do not fill a step of it.
    @Test(arguments: [(16, 1, 1), (384, 2, 3), (32, 5, 4), (48, 17, 7), (20, 3, 2), (1536, 33, 9)])
    func products_areThoseOfTheNumbers(width: Int, outputs: Int, rows: Int) {
        let weights = Self.numbers(width * outputs, 1), vectors = Self.numbers(width * rows, 2)
        var matrix = IntegerMatrix(width: width)
        matrix.append(weights)
        #expect(matrix.count == outputs)
        for row in 0..<rows {
            let vector = Array(vectors[(row * width)..<((row + 1) * width)])
            let products = matrix.products(with: vector)
            for output in 0..<outputs {
                let exact = (0..<width).reduce(Float(0)) { $0 + weights[output * width + $1] * vector[$1] }
                // Each weight is off by at most a 254th of the largest.
                #expect(abs(products[output] - exact) < 0.004 * Float(width), "\(row) \(output)")
            }
        }
    }

    @Test func manyVectorsAtOnce_giveTheSameAsOneByOne() {
        let width = 64, outputs = 19, rows = 11
        var matrix = IntegerMatrix(width: width)
        matrix.append(Self.numbers(width * outputs, 3))
        let vectors = Self.numbers(width * rows, 4)
        var together = [Float](repeating: 0, count: rows * outputs)
        vectors.withUnsafeBufferPointer { matrix.products(with: $0, into: &together) }
        let single = (0..<rows).flatMap { matrix.products(with: Array(vectors[($0 * width)..<(($0 + 1) * width)])) }
        #expect(together == single)
    }

    @Test func theLargestNumbers_doNotRunOver() {
        let width = 1536
        var matrix = IntegerMatrix(width: width)
        matrix.append([Float](repeating: -3, count: width))
        let product = matrix.products(with: [Float](repeating: 5, count: width))[0]
        #expect(abs(product + 15 * Float(width)) < 10)
    }

    @Test func aRowOfZeros_andOneThatIsNoNumber_giveZero() {
        var matrix = IntegerMatrix(width: 16)
        matrix.append([Float](repeating: 0, count: 16))
        #expect(matrix.products(with: [Float](repeating: 1, count: 16)) == [0])
        matrix.append([Float](repeating: 1, count: 16))
        #expect(matrix.products(with: [Float](repeating: .infinity, count: 16)) == [0, 0])
    }

    @Test func valuesThatDoNotFillTheRows_areRefused() {
        #expect(IntegerMatrix(width: 4, values: [1, 2, 3], scales: [1]) == nil)
        #expect(IntegerMatrix(width: 0, values: [], scales: []) == nil)
    }
}
