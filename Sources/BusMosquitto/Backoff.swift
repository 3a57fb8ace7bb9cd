/// The pauses between attempts to connect: doubling from 100 ms to at most one second, each shortened at random by up
/// to half, so that several clients of a restarted broker do not come all at once.
struct Backoff {
    private var step = 0

    /// The pause before the next attempt, at most one second.
    /// - Parameter share: 0…1; how much of the random half is kept.
    mutating func next(share: Double = Double.random(in: 0...1)) -> Duration {
        let full = min(1_000.0, 100.0 * Double(1 << min(step, 4)))
        step += 1
        return .milliseconds(Int(full * (0.5 + 0.5 * min(max(share, 0), 1))))
    }

    /// Begins anew. Only for a connection that has held: one that is thrown out at once (two clients of one id) must
    /// not hammer the broker.
    mutating func reset() { step = 0 }
}
