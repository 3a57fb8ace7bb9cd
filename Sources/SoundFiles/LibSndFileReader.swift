import Domain
import CSndFile
import Foundation

/// Reads WAV and FLAC files through libsndfile: 16-bit samples, any number of channels, 8 to 96 kHz, at most ten
/// minutes.
public struct LibSndFileReader: SoundFileReader {
    /// The longest recording that is read.
    public static let longest = Duration.seconds(600)

    private let convert: @Sendable (_ samples: [Int16], _ rate: Int) throws -> [Int16]

    /// A reader that hands samples of another rate than 16 kHz, with their rate, to `convert`, which returns them at
    /// 16 kHz.
    public init(convert: @escaping @Sendable (_ samples: [Int16], _ rate: Int) throws -> [Int16]) {
        self.convert = convert
    }

    /// Reads the file at `path`.
    /// - Throws: `SoundFileFailure`.
    public func read(path: String) throws -> [Int16] {
        let file = try OpenSoundFile(path: path)
        let samples = try file.readMono(limit: Self.longest)
        guard file.sampleRate != AudioFormat.sampleRate else { return samples }
        do {
            return try convert(samples, file.sampleRate)
        } catch {
            throw SoundFileFailure(
                file: path, message: "its \(file.sampleRate) Hz could not be converted to 16 kHz: \(error).")
        }
    }
}
