import Foundation

/// Reports the daemon's state to systemd, by datagrams to `$NOTIFY_SOCKET` (sd_notify(3)); does nothing without one.
enum SystemdNotify {
    private static var socketPath: String? {
        ProcessInfo.processInfo.environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True where systemd supervises this process.
    static var isService: Bool { socketPath != nil }

    /// Sends lines of state such as `READY=1`.
    static func send(_ state: String) {
        guard let path = socketPath else { return }
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
