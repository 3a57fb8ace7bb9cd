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
