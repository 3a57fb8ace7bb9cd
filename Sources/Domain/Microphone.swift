/// What a microphone opening listens to.
public enum SoundSource: Sendable, Equatable {
    /// The board's microphone.
    case room
    /// A recording instead of the microphone: a file of raw 16 kHz mono S16 little-endian samples, followed by endless
    /// silence. It takes the same path as the microphone's sound, so that tests with recordings hold for speech.
    case recording(path: String)
}

/// The microphone of the board. It is open only between `open` and `close`.
public protocol Microphone: Sendable {
    /// Opens the device and starts capturing.
    /// - Throws: `DeviceFailure` when there is no such device, it is busy, or access is denied.
    func open(_ source: SoundSource) async throws -> any MicrophoneCapture
    /// Opens the board's microphone and closes it at once, to check that this works. Nothing is captured.
    /// - Throws: `DeviceFailure`.
    func probe() async throws
}

/// One opening of the microphone.
public protocol MicrophoneCapture: Sendable {
    /// The format of its blocks; 16 kHz mono unless the board's microphone is set up otherwise. Recordings are always
    /// 16 kHz mono.
    var format: SampleFormat { get }
    /// The next block in order, or nil once `close` was called.
    /// - Throws: `DeviceFailure` when the device is lost; the capture is over then.
    func next() async throws -> AudioBlock?
    /// Ends the capture. Returns at once; the device is released shortly after. May be called again.
    func close()
    /// Blocks lost because the consumer was late, and samples lost to overruns of the device.
    var losses: AudioLosses { get }
}

extension MicrophoneCapture {
    /// 16 kHz mono.
    public var format: SampleFormat { .heard }
}

/// What a capture or a playback lost and recovered from.
public struct AudioLosses: Sendable, Equatable, Codable {
    /// Blocks dropped because the consumer was late.
    public var droppedBlocks: Int
    /// Overruns (capture) or underruns (playback) of the device.
    public var xruns: Int

    /// Nothing lost, unless said otherwise.
    public init(droppedBlocks: Int = 0, xruns: Int = 0) {
        self.droppedBlocks = droppedBlocks
        self.xruns = xruns
    }
}

/// Why a device of the board cannot be used, as the owner needs to know it.
public struct DeviceFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, each with its own message.
    public enum Reason: String, Sendable, Codable {
        /// No such device, or it was unplugged.
        case missing
        /// Another program holds it.
        case busy
        /// Access was denied.
        case noPermission
        /// It was there and went away during use.
        case lost
        /// It exists and does not work as requested: unsupported format, or an unexpected error.
        case unusable
    }

    /// The device's name as the board file has it.
    public let device: String
    /// The kind of failure.
    public let reason: Reason
    /// The library's message, with call and code.
    public let detail: String

    /// A failure of `device`.
    public init(device: String, reason: Reason, detail: String) {
        self.device = device
        self.reason = reason
        self.detail = detail
    }

    /// Device, reason and detail on one line.
    public var description: String { "\(device): \(reason.rawValue) (\(detail))" }
}
