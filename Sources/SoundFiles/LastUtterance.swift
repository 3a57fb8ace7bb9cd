import Domain
import CSndFile
import Dispatch
import Foundation

/// Keeps the last utterance as a WAV file that only its owner may read. Written in the background.
public final class LastUtterance: UtteranceRecorder {
    private let path: String
    private let onFailure: @Sendable (String) -> Void
    private let queue = DispatchQueue(label: "vanorb.last-utterance", qos: .utility)

    /// Keeps at `path`. `onFailure` gets what could not be kept, and why.
    public init(path: String, onFailure: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.onFailure = onFailure
    }

    /// Writes `samples` in place of what was there.
    public func keep(_ samples: [Int16]) {
        queue.async { [path, onFailure] in
            do { try Self.write(samples, to: path) } catch {
                onFailure("\(path): the last utterance was not kept: \(error)")
            }
        }
    }

    /// Returns once all that was to be kept has been written.
    public func finishWriting() { queue.sync {} }

    /// Removes what was kept, where the owner has turned it off.
    public static func remove(path: String) {
        for file in [path, unfinished(path)] { unlink(file) }
    }

    private static func unfinished(_ path: String) -> String { path + ".new" }

    /// Beside the file first: what is there is always whole.
    private static func write(_ samples: [Int16], to path: String) throws {
        let new = unfinished(path)
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SoundFileFailure(file: new, message: String(cString: strerror(errno))) }
        var info = SF_INFO()
        info.samplerate = Int32(AudioFormat.sampleRate)
        info.channels = 1
        info.format = Int32(SF_FORMAT_WAV) | Int32(SF_FORMAT_PCM_16)
        guard let file = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 1) else {
            close(descriptor)
            unlink(new)
            throw SoundFileFailure(file: new, message: sf_strerror(nil).map { String(cString: $0) } ?? "cannot write")
        }
        let written = sf_write_short(file, samples, sf_count_t(samples.count))
        let code = sf_close(file)
        guard Int(written) == samples.count, code == 0, rename(new, path) == 0 else {
            unlink(new)
            throw SoundFileFailure(file: new, message: "not all of it could be written; is the disk full?")
        }
    }
}
