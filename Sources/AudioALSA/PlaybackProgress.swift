/// Turns the number of samples that the device has played into each sound's own progress.
struct PlaybackProgress {
    private struct Part {
        let index: Int
        let count: Int
    }

    private var parts: [Part] = []
    private var nextIndex = 0
    /// Samples of the parts that are over.
    private var base = 0
    private var reported = 0

    /// Adds the next sound's length; its index is the number of sounds before it.
    mutating func append(count: Int) {
        parts.append(Part(index: nextIndex, count: count))
        nextIndex += 1
    }

    /// Updates the number of samples heard in all, and reports every sound whose own number has grown.
    mutating func advance(to played: Int, report: (_ sound: Int, _ samples: Int) -> Void) {
        while let part = parts.first {
            let own = min(played - base, part.count)
            if own > reported {
                reported = own
                report(part.index, own)
            }
            guard own >= part.count else { return }
            parts.removeFirst()
            base += part.count
            reported = 0
        }
    }
}

/// Simulates a sound card's clock where the device accepts everything at once: what has been written is played at
/// the pace of its rate.
struct PlaybackClock {
    private var rate = 1
    private var end = ContinuousClock.now

    /// Notes that `frames` at `rate` per second have been written now.
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
