import Domain
import Threads

/// Writes sounds to an open device and keeps track of what has been heard. Used by one thread.
struct PlaybackVoice {
    private let pcm: PCM
    private let settings: PlaybackSettings
    private let underruns: Underruns
    private let played: @Sendable (Int, Int) -> Void
    private var progress = PlaybackProgress()
    private var clock = PlaybackClock()
    /// What the device is set to; nil while it is not.
    private var rate: Int?
    private var written = 0

    init(
        pcm: PCM, settings: PlaybackSettings, underruns: Underruns, played: @escaping @Sendable (Int, Int) -> Void
    ) {
        self.pcm = pcm
        self.settings = settings
        self.underruns = underruns
        self.played = played
    }

    /// Writes `sound`, and returns when the device has taken all of it or the thread must stop.
    /// - Parameter started: called when the device has taken some.
    mutating func play(_ sound: Sound, on thread: PumpThread, started: () -> Void) throws(ALSAError) {
        progress.append(count: sound.samples.count)
        guard !sound.samples.isEmpty else { return try report() }
        guard try use(rate: sound.sampleRate, on: thread) else { return }
        var offset = 0
        var stall = StallGuard()
        while offset < sound.samples.count {
            if try isFull(on: thread) { return }
            do throws(ALSAError) {
                let count = try write(sound.samples, from: offset)
                if count > 0 {
                    if offset == 0 { started() }
                    offset += count
                    stall.progressed()
                } else {
                    // Short, as a request to stop is checked in between.
                    _ = try pcm.wait(milliseconds: 5)
                }
                try report()
            } catch {
                try pcm.recover(from: error)
                // Between two sounds the device runs dry because there was nothing to write.
                if offset > 0 { underruns.add() }
            }
            try stall.check()
        }
        // Too short to have reached the threshold at which the device starts by itself.
        if pcm.isPrepared { try pcm.start() }
    }

    /// Plays the rest.
    /// - Returns: false when the thread must stop.
    mutating func finish(on thread: PumpThread) throws(ALSAError) -> Bool {
        guard rate != nil else { return true }
        var stall = StallGuard()
        var remaining = Int.max
        while true {
            // A drained device no longer reports its delay.
            let isDrained = try pcm.drain()
            if isDrained && (!settings.buffering.isPaced || clock.pending == 0) { break }
            try report()
            let pending = try pending()
            if pending < remaining { stall.progressed() }
            remaining = pending
            try stall.check()
            if thread.wait(until: .now + .milliseconds(5)) { return false }
        }
        progress.advance(to: written, report: played)
        return true
    }

    /// Reports how much has been heard, if it has grown.
    mutating func report() throws(ALSAError) {
        guard rate != nil else { return progress.advance(to: 0, report: played) }
        progress.advance(to: written - (try pending()), report: played)
    }

    /// Frames written that have not been heard yet.
    private func pending() throws(ALSAError) -> Int { settings.buffering.isPaced ? clock.pending : try pcm.delay() }

    private mutating func use(rate wanted: Int, on thread: PumpThread) throws(ALSAError) -> Bool {
        guard wanted != rate else { return true }
        guard try finish(on: thread) else { return false }
        // A quarter of the buffer: early enough to be prompt, enough not to run dry at once.
        let got = try pcm.configure(
            rate: wanted, period: settings.buffering.periodSize, buffer: settings.buffering.bufferSize,
            startAt: max(settings.buffering.periodSize, settings.buffering.bufferSize / 4))
        settings.logger.debug(
            """
            \(settings.device): period of \(got.period) frames (\(settings.buffering.periodSize) requested), buffer of \
            \(got.buffer) (\(settings.buffering.bufferSize))
            """)
        rate = wanted
        return true
    }

    /// On a device without a clock, waits until at most one period is pending.
    /// - Returns: true when the thread must stop.
    private func isFull(on thread: PumpThread) throws(ALSAError) -> Bool {
        settings.buffering.isPaced
            ? thread.wait(until: clock.instant(pending: settings.buffering.periodSize)) : thread.shouldStop
    }

    private mutating func write(_ samples: [Int16], from offset: Int) throws(ALSAError) -> Int {
        let end = min(samples.count, offset + settings.buffering.periodSize)
        let result = samples.withUnsafeBufferPointer { buffer -> Result<Int, ALSAError> in
            let part = UnsafeBufferPointer(rebasing: buffer[offset..<end])
            return Result { () throws(ALSAError) in try pcm.write(part) }
        }
        let count = try result.get()
        written += count
        clock.wrote(count, rate: rate ?? 1)
        return count
    }
}
