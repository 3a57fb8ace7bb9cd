import Foundation
import Glibc

/// A minimal client of MQTT 3.1.1 at QoS 0: fast enough to flood, and independent of VanOrb's library.
/// Source: the standard's sections 3.1 (CONNECT) and 3.3 (PUBLISH).
final class WireClient {
    private let descriptor: Int32

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Connects, and returns once the broker has accepted.
    init(port: Int, clientID: String) throws {
        descriptor = try Self.connected(port)
        var body: [UInt8] = [0, 4] + Array("MQTT".utf8)
        // Level 4; a clean session; no keep-alive.
        body += [4, 2, 0, 0] + Self.text(clientID)
        try write([0x10] + Self.length(body.count) + body)
        var answer = [UInt8](repeating: 0, count: 4)
        guard recv(descriptor, &answer, 4, Int32(MSG_WAITALL)) == 4, answer[0] == 0x20, answer[3] == 0 else {
            throw Failure(description: "the broker on port \(port) refuses the client")
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Sends messages with one call to the system.
    func publish(_ messages: [(topic: String, payload: String)], retained isRetained: Bool = false) throws {
        var bytes: [UInt8] = []
        for (topic, payload) in messages {
            let body = Self.text(topic) + Array(payload.utf8)
            bytes += [isRetained ? 0x31 : 0x30] + Self.length(body.count) + body
        }
        try write(bytes)
    }

    private func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: errno \(errno)") }
            sent += count
        }
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    /// Seven bits a byte, the lowest first.
    private static func length(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = [], rest = count
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }

    /// True when a program listens on the port.
    static func listens(_ port: Int) -> Bool {
        guard let descriptor = try? connected(port) else { return false }
        Glibc.close(descriptor)
        return true
    }

    private static func connected(_ port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Failure(description: "connect to port \(port): errno \(number)")
        }
        return descriptor
    }
}
