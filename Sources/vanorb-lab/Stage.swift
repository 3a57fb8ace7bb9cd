import Control
import Foundation
import Glibc
import IntentLinear

/// A program that a measurement started and ends again, by its process id.
final class Child {
    private let process = Process()

    /// Starts a program; its output goes to `log`.
    init(_ program: String, _ arguments: [String], log: String) throws {
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit { end() }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Asks it to end, and waits; a program that does not is killed after five seconds.
    func end() {
        guard process.isRunning else { return }
        process.terminate()
        let deadline = Date().addingTimeInterval(5)
        while process.isRunning, Date() < deadline { usleep(10_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

/// A whole appliance with its van, for measuring: a broker, simulated devices, and the daemon next to this program.
final class Stage {
    let folder: String
    let port: Int
    let client: ControlClient
    let programs: String
    private let project: String
    private let devices: String
    /// The settings of what hears and understands.
    private let recognisers: [String]
    private var broker: Child?, van: Child?, daemon: Child?

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameters:
    ///   - project: the folder that holds `deploy/` and `board/`.
    ///   - crowd: how many items the van has, and ten times as many as it has devices; at least those of the
    ///     demonstration's van.
    ///   - encoder: the sentence encoder's folder; nil for the n-grams alone.
    ///   - model: a classifier's model, with its hint beside it; trained here where there is none.
    ///   - recognisers: the settings of the recogniser.
    init(project: String, crowd: Int, encoder: String? = nil, model: String? = nil, recognisers: [String]) throws {
        self.project = project
        programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        folder = NSTemporaryDirectory() + "/vanorb-bench-\(getpid())"
        self.recognisers = recognisers + ["paths.encoder=\(encoder ?? folder + "/no-encoder")"]
        try FileManager.default.createDirectory(atPath: folder + "/run", withIntermediateDirectories: true)
        port = try Self.freePort()
        // A debug build on a busy machine takes so long to start.
        client = ControlClient(path: folder + "/run/control.sock", patience: .seconds(120))
        broker = try Child(
            try Self.find("mosquitto"), ["-p", "\(port)"], log: folder + "/mosquitto.log")
        let lab = programs + "/vanorb-lab"
        devices = folder + "/devices.yaml"
        let items = folder + "/items.csv"
        try Self.fill(devices: devices, items: items, from: project + "/deploy/demo-van", crowd: crowd)
        try makeModel(folder + "/intents.model", lab, encoder, given: model)
        try Self.run(
            lab, ["seed", "--data", folder + "/data", "--items", items, "--count", "\(max(200, crowd))"])
        try startVan()
    }

    private func makeModel(_ path: String, _ lab: String, _ encoder: String?, given: String?) throws {
        guard let given else {
            return try Self.run(lab, ["train", "--output", path] + (encoder.map { ["--encoder", $0] } ?? []))
        }
        try FileManager.default.copyItem(atPath: given, toPath: path)
        if encoder != nil {
            try FileManager.default.copyItem(
                atPath: IntentTraining.hintPath(of: given), toPath: IntentTraining.hintPath(of: path))
        }
    }

    private func startVan() throws {
        van = try Child(
            programs + "/vanorb-lab", ["simulate-van", "--devices", devices, "--port", "\(port)"],
            log: folder + "/van.log")
    }

    /// The demonstration's van with additional made-up items and devices.
    private static func fill(devices: String, items: String, from van: String, crowd: Int) throws {
        func lines(_ file: String) throws -> [String] {
            try String(contentsOfFile: "\(van)/\(file)", encoding: .utf8).split(separator: "\n").map(String.init)
        }
        var rows = try lines("items.csv"), entries = try lines("devices.yaml")
        rows += MadeUpNames.words.items(crowd - (rows.count - 1)).map { "\($0),garage,1,500" }
        let list = entries.firstIndex(of: "devices:").map { $0 + 1 } ?? 0
        let there = entries.count { $0.hasPrefix("  - name:") }
        let more = MadeUpNames.words.devices(crowd / 10 - there).enumerated().flatMap { place, name in
            [
                "  - name: \(name)", "    kind: switch", "    command_topic: van/more_\(place)/set",
                "    state_topic: van/more_\(place)/state",
            ]
        }
        entries.insert(contentsOf: more, at: list)
        try (rows.joined(separator: "\n") + "\n").write(toFile: items, atomically: true, encoding: .utf8)
        try (entries.joined(separator: "\n") + "\n").write(toFile: devices, atomically: true, encoding: .utf8)
    }

    /// Starts the daemon and returns how long it took until it answered on its socket.
    func startDaemon(_ settings: [String] = []) async throws -> Duration {
        let all =
            [
                "paths.board=\(project)/board/virtual.yaml", "paths.data=\(folder)/data", "paths.run=\(folder)/run",
                "paths.devices=\(devices)", "paths.classifier=\(folder)/intents.model", "mqtt.port=\(port)",
            ] + recognisers + settings
        let start = ContinuousClock.now
        daemon = try Child(
            programs + "/vanorbd", ["--defaults", project + "/deploy/defaults.yaml"] + all.flatMap { ["--set", $0] },
            log: folder + "/daemon.log")
        _ = try await client.call(VersionCall.self)
        return start.duration(to: .now)
    }

    /// Ends the daemon.
    func stopDaemon() { daemon = nil }

    /// Keeps the owner's data as it is, for `restore`. No daemon may be running.
    func keepData() throws { try FileManager.default.copyItem(atPath: folder + "/data", toPath: folder + "/kept") }

    /// Puts the devices back to their beginnings and the owner's data to what was kept, and restarts the daemon.
    func restore(_ settings: [String]) async throws {
        stopDaemon()
        van = nil
        try FileManager.default.removeItem(atPath: folder + "/data")
        try FileManager.default.copyItem(atPath: folder + "/kept", toPath: folder + "/data")
        try startVan()
        _ = try await startDaemon(settings)
        try await waitForDevices()
    }

    /// Waits until the simulated devices have reported.
    func waitForDevices() async throws {
        for _ in 0..<600 {
            let devices = try await client.call(DevicesListCall.self).devices
            if !devices.isEmpty, devices.allSatisfy({ $0.state != nil }) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(description: "the simulated devices never reported; see \(folder)/van.log")
    }

    /// Speaks a sentence into a file with one of flite's voices.
    func speak(_ text: String, voice: String) throws -> String {
        let file = "\(folder)/\(voice)-\(text.replacing(" ", with: "-")).wav"
        if !FileManager.default.fileExists(atPath: file) {
            try Self.run(try Self.find("flite"), ["-voice", voice, "-t", text, "-o", file])
        }
        return file
    }

    /// Plays a file to the daemon, in pieces as the command line does.
    func hear(_ file: String) async throws -> TraceRecord {
        let bytes = try Data(contentsOf: URL(filePath: file))
        return try await client.connected { connection in
            let upload = try await connection.upload(bytes, name: URL(filePath: file).lastPathComponent)
            return try await connection.call(HearFinishCall.self, .init(upload: upload))
        }
    }

    /// Waits until the reply has been spoken.
    func waitForReady() async throws {
        for _ in 0..<1_200 {
            let state = try await client.call(StatusCall.self).state
            if state == .ready || state == .closed { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(description: "the daemon did not come back to Ready within a minute; see \(folder)/daemon.log")
    }

    /// Ends everything and removes the folder.
    func close() {
        daemon = nil
        van = nil
        broker = nil
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "\(program) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
    }

    static func find(_ name: String) throws -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin"]
        guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else {
            throw Failure(description: "\(name) is not installed; on Debian: apt-get install \(name)")
        }
        return "\(folder)/\(name)"
    }

    /// A port that is free at this moment.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            throw Failure(description: "no free port on 127.0.0.1: \(String(cString: strerror(errno)))")
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
