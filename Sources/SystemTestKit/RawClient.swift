import Foundation

/// A client without manners: bytes on a socket, on a thread of its own, so that it never blocks Swift's pool.
package final class RawClient: @unchecked Sendable {
    // Unchecked: everything below is used on `queue` only.
    private let queue = DispatchQueue(label: "raw client")
    private let socket: Int32
    private var received: [UInt8] = []

    /// Connects to `path`; reads give up after 20 s.
    package init(_ path: String) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let number = errno
            throw NotInTime(description: "connect to \(path): errno \(number)")
        }
    }

    deinit { close(socket) }

    /// Sends all bytes, as far as the other end takes them.
    package func send(_ bytes: [UInt8]) async {
        await perform { [self] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(
                        socket, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Sends a line.
    package func send(_ line: String) async { await send(Array("\(line)\n".utf8)) }

    /// Sends no more, and goes on reading.
    package func finishSending() async {
        await perform { [self] in _ = shutdown(socket, Int32(SHUT_WR)) }
    }

    /// The next line, or nil at the end.
    package func line() async -> String? {
        await perform { [self] in
            while true {
                if let newline = received.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: received[..<newline], as: UTF8.self)
                    received.removeSubrange(...newline)
                    return line
                }
                guard readMore() else { return nil }
            }
        }
    }

    /// Reads and drops everything until the other end closes.
    /// - Returns: true when it has closed, false when the time was up.
    package func isClosedInTheEnd() async -> Bool {
        await perform { [self] in
            while readMore() { received = [] }
            return errno != EAGAIN
        }
    }

    private func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        errno = 0
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received.append(contentsOf: buffer[..<count])
        return true
    }

    private func perform<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
