import Domain
import Logging
import Synchronization
import Threads

/// The microphone, through ALSA.
///
/// The device is asked for the format that the audio chain begins with; what it cannot do itself, ALSA's `plug`
/// converts. A recording is captured through ALSA's `file`
/// plugin, so that it takes the same path as the room.
public final class ALSAMicrophone: Microphone {
    private let device: String
    private let configuration: ALSAConfiguration
    private let format: SampleFormat
    private let periodSize: Int
    private let periods: Int
    private let paced: Bool
    private let backlog: Int
    private let logger: Logger
    private let latest = Mutex<PumpThread?>(nil)

    /// A microphone on `device`, which is not opened yet.
    /// - Parameters:
    ///   - device: the name of an ALSA device, of the system's or of `configuration`.
    ///   - format: rate and channels of what the room's captures deliver.
    ///   - periodSize: frames after which the card wakes the thread; 512 are 32 ms.
    ///   - periods: how many periods the card's buffer holds.
    ///   - paced: true makes a source that is faster than real time, such as a file, deliver at the room's pace: block
    ///     n, counted from 0, comes (n + 1) · 32 ms after the opening, when its last sample would be heard.
    ///   - backlog: blocks that wait for a late consumer before one is lost; 512 are sixteen seconds and half a
    ///     megabyte. A small board's recogniser is late at times, and what it has not taken yet is not to be lost.
    ///   - logger: told of overruns and of losing the device.
    public init(
        device: String, configuration: ALSAConfiguration, format: SampleFormat = .heard,
        periodSize: Int = AudioFormat.blockSize, periods: Int = 4, paced: Bool = false, backlog: Int = 512,
        logger: Logger
    ) {
        self.device = device
        self.configuration = configuration
        self.format = format
        self.periodSize = max(1, periodSize)
        self.periods = max(2, periods)
        self.paced = paced
        self.backlog = max(1, backlog)
        self.logger = logger
    }

    /// Opens the device and returns once it captures. A capture of this microphone that has been closed and is about
    /// to release the device is waited for.
    /// - Throws: `DeviceFailure`.
    public func open(_ source: SoundSource) async throws -> any MicrophoneCapture {
        let pump = CapturePump(
            source: source, device: device, configuration: configuration, format: format, periodSize: periodSize,
            bufferSize: periodSize * periods, paced: paced, backlog: backlog, logger: logger)
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

/// One opening of the microphone. Closes itself when nobody holds it any more.
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
