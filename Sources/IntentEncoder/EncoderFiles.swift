import Foundation

/// The hashes of the encoder's files: a wrong weight causes no error, only nonsense. `deploy/prepare.sh` has the same
/// ones; a test compares them.
enum EncoderFiles {
    static let weights = "model.safetensors", vocabulary = "vocab.txt"

    static let sums = [
        (weights, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        (vocabulary, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    ]

    /// What the vectors depend on: the files and, in the last place, how they are computed.
    static let identity = sums.map { String($0.1.prefix(16)) }.joined(separator: "-") + "-1"

    /// The first file that is missing; nil where none is.
    static func missing(in folder: String) -> String? {
        sums.map(\.0).first { !FileManager.default.isReadableFile(atPath: "\(folder)/\($0)") }
    }

    /// Compares the files with their hashes by coreutils' sha256sum.
    /// - Throws: `EncoderError` that names a file that is missing or damaged.
    static func check(_ folder: String) throws {
        if let name = missing(in: folder) { throw EncoderError("\(folder)/\(name) is missing") }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        process.arguments = ["--check"]
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ["LC_ALL": "C"]
        let input = Pipe(), output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(sums.map { "\($0.1)  \($0.0)\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let wrong = answer.split(separator: "\n").filter { !$0.hasSuffix(": OK") }.joined(separator: ", ")
            throw EncoderError("damaged files in \(folder): \(wrong)")
        }
    }
}

/// The encoder is unavailable. The n-grams are then the only hint.
public struct EncoderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The cause, and the fix where one is known.
    public let description: String

    init(_ cause: String) { description = "\(cause). Get it with deploy/encoder" }
}
