/// Why a call failed; travels over the socket as it is.
public struct ControlError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// A word for programs; the standard ones are in `Code`.
    public let code: String
    /// A sentence for people: what failed, where, and what to do.
    public let message: String

    /// A failure of `code`; handlers may use codes of their own.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    /// The codes that the socket itself uses.
    public enum Code {
        /// The line is not JSON; the connection goes on.
        public static let notJSON = "not-json"
        /// The line is JSON but no request; the connection goes on.
        public static let badRequest = "bad-request"
        /// Unknown call; the connection stays open.
        public static let unknownCall = "unknown-call"
        /// A field of the arguments is missing, of the wrong kind or out of range; the connection goes on.
        public static let badArguments = "bad-arguments"
        /// The line exceeds `ControlLimits.lineBytes`; the connection closes.
        public static let lineTooLong = "line-too-long"
        /// Too many connections, or too many calls on one of them.
        public static let busy = "busy"
        /// Nothing was asked in time; the connection closes.
        public static let idle = "idle"
        /// A watcher did not take its events in time; the connection closes.
        public static let slowWatcher = "slow-watcher"
        /// The call was cancelled by its caller or by the daemon's end.
        public static let cancelled = "cancelled"
        /// The call failed; the message says why.
        public static let failed = "failed"
        /// The two ends speak different versions of the protocol.
        public static let wrongProtocol = "wrong-protocol"
    }

    static func badArguments(_ message: String) -> ControlError {
        ControlError(code: Code.badArguments, message: message)
    }
}

/// The daemon does not answer on its socket: it is not running, not reachable, or went away during the call.
public struct DaemonUnreachable: Error, Sendable, Equatable, CustomStringConvertible {
    /// The socket's path.
    public let path: String
    /// Call and code, or the reason in words.
    public let detail: String
    /// No permission to use the socket; whether the daemon runs is unknown.
    public let isForbidden: Bool
    /// It is connected and says nothing any more: it hangs, or its board does.
    public let isSilent: Bool

    /// The daemon at `path` was not reached.
    public init(path: String, detail: String, isForbidden: Bool = false) {
        self.path = path
        self.detail = detail
        self.isForbidden = isForbidden
        isSilent = false
    }

    /// The daemon at `path` takes connections, and nothing has come from it for so long.
    init(path: String, silentFor silence: Duration) {
        self.path = path
        detail = "nothing came from it for \(max(1, silence.components.seconds)) s"
        isForbidden = false
        isSilent = true
    }

    /// What failed and what to do.
    public var description: String {
        if isSilent {
            return "The daemon runs but no longer answers on \(path) (\(detail)). What was asked may have been done or "
                + "not. Restart it: sudo systemctl restart vanorb; the cause: journalctl -u vanorb"
        }
        return isForbidden
            ? "You may not use the control socket \(path) (\(detail)). Members of the group vanorb may: "
                + "sudo adduser YOU vanorb, then log in again"
            : "The daemon does not answer on \(path) (\(detail)). Is it running? Try: systemctl status vanorb"
    }
}
