import Foundation

/// Tells systemd how the daemon is, by datagrams to `$NOTIFY_SOCKET` (sd_notify(3)); does nothing without one.
enum SystemdNotify {
    /// How long a start may take where the watchdog runs already.
    private static let start = Duration.seconds(600)

    /// The watchdog's limit in microseconds, as the unit has it; nil where there is none.
    private static var watchdogLimit: String? { ProcessInfo.processInfo.environment["WATCHDOG_USEC"] }

    /// Tells that it is ready, and from now on watched by the unit's limit.
    static func ready() {
        send("READY=1" + (watchdogLimit.map { "\nWATCHDOG_USEC=\($0)\nWATCHDOG=1" } ?? ""))
    }

    /// Lets the watchdog wait for a start: systemd does not know that the process begins anew, and nobody feeds the
    /// watchdog before it is ready.
    static func awaitStart() {
        guard watchdogLimit != nil else { return }
        send("WATCHDOG_USEC=\(start.components.seconds * 1_000_000)\nWATCHDOG=1")
    }

    /// Sends one line of state such as `READY=1`.
    static func send(_ state: String) {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A leading @ stands for the abstract namespace, whose names begin with a zero byte.
        let bytes = Array(path.utf8).enumerated().map { $0 == 0 && $1 == UInt8(ascii: "@") ? 0 : $1 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = sendto(descriptor, state, state.utf8.count, 0, generic, length)
            }
        }
    }
}
