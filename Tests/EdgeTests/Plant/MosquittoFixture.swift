import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A real mosquitto on a free port of the loopback interface, with a configuration of its own. It can be killed,
/// frozen and started again on the same port. To use it in another test target, take `ChildProcess.swift` along.
final class MosquittoFixture: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    let port: Int
    /// The broker's own files: configuration, passwords, certificates.
    let folder: TemporaryFolder
    private var broker: ChildProcess?

    /// Starts a broker.
    /// - Parameters:
    ///   - users: user names with passwords; empty lets everyone in.
    ///   - usesTLS: true for a listener with a certificate for 127.0.0.1, signed by itself: `folder.file("cert.pem")`.
    init(users: [String: String] = [:], usesTLS: Bool = false) async throws {
        folder = try TemporaryFolder()
        port = try Self.freePort()
        var lines = ["listener \(port) 127.0.0.1", "persistence false", "user root", "log_dest stderr"]
        if users.isEmpty {
            lines.append("allow_anonymous true")
        } else {
            try Data().write(to: URL(fileURLWithPath: folder.file("passwords")))
            for (name, password) in users {
                _ = try ChildProcess(
                    "/usr/bin/mosquitto_passwd", ["-b", folder.file("passwords"), name, password]
                ).wait()
            }
            lines += ["allow_anonymous false", "password_file \(folder.file("passwords"))"]
        }
        if usesTLS {
            try Self.makeCertificate(folder, name: "cert")
            lines += ["certfile \(folder.file("cert.pem"))", "keyfile \(folder.file("cert.key"))"]
        }
        try lines.joined(separator: "\n").appending("\n")
            .write(toFile: folder.file("mosquitto.conf"), atomically: true, encoding: .utf8)
        try await start()
    }

    /// Starts the broker (again) and waits until it listens.
    func start() async throws {
        let broker = try ChildProcess("/usr/sbin/mosquitto", ["-c", folder.file("mosquitto.conf"), "-v"])
        self.broker = broker
        try await broker.printed("running")
    }

    /// Ends the broker the hard way.
    func kill() { broker?.end() }

    /// Stops the broker from running without closing its connections; returns once it stands still.
    func freeze() async throws {
        guard let broker else { return }
        broker.signal(SIGSTOP)
        try await eventually("the broker to stop") {
            // proc(5): pid, (comm), state; T is stopped by a signal.
            (try? String(contentsOfFile: "/proc/\(broker.pid)/stat", encoding: .utf8))?.contains(") T ") == true
        }
    }

    /// Lets a frozen broker go on.
    func thaw() { broker?.signal(SIGCONT) }

    /// Waits until a connection of the frozen broker holds something that it has not read: what was published is
    /// under way (proc(5), /proc/net/tcp: local address, state 01 = established, receive queue).
    func hasUnreadBytes() async throws {
        let address = String(format: "0100007F:%04X", port)
        try await eventually("bytes under way to the broker") {
            // Read to the end: a file of /proc has no size, and reading it by name stops after one page.
            let data = FileHandle(forReadingAtPath: "/proc/net/tcp")?.readDataToEndOfFile() ?? Data()
            return String(decoding: data, as: UTF8.self).split(separator: "\n").contains { line in
                let fields = line.split(separator: " ")
                return fields.count > 4 && fields[1] == address && fields[3] == "01"
                    && !fields[4].hasSuffix(":00000000")
            }
        }
    }

    /// What the broker has logged.
    var log: [String] { broker?.lines ?? [] }

    /// An independent subscriber that prints what it gets as `topic payload`; returns once it has subscribed.
    func witness(_ filter: String, arguments: [String] = []) async throws -> ChildProcess {
        // Line by line: into a pipe it would print only once its buffer is full.
        let witness = try ChildProcess(
            "/usr/bin/stdbuf",
            ["-oL", "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-t", filter, "-q", "1", "-v", "-d"]
                + arguments)
        try await witness.printed("Subscribed")
        return witness
    }

    /// Publishes with an independent program, and returns once the broker has it.
    func publish(_ topic: String, _ payload: String, arguments: [String] = []) throws {
        let publisher = try ChildProcess(
            "/usr/bin/mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-t", topic, "-m", payload, "-q", "1"] + arguments)
        let status = publisher.wait()
        guard status == 0 else { throw NotInTime(description: "mosquitto_pub: \(status) \(publisher.lines)") }
    }

    /// Makes `name.pem` and `name.key` in `folder`: a certificate for 127.0.0.1 that signs itself.
    static func makeCertificate(_ folder: TemporaryFolder, name: String) throws {
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                folder.file("\(name).key"), "-out", folder.file("\(name).pem"),
            ])
        let status = openssl.wait()
        guard status == 0 else { throw NotInTime(description: "openssl: \(status) \(openssl.lines)") }
    }

    private static func freePort() throws -> Int {
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
