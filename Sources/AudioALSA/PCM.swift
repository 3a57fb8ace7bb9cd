import CALSA

/// Owns one open PCM device, S16 with interleaved channels, and gives its calls names in Swift. Non-blocking: waiting
/// is `wait`'s.
///
/// Used by one thread, which opens and closes it.
final class PCM {
    enum Direction { case capture, playback }

    private let handle: OpaquePointer

    /// Opens `device` through ALSA's conversions.
    init(device: String, direction: Direction, configuration: ALSAConfiguration) throws(ALSAError) {
        let tree = try configuration.tree()
        let name = try tree.addPlug(over: device)
        handle = try Self.open(name, direction, tree)
    }

    /// Opens the raw file at `path` for capture.
    init(recording path: String, configuration: ALSAConfiguration) throws(ALSAError) {
        let tree = try configuration.tree()
        let name = try tree.addRecording(path: path)
        handle = try Self.open(name, .capture, tree)
    }

    deinit { snd_pcm_close(handle) }

    private static func open(
        _ name: String, _ direction: Direction, _ tree: ConfigurationTree
    ) throws(ALSAError) -> OpaquePointer {
        let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        var handle: OpaquePointer?
        try ALSACall.check("snd_pcm_open_lconf") {
            snd_pcm_open_lconf(&handle, name, stream, SND_PCM_NONBLOCK, tree.top)
        }
        guard let handle else { throw ALSAError(call: "snd_pcm_open_lconf", code: -ENODEV) }
        return handle
    }

    /// Sets S16 at `rate`, mono unless said otherwise, and as near as the device allows the period and buffer in
    /// frames. May be called again while nothing runs.
    /// - Parameter startAt: it starts by itself when so many frames are in the buffer; when it is full, in a smaller
    ///   one.
    /// - Returns: the frames that the device really has.
    @discardableResult
    func configure(
        rate: Int, channels: Int = 1, period: Int, buffer: Int, startAt: Int
    ) throws(ALSAError) -> (period: Int, buffer: Int) {
        let got = try setHardware(rate: rate, channels: channels, period: period, buffer: buffer)
        try setSoftware(startAt: min(startAt, got.buffer), period: min(got.period, got.buffer))
        return got
    }

