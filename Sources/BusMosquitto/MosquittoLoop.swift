import Foundation
import Threads

/// The body of the bus's thread: connect, loop until the connection is lost, throw it away, pause, again.
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
            // Said once for each reason: a broker that is away for a night is one line, not a hundred thousand.
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
