import CALSA

/// Ends the use of a device that neither moves nor says that it is broken, as a card does whose USB hub hangs.
struct StallGuard {
    /// No card needs so long for anything.
    static let limit = Duration.seconds(3)

    private var lastProgress = ContinuousClock.now

    /// The device has moved.
    mutating func progressed() { lastProgress = .now }

    /// - Throws: `ALSAError` when the device has not moved for too long.
    func check() throws(ALSAError) {
        guard .now - lastProgress > Self.limit else { return }
        throw ALSAError(call: "snd_pcm_wait", code: -ETIMEDOUT, words: "the device has stopped moving")
    }
}
