import Domain
import SignalProcessing
import SoundFiles

/// Recordings as the appliance reads them.
enum Recordings {
    /// A WAV or FLAC file as 16 kHz mono.
    /// - Throws: `SoundFileFailure`.
    static func read(_ path: String) throws -> [Int16] {
        try LibSndFileReader { try Resampler.convert($0, from: $1, to: AudioFormat.sampleRate) }.read(path: path)
    }
}
