/// Stands in for a sound card's clock where the device swallows everything at once: what has been written is played at
/// the pace of its rate.
struct PlaybackClock {
    private var rate = 1
    private var end = ContinuousClock.now

    /// Takes note that `frames` at `rate` a second have been written now.
    mutating func wrote(_ frames: Int, rate: Int) {
        self.rate = max(1, rate)
        end = max(end, .now) + .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(self.rate))
    }

    /// Frames that have not been played yet.
    var pending: Int {
        let rest = end - .now
        return rest > .zero ? Int((rest.seconds * Double(rate)).rounded(.up)) : 0
    }

    /// The moment at which no more than `frames` are pending.
    func instant(pending frames: Int) -> ContinuousClock.Instant {
        end - .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate))
    }
}
