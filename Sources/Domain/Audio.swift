/// The one audio format inside the appliance: 16 kHz, mono, signed 16-bit. What a microphone has otherwise, the audio
/// chain converts at the door.
public enum AudioFormat {
    /// Samples a second.
    public static let sampleRate = 16_000
    /// Samples in a block, the unit in which the microphone delivers.
    public static let blockSize = 512

    /// The number of samples in `duration`, rounded down.
    public static func samples(in duration: Duration) -> Int {
        Int(duration.seconds * Double(sampleRate))
    }

    /// How long `samples` last.
    public static func duration(of samples: Int) -> Duration {
        .nanoseconds(Int64(samples) * 1_000_000_000 / Int64(sampleRate))
    }
}

/// A run of samples as the microphone delivered it.
public struct AudioBlock: Sendable, Equatable {
    /// The first sample's place in frames, counted from the moment the microphone opened. Time is counted in samples,
    /// so that a recording fed faster than real time behaves like the microphone's sound.
    public let position: Int
    /// Samples in the capture's format, usually 32 ms of them, fewer at the end; at 16 kHz mono
    /// `AudioFormat.blockSize`.
    public let samples: [Int16]

    /// A block whose first sample is at `position`.
    public init(position: Int, samples: [Int16]) {
        self.position = position
        self.samples = samples
    }
}

/// A finished piece of sound, mono.
public struct Sound: Sendable, Equatable {
    /// Signed 16-bit samples.
    public let samples: [Int16]
    /// Samples a second.
    public let sampleRate: Int

    /// A sound of `samples` at `sampleRate` samples a second.
    public init(samples: [Int16], sampleRate: Int) {
        self.samples = samples
        self.sampleRate = sampleRate
    }

    /// How long it sounds.
    public var duration: Duration { .seconds(Double(samples.count) / Double(max(1, sampleRate))) }
}

extension Duration {
    /// The duration in seconds.
    public var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// The duration in milliseconds.
    public var milliseconds: Double { seconds * 1_000 }
}

/// How samples come: how many a second, and of how many channels, interleaved.
public struct SampleFormat: Sendable, Hashable, CustomStringConvertible {
    /// Frames a second; a frame is one sample of each channel.
    public let rate: Int
    /// Channels, 1 or more.
    public let channels: Int

    /// A format of `rate` frames a second and `channels` channels.
    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }

    /// The appliance's own: 16 kHz, mono.
    public static let heard = SampleFormat(rate: AudioFormat.sampleRate, channels: 1)

    /// Frames in one block of a capture: as long as `AudioFormat.blockSize` samples at 16 kHz.
    public var blockFrames: Int { max(1, AudioFormat.blockSize * rate / AudioFormat.sampleRate) }

    /// How long `frames` last.
    public func duration(of frames: Int) -> Duration {
        .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(max(1, rate)))
    }

    /// `48000 Hz with 2 channels`, `16000 Hz mono`.
    public var description: String { "\(rate) Hz \(channels == 1 ? "mono" : "with \(channels) channels")" }
}

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
