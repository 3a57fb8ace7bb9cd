import Domain
import Synchronization

/// Hands the button's edges to the one consumer that asked last. Edges nobody asked for are gone: a press from before
/// is not a press now.
final class EdgeOutlet: Sendable {
    private let continuation = Mutex<AsyncStream<TimedEdge>.Continuation?>(nil)

    /// The edges from now on; ends the stream of the consumer before.
    func edges() -> AsyncStream<TimedEdge> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TimedEdge.self, bufferingPolicy: .bufferingNewest(64))
        let previous = self.continuation.withLock { current in
            defer { current = continuation }
            return current
        }
        previous?.finish()
        return stream
    }

    func yield(_ edge: TimedEdge) {
        _ = continuation.withLock { $0 }?.yield(edge)
    }

    func finish() {
        let last = continuation.withLock { current in
            defer { current = nil }
            return current
        }
        last?.finish()
    }
}
