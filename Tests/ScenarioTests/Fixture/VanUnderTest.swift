import Control
import Foundation
import SystemTestKit
import Testing

/// How an appliance is to be started.
struct Setup: Sendable {
    /// False starts neither broker nor devices: nobody listens on the port.
    var hasBroker = true
    /// False leaves the devices silent.
    var hasDevices = true
    /// True plays devices that describe themselves, in place of those of the device file.
    var isDiscovered = false
    /// True makes sound take as long as it lasts; else it goes as fast as it can be worked on.
    var isPaced = false
    /// The board file's text; nil for the virtual board.
    var board: String?
    /// The data folder; nil for a copy of the seeded one.
    var data: String?
    /// The run folder; nil for one of its own.
    var run: String?
    /// The device file's text; nil for the demonstration van's.
    var devices: String?
    /// Custom phrasebooks: file name and text.
    var phrases: [String: String] = [:]
    /// The owner's settings file; nil for none.
    var owner: String?
    /// The folder of the daemon's program; nil for the one that was built.
    var products: String?
    /// More settings, as `--set` has them.
    var settings: [String] = []
    /// What starts the daemon, in front of its path.
    var launcher: [String] = []
}

/// An appliance in a folder of its own: a broker, devices that obey, and the daemon. Everything ends with the object.
final class VanUnderTest: @unchecked Sendable {
    // Unchecked: a test uses it from one task; the fields that change are set by `start` and `stop`.

    /// The appliance of the suite that runs.
    @TaskLocal static var current: VanUnderTest?

    let folder: TemporaryFolder
    let broker: Broker?
    private let devices: ChildProcess?
    private(set) var daemon: ChildProcess
    private let command: [String]
    private let workshop: Workshop

    let run: String
    var data: String
    /// The owner's settings file as it is now.
    var owner: String? { try? String(contentsOfFile: folder.file("vanorb.yaml"), encoding: .utf8) }
    var socket: String { "\(run)/control.sock" }
    let client: ControlClient