    private func setHardware(
        rate: Int, channels: Int, period: Int, buffer: Int
    ) throws(ALSAError) -> (period: Int, buffer: Int) {
        var parameters: OpaquePointer?
        try ALSACall.check("snd_pcm_hw_params_malloc") { snd_pcm_hw_params_malloc(&parameters) }
        defer { snd_pcm_hw_params_free(parameters) }
        try ALSACall.check("snd_pcm_hw_params_any") { snd_pcm_hw_params_any(handle, parameters) }
        try ALSACall.check("snd_pcm_hw_params_set_access") {
            snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
        }
        try ALSACall.check("snd_pcm_hw_params_set_format") {
            snd_pcm_hw_params_set_format(handle, parameters, SND_PCM_FORMAT_S16_LE)
        }
        try ALSACall.check("snd_pcm_hw_params_set_channels") {
            snd_pcm_hw_params_set_channels(handle, parameters, UInt32(clamping: channels))
        }
        try ALSACall.check("snd_pcm_hw_params_set_rate") {
            snd_pcm_hw_params_set_rate(handle, parameters, UInt32(clamping: rate), 0)
        }
        var frames = snd_pcm_uframes_t(period)
        try ALSACall.check("snd_pcm_hw_params_set_period_size_near") {
            snd_pcm_hw_params_set_period_size_near(handle, parameters, &frames, nil)
        }
        frames = snd_pcm_uframes_t(buffer)
        try ALSACall.check("snd_pcm_hw_params_set_buffer_size_near") {
            snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &frames)
        }
        try ALSACall.check("snd_pcm_hw_params") { snd_pcm_hw_params(handle, parameters) }
        var gotPeriod = snd_pcm_uframes_t(period), gotBuffer = snd_pcm_uframes_t(buffer)
        try ALSACall.check("snd_pcm_get_params") { snd_pcm_get_params(handle, &gotBuffer, &gotPeriod) }
        return (Int(gotPeriod), Int(gotBuffer))
    }

    private func setSoftware(startAt: Int, period: Int) throws(ALSAError) {
        var parameters: OpaquePointer?
        try ALSACall.check("snd_pcm_sw_params_malloc") { snd_pcm_sw_params_malloc(&parameters) }
        defer { snd_pcm_sw_params_free(parameters) }
        try ALSACall.check("snd_pcm_sw_params_current") { snd_pcm_sw_params_current(handle, parameters) }
        try ALSACall.check("snd_pcm_sw_params_set_start_threshold") {
            snd_pcm_sw_params_set_start_threshold(handle, parameters, snd_pcm_uframes_t(startAt))
        }
        try ALSACall.check("snd_pcm_sw_params_set_avail_min") {
            snd_pcm_sw_params_set_avail_min(handle, parameters, snd_pcm_uframes_t(period))
        }
        try ALSACall.check("snd_pcm_sw_params") { snd_pcm_sw_params(handle, parameters) }
    }

    /// Starts the device.
    func start() throws(ALSAError) { try ALSACall.check("snd_pcm_start") { snd_pcm_start(handle) } }

    /// True while it is set up and has not been started.
    var isPrepared: Bool { snd_pcm_state(handle) == SND_PCM_STATE_PREPARED }

    /// Waits at most `milliseconds` until a period can be read or written.
    /// - Returns: false when the time passed without.
    func wait(milliseconds: Int32) throws(ALSAError) -> Bool {
        try ALSACall.check("snd_pcm_wait") { snd_pcm_wait(handle, milliseconds) } > 0
    }

    /// Reads whole frames of `channels` samples into `samples`.
    /// - Returns: the frames read; 0 when there are none yet.
    func read(into samples: UnsafeMutableBufferPointer<Int16>, channels: Int = 1) throws(ALSAError) -> Int {
        try transferred("snd_pcm_readi") {
            snd_pcm_readi(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count / max(1, channels)))
        }
    }

    /// Writes `samples`.
    /// - Returns: the frames taken; 0 when there is no room yet.
    func write(_ samples: UnsafeBufferPointer<Int16>) throws(ALSAError) -> Int {
        try transferred("snd_pcm_writei") {
            snd_pcm_writei(handle, samples.baseAddress, snd_pcm_uframes_t(samples.count))
        }
    }

    private func transferred(_ call: String, _ body: () -> snd_pcm_sframes_t) throws(ALSAError) -> Int {
        do {
            return Int(try ALSACall.check(call, body))
        } catch {
            if error.code == -EAGAIN { return 0 }
            throw error
        }
    }

    /// Frames written that have not been heard yet; 0 after an underrun.
    func delay() throws(ALSAError) -> Int {
        var frames = snd_pcm_sframes_t(0)
        do {
            try ALSACall.check("snd_pcm_delay") { snd_pcm_delay(handle, &frames) }
        } catch {
            if error.code == -EPIPE { return 0 }
            // A card that has played its last sample has stopped, and has no delay (a file always has one).
            if error.code == -EBADFD, snd_pcm_state(handle) == SND_PCM_STATE_SETUP { return 0 }
            throw error
        }
        return max(0, Int(frames))
    }

    /// Makes the device ready again after an overrun, underrun or suspension.
    /// - Throws: `error` itself when it is none of these, or what the attempt failed with.
    func recover(from error: ALSAError) throws(ALSAError) {
        guard [-EPIPE, -ESTRPIPE, -EINTR].contains(error.code) else { throw error }
        try ALSACall.check("snd_pcm_recover") { snd_pcm_recover(handle, error.code, 1) }
    }

    /// Plays what was written to its end. Returns at once.
    /// - Returns: true when all has been heard; until then call it again.
    func drain() throws(ALSAError) -> Bool {
        if snd_pcm_state(handle) == SND_PCM_STATE_SETUP { return true }
        do {
            try ALSACall.check("snd_pcm_drain") { snd_pcm_drain(handle) }
        } catch {
            switch error.code {
            case -EAGAIN: return false
            // An underrun during the drain is its end.
            case -EPIPE: return true
            default: throw error
            }
        }
        return snd_pcm_state(handle) != SND_PCM_STATE_DRAINING
    }

    /// Stops at once and drops what has not been heard.
    func drop() { snd_pcm_drop(handle) }
}

/// Detects a device that makes no progress and reports no error, as a card does whose USB hub hangs.
struct StallGuard {
    /// Longer than any card needs.
    static let limit = Duration.seconds(3)

    private var lastProgress = ContinuousClock.now

    /// The device has made progress.
    mutating func progressed() { lastProgress = .now }

    /// - Throws: `ALSAError` when the device has made no progress for too long.
    func check() throws(ALSAError) {
        guard .now - lastProgress > Self.limit else { return }
        throw ALSAError(call: "snd_pcm_wait", code: -ETIMEDOUT, words: "the device makes no progress")
    }
}
