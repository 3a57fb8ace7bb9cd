import Domain
import Foundation
import IntegerMatrices

/// The sentence encoder all-MiniLM-L6-v2, computed here: six layers of a BERT, whose weights are rounded to 8 bits when
/// they are read (22 MB stay in memory). Immutable, so that any number of tasks may use it at once.
public final class MiniLM: SentenceEncoder {
    /// The sizes of the model.
    struct Shape: Sendable {
        var width = 384, wide = 1536, heads = 12, layers = 6, positions = 512, pieces = 30_522
    }

    /// The most pieces of words that are encoded: 40 words of a command fit, and take 10 ms.
    public static let limit = 48

    /// A hash of the files that its vectors depend on.
    public let identity: String
    /// Numbers in a vector.
    public var width: Int { shape.width }

    private let shape: Shape
    private let words: WordPieces
    private let pieces: IntegerMatrix
    /// What is added to each piece for its place.
    private let places: [Float]
    private let norm: LayerNorm
    private let layers: [EncoderLayer]
    private let activation = GELU()

    /// Loads the encoder from the folder where `deploy/encoder` put it, after a look at the hashes. Blocks for a
    /// second.
    /// - Throws: `EncoderError` that names what is missing or damaged.
    public convenience init(folder: String) throws {
        try EncoderFiles.check(folder)
        try self.init(
            weights: "\(folder)/\(EncoderFiles.weights)", vocabulary: "\(folder)/\(EncoderFiles.vocabulary)",
            identity: EncoderFiles.identity, Shape())
    }

    /// The first file that is missing; nil where none is.
    public static func missing(in folder: String) -> String? { EncoderFiles.missing(in: folder) }

    init(weights: String, vocabulary: String, identity: String, _ shape: Shape) throws {
        self.identity = identity
        self.shape = shape
        guard let text = try? String(contentsOfFile: vocabulary, encoding: .utf8) else {
            throw EncoderError("\(vocabulary) cannot be read")
        }
        words = try WordPieces(vocabulary: text)
        let file = try TensorFile(path: weights)
        let width = shape.width
        var pieces = IntegerMatrix(width: width)
        pieces.reserve(rows: shape.pieces)
        try file.read("embeddings.word_embeddings.weight", [shape.pieces, width]) { pieces.append($0) }
        self.pieces = pieces
        // All of a sentence are of the first type.
        var type: [Float] = []
        try file.read("embeddings.token_type_embeddings.weight", [2, width], rows: 2) { type += $0.prefix(width) }
        var places: [Float] = []
        try file.read("embeddings.position_embeddings.weight", [shape.positions, width]) {
            if places.isEmpty { places += $0.prefix(Self.limit * width) }
        }
        for place in places.indices { places[place] += type[place % width] }
        self.places = places
        norm = try LayerNorm(file, "embeddings.LayerNorm", width: width)
        layers = try (0..<shape.layers).map { try EncoderLayer(file, "encoder.layer.\($0)", shape) }
    }

    /// The direction of a sentence's meaning, of length 1; nil for one without words, and for one that is too long to be
    /// a command.
    public func encode(_ text: String) -> [Float]? {
        guard let numbers = words.pieces(of: text, limit: Self.limit), numbers.allSatisfy({ $0 < pieces.count }) else {
            return nil
        }
        let width = shape.width
        var rows = Rows(repeating: 0, count: numbers.count * width)
        rows.withUnsafeMutableBufferPointer { rows in
            guard let start = rows.baseAddress else { return }
            for (place, number) in numbers.enumerated() { pieces.read(row: Int(number), into: start + place * width) }
            for place in rows.indices { rows[place] += places[place] }
        }
        norm.apply(&rows)
        for layer in layers { rows = layer.apply(rows, width: width, activation) }
        return Self.direction(rows, width: width)
    }

    /// The mean of the rows, of length 1.
    private static func direction(_ rows: Rows, width: Int) -> [Float]? {
        var sums = [Float](repeating: 0, count: width)
        for start in stride(from: 0, to: rows.count, by: width) {
            for column in 0..<width { sums[column] += rows[start + column] }
        }
        let length = sums.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 0, length.isFinite else { return nil }
        return sums.map { $0 / length }
    }
}

/// The hashes of the encoder's files. `deploy/prepare.sh` has the same ones; a test compares them.
enum EncoderFiles {
    static let weights = "model.safetensors", vocabulary = "vocab.txt"

    static let sums = [
        (name: weights, sum: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        (name: vocabulary, sum: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    ]

    /// What the vectors depend on: the files and, in the last place, how they are computed.
    static let identity = FileSums(sums).identity + "-2"

    /// The first file that is missing; nil where none is.
    static func missing(in folder: String) -> String? { FileSums(sums).missing(in: folder) }

    /// Compares the files with their hashes.
    /// - Throws: `EncoderError` that names a file that is missing or damaged.
    static func check(_ folder: String) throws {
        if let name = missing(in: folder) { throw EncoderError("\(folder)/\(name) is missing") }
        if let damage = try FileSums(sums).damage(in: folder) {
            throw EncoderError("damaged files in \(folder): \(damage)")
        }
    }
}

/// The encoder is unavailable. The n-grams are then the only hint.
public struct EncoderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The cause, and the fix where one is known.
    public let description: String

    init(_ cause: String) { description = "\(cause). Get it with deploy/encoder" }
}