    /// Starts it all, and returns once it answers and knows its devices' states.
    init(_ setup: Setup = Setup(), waits: Bool = true) async throws {
        workshop = try Workshop.shared()
        folder = try TemporaryFolder()
        data = setup.data ?? folder.file("data")
        run = setup.run ?? folder.file("run")
        if setup.data == nil { try FileManager.default.copyItem(atPath: workshop.seededData, toPath: data) }
        try FileManager.default.createDirectory(
            atPath: folder.file("phrases.d"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
        for (name, text) in setup.phrases {
            try text.write(toFile: folder.file("phrases.d/\(name)"), atomically: true, encoding: .utf8)
        }
        let own = setup.devices ?? (setup.isDiscovered ? "devices: []\n" : nil)
        let deviceFile = try Self.file("devices.yaml", own, folder) ?? Workshop.devices
        broker = setup.hasBroker ? try await Broker() : nil
        let port = try broker?.port ?? Port.free()
        devices =
            setup.hasBroker && setup.hasDevices && waits
            ? try ChildProcess(
                "\(Workshop.products)/vanorb-lab",
                setup.isDiscovered
                    ? ["simulate-discovered", "--port", "\(port)"]
                    : ["simulate-van", "--devices", deviceFile, "--port", "\(port)"]) : nil
        let settings = [
            "paths.board=\(try Self.board(setup, folder))", "paths.data=\(data)", "paths.run=\(run)",
            "paths.devices=\(deviceFile)", "paths.phrases=\(folder.file("phrases.d"))",
            "paths.classifier=\(workshop.classifier)", "mqtt.port=\(port)",
        ]
        command =
            setup.launcher
            + ["\(setup.products ?? Workshop.products)/vanorbd", "--defaults", "\(Workshop.root)/deploy/defaults.yaml"]
            + (try Self.file("vanorb.yaml", setup.owner, folder).map { ["--settings", $0] } ?? [])
            + (settings + setup.settings).flatMap { ["--set", $0] }
        client = ControlClient(path: "\(run)/control.sock", patience: .zero)
        daemon = try Self.launch(command)
        if waits { try await answers() }
        if devices != nil { try await setup.isDiscovered ? knowsDiscovered() : knowsItsDevices() }
    }

    deinit { end() }

    /// Ends everything and removes its folder. Tests say so by `defer`: at the end of the run nobody waits for objects.
    func end() {
        daemon.end()
        devices?.end()
        broker?.end()
        folder.remove()
    }

    private static func file(_ name: String, _ text: String?, _ folder: TemporaryFolder) throws -> String? {
        guard let text else { return nil }
        try text.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
        return folder.file(name)
    }

    private static func board(_ setup: Setup, _ folder: TemporaryFolder) throws -> String {
        let text = try setup.board ?? virtualBoard(isPaced: setup.isPaced)
        return try #require(try file("board.yaml", text, folder))
    }

    /// The virtual board's file, at the pace of speech or as fast as can be.
    static func virtualBoard(isPaced: Bool) throws -> String {
        let text = try String(contentsOfFile: "\(Workshop.root)/board/virtual.yaml", encoding: .utf8)
        return isPaced ? text : text.replacingOccurrences(of: "paced: true", with: "paced: false")
    }

    private static func launch(_ command: [String]) throws -> ChildProcess {
        try ChildProcess(command[0], Array(command.dropFirst()))
    }

    // MARK: the daemon's life

    /// Starts the daemon again after its end, and returns once it answers.
    func restart() async throws {
        daemon.end()
        daemon = try Self.launch(command)
        try await answers()
        if devices != nil, devices?.isRunning == true { try await knowsItsDevices() }
    }

    /// Ends the daemon as systemd does.
    func stop() async throws {
        daemon.signal(SIGTERM)
        let status = try await daemon.exit()
        try #require(status == 0, "\(daemon.lines)")
    }

    private func answers() async throws {
        let daemon = daemon, client = client
        try await eventually("the daemon to answer, it printed \(daemon.lines)", within: .seconds(120)) {
            guard daemon.isRunning else {
                try await eventually("the daemon's last words") { daemon.hasSaidAll }
                throw NotInTime(description: "the daemon \(daemon.fate)")
            }
            return (try? await client.call(StatusCall.self))?.knowsItsWords == true
        }
    }

    /// Waits until the devices have told their states.
    func knowsItsDevices() async throws {
        try await eventually("the devices to report") {
            let devices = try await self.client.call(DevicesListCall.self).devices
            return !devices.isEmpty && devices.allSatisfy { $0.state != nil && $0.online != false }
        }
    }

    // MARK: talking to it

    func say(_ text: String) async throws -> TraceRecord {
        try await client.call(SayCall.self, SayArguments(text: text))
    }

    func status() async throws -> StatusResult { try await client.call(StatusCall.self) }

    /// How a part is.
    func part(_ name: String) async throws -> PartStatus? { try await status().parts.first { $0.name == name } }

    func press(_ gesture: PressGesture = .tap, holdSeconds: Double? = nil) async throws {
        _ = try await client.call(PressCall.self, PressArguments(gesture: gesture, holdSeconds: holdSeconds))
    }

    /// Lets it hear a sentence in a voice of flite's.
    func hear(_ text: String, voice: String = "rms") async throws -> TraceRecord {
        try await hear(file: workshop.speech(text, voice: voice))
    }

    /// Lets it hear a sound file, sent as `vanorb hear` sends it.
    func hear(file: String) async throws -> TraceRecord {
        let recording = try Data(contentsOf: URL(fileURLWithPath: file))
        return try await client.connected { connection in
            let upload = try await connection.upload(recording, name: "test.wav")
            return try await connection.call(HearFinishCall.self, HearFinishArguments(upload: upload))
        }
    }

    /// The daemon with this appliance's settings as one program, for what works without it running.
    private func program() throws -> String {
        let path = folder.file("daemon.sh")
        let quoted = command.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        try "#!/bin/sh\nexec \(quoted) \"$@\"\n".write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// What the command line prints and exits with.
    func vanorb(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
        try await vanorb(arguments)
    }

    /// Runs the command line, on a terminal that may have set something of its own.
    func vanorb(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (status: Int32, lines: [String]) {
        let all = ["VANORB_SOCKET": socket, "VANORB_DAEMON": try program(), "LC_ALL": "C.UTF-8"]
        let child = try ChildProcess(
            "\(Workshop.products)/vanorb", arguments, environment: all.merging(environment) { $1 })
        return (try await child.exit(), child.lines)
    }

    /// Puts a sound into the room: what the microphone hears from the next press on.
    func room(_ sounds: RoomSound...) async throws {
        var samples = Data()
        for sound in sounds {
            switch sound {
            case .silence(let seconds): samples += Data(count: Int(seconds * 16_000) * 2)
            case .speech(let text, let voice):
                let raw = folder.file("room.raw")
                try await ScenarioTests.sox(
                    [
                        try await workshop.speech(text, voice: voice), "-t", "raw", "-r", "16000", "-c", "1", "-e",
                        "signed", "-b", "16", raw,
                    ])
                samples += try Data(contentsOf: URL(fileURLWithPath: raw))
            }
        }
        try samples.write(to: URL(fileURLWithPath: "\(run)/microphone.raw"))
    }

    /// Follows the events from now on.
    func watch() async throws -> Watcher { try await Watcher(client) }

    // MARK: what came of it

    /// The newest entries of the ledger.
    func ledger() async throws -> [LedgerRow] {
        try await client.call(LedgerListCall.self, LedgerListArguments()).entries
    }

    /// Where an item is.
    func place(of item: String) async throws -> String? {
        try await client.call(ItemsListCall.self).items.first { $0.name == item }?.place
    }

    /// What the speaker's file plugin has written of speech, oldest first.
    var spokenFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: run)) ?? []
        return names.filter { $0.hasPrefix("speech.wav") }.sorted().map { "\(run)/\($0)" }
    }

    /// Forgets what was spoken so far.
    func clearSpoken() throws {
        for file in spokenFiles { try FileManager.default.removeItem(atPath: file) }
    }
}

/// What can be heard in the room.
enum RoomSound {
    case silence(Double)
    case speech(String, voice: String = "rms")
}

/// Starts an appliance for a suite, whose tests share it.
struct VanTrait: SuiteTrait, TestScoping {
    let setup: Setup

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        let van = try await VanUnderTest(setup)
        defer { van.end() }
        try await VanUnderTest.$current.withValue(van) { try await body() }
    }
}

extension Trait where Self == VanTrait {
    static func van(_ setup: Setup = Setup()) -> Self { VanTrait(setup: setup) }
}

extension ScenarioTests {
    static func sox(_ arguments: [String]) async throws { try await run("/usr/bin/sox", arguments) }

    /// The appliance of the suite that runs.
    static var van: VanUnderTest { get throws { try #require(VanUnderTest.current) } }
}

extension StatusResult {
    /// False while the recogniser still hears with the words of before the start.
    var knowsItsWords: Bool { !parts.contains { $0.name == "recogniser" && $0.detail.contains("learning") } }
}
