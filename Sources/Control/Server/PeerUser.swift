import Glibc
import NIOCore

/// Who is at the other end of a Unix socket, as the kernel noted when it was connected.
enum PeerUser {
    /// What Linux answers to `SO_PEERCRED`.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// The user's number; `ClientConnection.unknownUser` where the kernel does not say.
    static func of(_ channel: any Channel) -> EventLoopFuture<UInt32> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(ClientConnection.unknownUser)
        }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: SO_PEERCRED))
        return credentials.map(\.user).recover { _ in ClientConnection.unknownUser }
    }
}
