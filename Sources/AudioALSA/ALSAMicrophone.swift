import Domain
import Logging
import Synchronization
import Threads

/// How a capture device is set up and read.
public struct CaptureSettings: Sendable, Equatable {
    /// Rate and channels of captures from the microphone.
    public var format: SampleFormat
    /// Frames after which the card wakes the thread, at least 1; 512 are 32 ms.
    public var periodSize: Int
    /// How many periods the card's buffer holds, at least 2.
    public var periods: Int
    /// True makes a source that is faster than real time, such as a file, deliver at the pace of a card: block n,
    /// counted from 0, comes (n + 1) · 32 ms after the opening, when its last sample would be heard.
    public var isPaced: Bool
    /// Blocks that wait for a late consumer before one is lost, at least 1; 512 are sixteen seconds and half a
    /// megabyte. A small board's recogniser is late at times.
    public var backlog: Int

    /// Settings; unless said otherwise those of a card with 16 kHz mono.
    public init(
        format: SampleFormat = .heard, periodSize: Int = AudioFormat.blockSize, periods: Int = 4,
        isPaced: Bool = false, backlog: Int = 512
    ) {
        self.format = format
        self.periodSize = max(1, periodSize)
        self.periods = max(2, periods)
        self.isPaced = isPaced
        self.backlog = max(1, backlog)
    }
}

/// The microphone, through ALSA.
///
/// The device is asked for the format of the audio chain's input; ALSA's `plug` converts what it does not support. A
/// recording is captured through ALSA's `file` plugin, so that it takes the same path as the microphone's sound.
public final class ALSAMicrophone: Microphone {
    private let device: String
    private let configuration: ALSAConfiguration
    private let settings: CaptureSettings
    private let logger: Logger
    private let latest = Mutex<PumpThread?>(nil)

    /// A microphone on `device`, which is not opened yet.
    /// - Parameters:
    ///   - device: the name of an ALSA device, of the system's or of `configuration`.
    ///   - settings: how it is set up and read.
    ///   - logger: gets overruns and the loss of the device.
    public init(
        device: String, configuration: ALSAConfiguration, settings: CaptureSettings = CaptureSettings(), logger: Logger
    ) {
        self.device = device
        self.configuration = configuration
        self.settings = settings
        self.logger = logger
    }

    /// Opens the device and returns once it captures. A capture of this microphone that has been closed and is about
    /// to release the device is waited for.
    /// - Throws: `DeviceFailure`.
    public func open(_ source: SoundSource) async throws -> any MicrophoneCapture {
        let pump = CapturePump(
            source: source, device: device, configuration: configuration, settings: settings, logger: logger)
        let capture = latest.withLock { latest in
            let closing = latest.flatMap { $0.shouldStop ? $0 : nil }
            let capture = ALSACapture(pump: pump, after: closing)
            latest = capture.thread
            return capture
        }
        _ = try await pump.opened.next()
        return capture
    }

    /// Opens the device and closes it at once.
    /// - Throws: `DeviceFailure`.
    public func probe() async throws { try await DeviceProbe.open(device, .capture, configuration) }
}

/// One opening of the microphone. Closes when its last reference is gone.
final class ALSACapture: MicrophoneCapture {
    let thread: PumpThread
    let pump: CapturePump

    /// Starts the pump's thread, which first waits for `closing` to end.
    init(pump: CapturePump, after closing: PumpThread?) {
        self.pump = pump
        thread = PumpThread(name: "vanorb-mic", isUrgent: true) { thread in
            closing?.join()
            pump.run(on: thread)
        }
    }

    deinit { close() }

    func next() async throws -> AudioBlock? {
        guard !thread.shouldStop else { return nil }
        return try await pump.blocks.next()
    }

    func close() {
        thread.stop()
        pump.blocks.finish()
    }

    var format: SampleFormat { pump.format }

    var losses: AudioLosses { AudioLosses(droppedBlocks: pump.blocks.dropped, xruns: pump.xruns) }
}
