import NIOCore
import Synchronization

/// Lets the server's thread be asked whether it goes on.
final class ServerPulse: Sendable {
    private let loop = Mutex<(any EventLoop)?>(nil)

    /// The loop that is asked from now on; nil for none.
    func follow(_ next: (any EventLoop)?) { loop.withLock { $0 = next } }

    /// Returns when the loop has come to it, at once where there is none.
    func answer() async { try? await loop.withLock { $0 }?.submit {}.get() }
}
