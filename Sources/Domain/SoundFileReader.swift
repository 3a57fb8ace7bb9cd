/// Reads recordings from files.
public protocol SoundFileReader: Sendable {
    /// Reads a WAV or FLAC file of 16-bit samples, mixes its channels to one and converts it to 16 kHz.
    /// - Throws: `SoundFileFailure` that says what is wrong with the file and what is expected.
    func read(path: String) throws -> [Int16]
}

/// Why a recording cannot be used.
public struct SoundFileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file as the caller named it.
    public let file: String
    /// What is wrong and what is expected, as a sentence for the owner.
    public let message: String

    /// A failure of `file`.
    public init(file: String, message: String) {
        self.file = file
        self.message = message
    }

    /// File and message on one line.
    public var description: String { "\(file): \(message)" }
}
