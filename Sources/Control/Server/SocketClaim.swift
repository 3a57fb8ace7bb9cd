/// Keeps daemons away from a socket, and with it from what they hold, while something is done that needs them ended.
public final class SocketClaim: Sendable {
    let file: SocketFile

    /// Claims the socket at `path` until the object ends.
    /// - Throws: `ControlServerError` when a daemon has it, or the folder cannot be written.
    public init(path: String) throws { file = try SocketFile(claiming: path) }

    /// Lets daemons start again.
    public func release() { file.release() }
}
