import Domain

/// The hashes of the encoder's files. `deploy/prepare.sh` has the same ones; a test compares them.
enum EncoderFiles {
    static let weights = "model.safetensors", vocabulary = "vocab.txt"

    static let sums = [
        (name: weights, sum: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        (name: vocabulary, sum: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    ]

    /// What the vectors depend on: the files and, in the last place, how they are computed.
    static let identity = sums.map { String($0.sum.prefix(16)) }.joined(separator: "-") + "-1"

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
