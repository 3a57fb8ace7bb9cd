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

/// Owns one open sound file that has been found to be readable as such.
final class OpenSoundFile {
    private static let expected = "Expected a WAV or FLAC file of 16-bit samples."
    private static let rates = 8_000...96_000

    let sampleRate: Int
    private let path: String
    private let handle: OpaquePointer
    private let channels: Int
    /// Frames that the header promises; nil when it does not know.
    private let promised: Int?

    /// Opens the file at `path`.
    /// - Throws: `SoundFileFailure` when it is missing, unreadable, or of another kind.
    init(path: String) throws(SoundFileFailure) {
        let size = try Self.size(of: path)
        guard size > 0 else { throw SoundFileFailure(file: path, message: "the file is empty. \(Self.expected)") }
        var info = SF_INFO()
        let opened = sf_open(path, Int32(SFM_READ), &info)
        guard let opened else {
            let words = sf_strerror(nil).map { String(cString: $0) } ?? "unknown error"
            // Reported for what only looks like MP3; that the file exists is known by now.
            let reason = words.hasPrefix("File does not exist") ? "its format is not known" : words
            throw SoundFileFailure(
                file: path, message: "not a sound file that can be read (\(Self.trimmed(reason))). \(Self.expected)")
        }
        if let complaint = Self.complaint(about: info) {
            sf_close(opened)
            throw SoundFileFailure(file: path, message: complaint)
        }
        self.path = path
        handle = opened
        sampleRate = Int(info.samplerate)
        channels = Int(info.channels)
        let isWave = Self.major(info) != Int32(SF_FORMAT_FLAC)
        promised =
            isWave
            ? WaveHeader.promisedBytes(path: path).map { $0 / (2 * Int(info.channels)) }
            : (info.frames < Int64(Int32.max) ? Int(info.frames) : nil)
    }

    deinit { sf_close(handle) }

    /// Reads all frames, each as the mean of its channels.
    /// - Throws: `SoundFileFailure` when there are more than `limit`, none, or fewer than the header promises.
    func readMono(limit: Duration) throws(SoundFileFailure) -> [Int16] {
        let most = Int(limit.seconds * Double(sampleRate))
        if let promised, promised > most { throw tooLong(limit) }
        var samples: [Int16] = []
        samples.reserveCapacity(min(promised ?? 0, most))
        var buffer = [Int16](repeating: 0, count: 4_096 * channels)
        while true {
            let frames = Int(sf_readf_short(handle, &buffer, 4_096))
            guard frames > 0 else { break }
            mix(buffer, frames: frames, into: &samples)
            if samples.count > most { throw tooLong(limit) }
        }
        let code = sf_error(handle)
        if code != 0 {
            let reason = Self.trimmed(sf_error_number(code).map { String(cString: $0) } ?? "error \(code)")
            throw failure("it is damaged after \(seconds(samples.count)) s (\(reason)). Record or copy it again.")
        }
        if let promised, samples.count < promised {
            throw failure(
                "it is cut off: its header promises \(seconds(promised)) s and \(seconds(samples.count)) s are there. "
                    + "Record or copy it again.")
        }
        guard !samples.isEmpty else { throw failure("it holds no samples.") }
        return samples
    }

    private func mix(_ buffer: [Int16], frames: Int, into samples: inout [Int16]) {
        guard channels > 1 else { return samples.append(contentsOf: buffer[..<frames]) }
        for frame in 0..<frames {
            var sum = 0
            for channel in 0..<channels { sum += Int(buffer[frame * channels + channel]) }
            samples.append(Int16(sum / channels))
        }
    }

    private func failure(_ message: String) -> SoundFileFailure { SoundFileFailure(file: path, message: message) }

    private func tooLong(_ limit: Duration) -> SoundFileFailure {
        failure("it is longer than \(Int(limit.seconds) / 60) minutes, the most that is read. Cut it shorter.")
    }

    private func seconds(_ frames: Int) -> String { String(format: "%.2f", Double(frames) / Double(sampleRate)) }

    private static func size(of path: String) throws(SoundFileFailure) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = errno == ENOENT ? "the file does not exist" : String(cString: strerror(errno))
            throw SoundFileFailure(file: path, message: "it cannot be opened: \(reason).")
        }
        // Opening a pipe would wait for a writer.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SoundFileFailure(file: path, message: "it is a folder or device, not a file. \(expected)")
        }
        return Int(status.st_size)
    }

    private static func major(_ info: SF_INFO) -> Int32 { info.format & Int32(SF_FORMAT_TYPEMASK) }

    private static func complaint(about info: SF_INFO) -> String? {
        let kinds = [SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_FLAC].map { Int32($0) }
        let subtype = info.format & Int32(SF_FORMAT_SUBMASK)
        guard kinds.contains(major(info)), subtype == Int32(SF_FORMAT_PCM_16) else {
            let names = [name(of: major(info), SFC_GET_FORMAT_INFO), name(of: subtype, SFC_GET_FORMAT_INFO)]
            return "it is \(names.joined(separator: ", ")). \(expected)"
        }
        guard rates.contains(Int(info.samplerate)) else {
            return "its sample rate is \(info.samplerate) Hz. Expected 8000 to 96000 Hz."
        }
        guard info.channels >= 1 else { return "it has no channels. \(expected)" }
        return nil
    }

    private static func name(of format: Int32, _ command: some BinaryInteger) -> String {
        var answer = SF_FORMAT_INFO()
        answer.format = format
        let code = sf_command(nil, Int32(command), &answer, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
        guard code == 0, let name = answer.name else { return "an unknown format" }
        return String(cString: name)
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
    }
}
