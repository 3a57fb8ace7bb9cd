import Foundation

/// A real mosquitto on a free port of the loopback interface, which can be killed and started again on the same port.
final class Broker: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    let port: Int
    private let folder: TemporaryFolder
    private var process: ChildProcess?

    init() async throws {
        folder = try TemporaryFolder()
        port = try Self.freePort()
        try """
        listener \(port) 127.0.0.1
        allow_anonymous true
        persistence false
        user root
        log_dest stderr

        """.write(toFile: folder.file("mosquitto.conf"), atomically: true, encoding: .utf8)
        try await start()
    }

    /// Starts it (again) and waits until it listens.
    func start() async throws {
        let process = try ChildProcess("/usr/sbin/mosquitto", ["-c", folder.file("mosquitto.conf"), "-v"])
        self.process = process
        try await process.printed("running")
    }

    /// Ends it the hard way.
    func kill() { process?.end() }

    /// An independent subscriber; returns once it has subscribed.
    func witness(_ filter: String = "#") async throws -> Witness {
        // Line by line: into a pipe it would print only once its buffer is full.
        let process = try ChildProcess(
            "/usr/bin/stdbuf",
            [
                "-oL", "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-t", filter, "-q", "1", "-d",
                "-F", "got %t %p",
            ])
        try await process.printed("Subscribed")
        return Witness(process: process)
    }

    static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw NotInTime(description: "no free port: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// What a subscriber that knows nothing of the appliance has seen.
struct Witness: Sendable {
    let process: ChildProcess

    /// The messages so far, as `topic payload`.
    var messages: [String] { process.lines.filter { $0.hasPrefix("got ") }.map { String($0.dropFirst(4)) } }

    /// Waits for a message that came after the first `skip`.
    func sees(_ message: String, after skip: Int = 0) async throws {
        try await eventually("the message “\(message)”, seen: \(messages.dropFirst(skip))") {
            messages.dropFirst(skip).contains(message)
        }
    }
}
