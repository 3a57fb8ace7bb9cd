import Domain
import Foundation
import Logging
import Synchronization
import Threads

/// Captures on its thread: opens the device, reads blocks, hands them over, closes the device.
final class CapturePump: Sendable {
    /// No sound card is so far ahead of the clock: such a source is a file, which waits for a late consumer.
    private static let impossibleLead = Duration.seconds(1)
    /// How long the device may be busy: another program may be probing it, as ours does.
    private static let busyLimit = Duration.milliseconds(300)

    /// Gets one element when the device has started, or the failure to.
    let opened = Handoff<Bool>(capacity: 1)
    /// The blocks captured.
    let blocks: Handoff<AudioBlock>

    private let source: SoundSource
    private let device: String
    private let configuration: ALSAConfiguration
    /// The format of the blocks.
    let format: SampleFormat
    private let settings: CaptureSettings
    private let logger: Logger
    private let xrunCount = Mutex(0)

    init(
        source: SoundSource, device: String, configuration: ALSAConfiguration, settings: CaptureSettings,
        logger: Logger
    ) {
        blocks = Handoff(capacity: settings.backlog)
        self.source = source
        self.device = device
        self.configuration = configuration
        // Recordings are 16 kHz mono, whatever the microphone has.
        format = source == .room ? settings.format : .heard
        self.settings = settings
        self.logger = logger
    }

    /// Overruns so far.
    var xruns: Int { xrunCount.withLock { $0 } }

    private var name: String {
        switch source {
        case .room: device
        case .recording(let path): path
        }
    }

    /// The thread's body.
    func run(on thread: PumpThread) {
        do {
            // In a function, so that the device is closed before the end is reported.
            try capture(on: thread)
            blocks.finish()
        } catch {
            let failure = (error as? ALSAError)?.failure(of: name, whileRunning: true) ?? error
            logger.warning("capture ended: \(failure)")
            blocks.finish(throwing: failure)
        }
        opened.finish()
    }

    private func capture(on thread: PumpThread) throws {
        let pcm: PCM
        let length: Int?
        do {
            length = try recordingLength()
            guard let opened = try openDevice(on: thread) else {
                blocks.finish()
                return
            }
            pcm = opened
            try pcm.start()
        } catch let error {
            opened.finish(throwing: (error as? ALSAError)?.failure(of: name, whileRunning: false) ?? error)
            blocks.finish()
            return
        }
        opened.offer(true)
        try deliver(from: pcm, length: length, on: thread)
    }

    /// - Returns: nil when the thread must stop.
    private func openDevice(on thread: PumpThread) throws(ALSAError) -> PCM? {
        let pcm =
            switch source {
            case .room:
                try PCM.patient(
                    device: device, direction: .capture, configuration: configuration, limit: Self.busyLimit,
                    on: thread)
            case .recording(let path): try PCM(recording: path, configuration: configuration)
            }
        let period = settings.periodSize, buffer = period * settings.periods
        if let got = try pcm?.configure(
            rate: format.rate, channels: format.channels, period: period, buffer: buffer, startAt: 1)
        {
            logger.debug(
                "\(name): period of \(got.period) frames (\(period) requested), buffer of \(got.buffer) (\(buffer))")
        }
        return pcm
    }

    /// The recording's whole samples; nil for the room.
    private func recordingLength() throws -> Int? {
        guard case .recording(let path) = source else { return nil }
        // ALSA would wait forever on a pipe and read a folder as silence.
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw ALSAError(call: "stat", code: -errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DeviceFailure(device: path, reason: .unusable, detail: "not a file; expected raw 16 kHz samples")
        }
        return Int(status.st_size) / MemoryLayout<Int16>.size
    }

    private func deliver(from pcm: PCM, length: Int?, on thread: PumpThread) throws {
        let start = ContinuousClock.now
        var canWait = settings.isPaced || length != nil
        var position = 0
        while !thread.shouldStop {
            guard var samples = try nextBlock(from: pcm, on: thread) else { return }
            if let length, position + samples.count > length {
                // Past the file's end the plugin leaves what the buffer held, and half a sample of an odd last byte.
                for index in max(0, length - position)..<samples.count { samples[index] = 0 }
            }
            let block = AudioBlock(position: position, samples: samples)
            position += samples.count / format.channels
            let due = start + format.duration(of: position)
            if settings.isPaced, thread.wait(until: due) { return }
            if !canWait, due - .now > Self.impossibleLead { canWait = true }
            if canWait {
                guard blocks.put(block) else { return }
            } else {
                blocks.offer(block)
            }
        }
    }

    /// A whole block, or nil when the thread must stop.
    private func nextBlock(from pcm: PCM, on thread: PumpThread) throws(ALSAError) -> [Int16]? {
        // Zeros, because a file plugin that has nothing to read reports success and leaves the buffer as it was.
        var samples = [Int16](repeating: 0, count: format.blockFrames * format.channels)
        var filled = 0
        var stall = StallGuard()
        while filled < samples.count {
            if thread.shouldStop { return nil }
            do throws(ALSAError) {
                let count = try read(from: pcm, into: &samples, at: filled)
                if count > 0 {
                    filled += count * format.channels
                    stall.progressed()
                } else {
                    _ = try pcm.wait(milliseconds: 50)
                }
            } catch {
                try recover(pcm, from: error)
            }
            try stall.check()
        }
        return samples
    }

    private func read(from pcm: PCM, into samples: inout [Int16], at offset: Int) throws(ALSAError) -> Int {
        let result = samples.withUnsafeMutableBufferPointer { buffer -> Result<Int, ALSAError> in
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[offset...])
            return Result { () throws(ALSAError) in try pcm.read(into: rest, channels: format.channels) }
        }
        return try result.get()
    }

    private func recover(_ pcm: PCM, from error: ALSAError) throws(ALSAError) {
        try pcm.recover(from: error)
        // After an interruption or a suspension it may go on by itself.
        if pcm.isPrepared { try pcm.start() }
        xrunCount.withLock { $0 += 1 }
        logger.debug("capture recovered from \(error)")
    }
}

extension PumpThread {
    /// Waits until `instant` of the steady clock, which no correction of the date moves, or until `stop`.
    /// - Returns: true when the thread must stop.
    func wait(until instant: ContinuousClock.Instant) -> Bool {
        let rest = (instant - .now).seconds
        return rest > 0 ? wait(until: Date(timeIntervalSinceNow: rest)) : shouldStop
    }
}
