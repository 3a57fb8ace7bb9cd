import Foundation
import Threads

/// The body of the bus's thread: connect, loop until the connection is lost, discard it, pause, reconnect.
struct MosquittoLoop {
    let bus: MosquittoBus
    let thread: PumpThread

    func run() {
        blockBrokenPipe()
        var backoff = Backoff()
        var lastReason: String?
        while !thread.shouldStop {
            let connection = MosquittoConnection(bus: bus, thread: thread)
            let reason = connection.run()
            if thread.shouldStop { break }
            let hasHeld = connection.connectedFor > .seconds(5)
            if hasHeld { backoff.reset() }
            // Logged once per reason: a broker that is away for a night is one line, not a hundred thousand.
            if connection.connectedFor > .zero || reason != lastReason {
                bus.logger.warning("no connection to the broker: \(reason)")
                bus.emit(.disconnected(reason))
                lastReason = reason
            }
            if thread.wait(until: Date(timeIntervalSinceNow: backoff.next().seconds)) { break }
        }
    }

    /// OpenSSL writes without MSG_NOSIGNAL: a broker that hangs up in that moment must not end the program.
    private func blockBrokenPipe() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

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

    /// Restarts at the shortest pause. Only after a connection that has lasted: one that is ended at once (two clients
    /// with one id) must not hammer the broker.
    mutating func reset() { step = 0 }
}
