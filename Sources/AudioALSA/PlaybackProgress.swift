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

    /// Takes note that `played` samples have been heard in all, and reports every sound whose own number has grown.
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
