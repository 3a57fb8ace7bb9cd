import Foundation

/// A real mosquitto on a free port of the loopback interface, with a configuration of its own. It can be killed, frozen
/// and started again on the same port.
package final class Broker: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    /// Where it listens.
    package let port: Int
    /// The broker's own files: configuration, passwords, certificates.
    package let folder: TemporaryFolder
    private var process: ChildProcess?

    /// Starts a broker.
    /// - Parameters:
    ///   - users: user names with passwords; empty lets everyone in.
    ///   - usesTLS: true for a listener with a certificate for 127.0.0.1, signed by itself: `folder.file("cert.pem")`.
    package init(users: [String: String] = [:], usesTLS: Bool = false) async throws {
        folder = try TemporaryFolder()
        port = try Port.free()
        var lines = ["listener \(port) 127.0.0.1", "persistence false", "user root", "log_dest stderr"]
        if users.isEmpty {
            lines.append("allow_anonymous true")
        } else {
            try Data().write(to: URL(fileURLWithPath: folder.file("passwords")))
            for (name, password) in users {
                try await SystemTestKit.run(
                    "/usr/bin/mosquitto_passwd", ["-b", folder.file("passwords"), name, password])
            }
            lines += ["allow_anonymous false", "password_file \(folder.file("passwords"))"]
        }
        if usesTLS {
            try await Self.makeCertificate(folder, name: "cert")
            lines += ["certfile \(folder.file("cert.pem"))", "keyfile \(folder.file("cert.key"))"]
        }
        try lines.joined(separator: "\n").appending("\n")
            .write(toFile: folder.file("mosquitto.conf"), atomically: true, encoding: .utf8)
        try await start()
    }

    /// Starts the broker (again) and waits until it listens.
    package func start() async throws {
        let process = try ChildProcess("/usr/sbin/mosquitto", ["-c", folder.file("mosquitto.conf"), "-v"])
        self.process = process
        try await process.printed("running")
    }

    /// Ends it the hard way.
    package func kill() { process?.end() }

    /// Ends it for good and removes its files.
    package func end() {
        kill()
        folder.remove()
    }

    /// Stops the broker from running without closing its connections; returns once it stands still.
    package func freeze() async throws {
        guard let process else { return }
        process.signal(SIGSTOP)
        try await eventually("the broker to stop") {
            // proc(5): pid, (comm), state; T is stopped by a signal.
            (try? String(contentsOfFile: "/proc/\(process.pid)/stat", encoding: .utf8))?.contains(") T ") == true
        }
    }

    /// Lets a frozen broker go on.
    package func thaw() { process?.signal(SIGCONT) }

    /// Waits until a connection of the frozen broker holds something that it has not read: what was published is
    /// under way (proc(5), /proc/net/tcp: local address, state 01 = established, receive queue).
    package func hasUnreadBytes() async throws {
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

    /// What it has logged.
    package var log: [String] { process?.lines ?? [] }

    /// An independent subscriber; returns once it has subscribed.
    /// - Parameter arguments: more of mosquitto_sub's, such as `-u` and `-P`.
    package func witness(_ filter: String = "#", arguments: [String] = []) async throws -> Witness {
        // Line by line: into a pipe it would print only once its buffer is full.
        let process = try ChildProcess(
            "/usr/bin/stdbuf",
            [
                "-oL", "/usr/bin/mosquitto_sub", "-h", "127.0.0.1", "-p", "\(port)", "-t", filter, "-q", "1", "-d",
                "-F", "got %t %p",
            ] + arguments)
        try await process.printed("Subscribed")
        return Witness(process: process)
    }

    /// Publishes with an independent program, and returns once the broker has it. An empty payload is a null message,
    /// which takes back a retained one.
    package func publish(_ topic: String, _ payload: String, arguments: [String] = []) async throws {
        try await SystemTestKit.run(
            "/usr/bin/mosquitto_pub",
            ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic]
                + (payload.isEmpty ? ["-n"] : ["-m", payload]) + arguments)
    }

    /// Makes `name.pem` and `name.key` in `folder`: a certificate for 127.0.0.1 that signs itself.
    package static func makeCertificate(_ folder: TemporaryFolder, name: String) async throws {
        try await SystemTestKit.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
                folder.file("\(name).key"), "-out", folder.file("\(name).pem"),
            ])
    }
}

/// What a subscriber that knows nothing of the appliance has received.
package struct Witness: Sendable {
    /// The subscriber.
    package let process: ChildProcess

    /// Stops looking.
    package func end() { process.end() }

    /// The messages so far, as `topic payload`.
    package var messages: [String] {
        process.lines.filter { $0.hasPrefix("got ") }.map { String($0.dropFirst(4)) }
    }

    /// Waits for a message that came after the first `skip`.
    package func sees(_ message: String, after skip: Int = 0) async throws {
        try await eventually("the message “\(message)”, seen: \(messages.dropFirst(skip))") {
            messages.dropFirst(skip).contains(message)
        }
    }
}
