import Foundation
import Synchronization
import SystemTestKit
import Testing

@testable import Control

/// The built `vanorb watch` on a real terminal: tmux's.
@Suite(.serialized, .enabled(if: Tmux.isThere, "tmux is not installed")) struct WatchScreenTests {
    private let entry = HistoryEntry(
        turn: 1, user: "log diesel for fifty pounds", assistant: "Logged £50.00 for diesel.",
        startedAt: Date(timeIntervalSince1970: 0))

    @Test(arguments: ["COLORTERM=truecolor", "COLORTERM=", "NO_COLOR=1"])
    func watch_fillsTheTerminal_andGivesItBack(colours: String) async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            let tmux = try await Tmux(
                columns: 40, rows: 20, "\(colours) vanorb watch --socket \(path); echo that is all; cat")
            defer { tmux.end() }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.ring(look: "listening", palette: "finance"))
            hub.publish(.status("Listening…", state: .listening))
            hub.publish(.level(0.8))
            hub.publish(.history(entry))
            try await eventually("the talk") {
                let text = tmux.text
                return text.contains("● Listening…") && text.contains("Logged £50.00 for diesel.")
            }
            #expect(tmux.text.contains("▀") == (colours != "NO_COLOR=1"))
            tmux.run("send-keys", "q")
            try await eventually("the terminal as it was") {
                tmux.text.contains("that is all") && !tmux.text.contains("Listening")
            }
        }
    }

    @Test func watch_followsTheTerminalsSize() async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            let tmux = try await Tmux(columns: 40, rows: 20, "vanorb watch --socket \(path)")
            defer { tmux.end() }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.status("Ready", state: .ready))
            try await eventually("the small view") { tmux.text.contains("◆ Ready") && !tmux.text.contains("Trips") }
            tmux.run("resize-window", "-x", "120", "-y", "30")
            try await eventually("the wide one") { tmux.text.contains("6 Trips") && tmux.text.contains("│") }
            tmux.run("resize-window", "-x", "40", "-y", "20")
            try await eventually("the small one again") { !tmux.text.contains("Trips") && !tmux.text.contains("│") }
        }
    }

    @Test func keys_workTheButton_andTypedWordsAreSaid() async throws {
        let pressed = Recorded(), said = Recorded()
        var calls = CallTable()
        calls.register(PressCall.self) { arguments in
            pressed.add(arguments.gesture.rawValue)
            if arguments.gesture == .hold {
                // Until the caller hangs up.
                let (never, continuation) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                continuation.finish()
                pressed.add("released")
            }
            return Acknowledgement(message: "Pressed.")
        }
        calls.register(SayCall.self) { arguments in
            said.add(arguments.text)
            return echo(arguments.text)
        }
        let hub = WatchHub()
        try await withServer(calls: calls, watch: hub) { path in
            let tmux = try await Tmux(columns: 80, rows: 24, "vanorb watch --socket \(path)")
            defer { tmux.end() }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.status("Ready", state: .ready))
            try await eventually("a view") { tmux.text.contains("◆ Ready") }
            tmux.run("send-keys", "Space")
            try await eventually("a tap") { pressed.all == ["tap"] }
            tmux.run("send-keys", "h")
            try await eventually("a hold, and its notice") {
                pressed.all == ["tap", "hold"] && tmux.text.contains("holding the button")
            }
            tmux.run("send-keys", "h")
            try await eventually("its end") { pressed.all == ["tap", "hold", "released"] }
            tmux.run("send-keys", "Enter")
            tmux.run("send-keys", "-l", "log a café for £5")
            try await eventually("the typed words") { tmux.text.contains("› log a café for £5") }
            tmux.run("send-keys", "Enter")
            try await eventually("what was said") { said.all == ["log a café for £5"] }
        }
    }

    @Test(arguments: ["Enter", "/"]) func onATab_theTypingKeysType_andLettersAreNoKeys(key: String) async throws {
        let pressed = Recorded(), said = Recorded()
        var calls = CallTable()
        calls.register(PressCall.self) { arguments in
            pressed.add(arguments.gesture.rawValue)
            return Acknowledgement(message: "Pressed.")
        }
        calls.register(UndoCall.self) { _ in
            pressed.add("undo")
            return Acknowledgement(message: "Undone.")
        }
        calls.register(SayCall.self) { arguments in
            said.add(arguments.text)
            return echo(arguments.text)
        }
        calls.register(DevicesListCall.self) { _ in
            let pump = DeviceRow(id: "pump", name: "water pump", kind: "switch", state: "on", source: "test")
            return DevicesListResult(devices: [pump])
        }
        let hub = WatchHub()
        try await withServer(calls: calls, watch: hub) { path in
            let tmux = try await Tmux(columns: 80, rows: 24, "vanorb watch --socket \(path)")
            defer { tmux.end() }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.status("Ready", state: .ready))
            tmux.run("send-keys", "5")
            try await eventually("the devices") { tmux.text.contains("water pump") }
            tmux.run("send-keys", key)
            tmux.run("send-keys", "-l", "huh du")
            try await eventually("the typed words") { tmux.text.contains("› huh du") }
            tmux.run("send-keys", "Enter")
            try await eventually("what was said") { said.all == ["huh du"] }
            #expect(pressed.all.isEmpty)
            tmux.run("send-keys", "Right")
            try await eventually("the device whole") { tmux.text.contains("kind  switch") }
        }
    }

    @Test func undo_isAskedAboutFirst_andAnythingButYesLeavesItBe() async throws {
        let undone = Recorded(), said = Recorded()
        var calls = CallTable()
        calls.register(UndoCall.self) { _ in
            undone.add("undo")
            return Acknowledgement(message: "Undone: the diesel.")
        }
        calls.register(SayCall.self) { arguments in
            said.add(arguments.text)
            return echo(arguments.text)
        }
        let hub = WatchHub()
        try await withServer(calls: calls, watch: hub) { path in
            let tmux = try await Tmux(columns: 40, rows: 20, "vanorb watch --socket \(path)")
            defer { tmux.end() }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.status("Ready", state: .ready))
            for other in ["n", "Escape", "x", "u"] {
                tmux.run("send-keys", "u")
                try await eventually("a question before \(other)") { tmux.text.contains("Undo the last change?") }
                tmux.run("send-keys", other)
                try await eventually("no question after \(other)") { !tmux.text.contains("Undo the last change?") }
            }
            tmux.run("send-keys", "u")
            try await eventually("the question") { tmux.text.contains("Undo the last change?") }
            #expect(undone.all.isEmpty)
            tmux.run("send-keys", "y")
            try await eventually("the undoing") { undone.all == ["undo"] && tmux.text.contains("Undone: the diesel.") }
            #expect(said.all.isEmpty, "the y was an answer to the view and not to VanOrb")
        }
    }

    @Test func aDaemonThatGoesAway_isSaidSo_andFoundAgain() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let tmux = try await Tmux(columns: 60, rows: 20, "vanorb watch --socket \(path)")
            defer { tmux.end() }
            try await eventually("nobody there") { tmux.text.contains("VanOrb does not answer") }
            for _ in 0..<2 {
                let hub = WatchHub()
                hub.publish(.status("Ready", state: .ready))
                let server = ControlServer(
                    socket: .init(path: path), identity: .init(version: "1.2.3"), calls: echoCalls(), watch: hub,
                    logger: .init(label: "test"))
                try await withRunning(server) { try await eventually("it is found") { tmux.text.contains("◆ Ready") } }
                try await eventually("it is gone") { tmux.text.contains("VanOrb does not answer") }
            }
        }
    }

    @Test func withPlain_aTerminalGetsLines() async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            let tmux = try await Tmux(columns: 80, rows: 24, "vanorb watch --plain --socket \(path)")
            defer { tmux.end() }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.notice("the disk is nearly full"))
            try await eventually("a line") { tmux.text.contains("notice      the disk is nearly full") }
            #expect(!tmux.text.contains("space press"))
        }
    }
}

/// What came, in its order.
private final class Recorded: Sendable {
    private let values = Mutex<[String]>([])

    var all: [String] { values.withLock { $0 } }

    func add(_ value: String) { values.withLock { $0.append(value) } }
}

/// A terminal with a program on it.
private final class Tmux: Sendable {
    private static let path = "/usr/bin/tmux"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }
    private let socket = "vanorb-\(UUID().uuidString.prefix(8))"
    private let server = Process()

    /// A terminal on which `command` runs in a shell; `vanorb` in it is the built one.
    init(columns: Int, rows: Int, _ command: String) async throws {
        // In the foreground: a server that a client leaves behind keeps what it inherited, and whoever waits for the
        // client's end waits for ever.
        server.executableURL = URL(fileURLWithPath: Self.path)
        server.arguments = ["-D", "-u", "-L", socket, "-f", "/dev/null"]
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        server.standardInput = FileHandle.nullDevice
        try server.run()
        try await eventually("tmux answers") { self.run("list-commands").contains("new-session") }
        let folder = (FileManager.default.currentExecutable as NSString).deletingLastPathComponent
        // A type that ncurses knows everywhere.
        run(
            "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "export PATH=\(folder):$PATH LC_ALL=C.UTF-8 TERM=screen-256color; unset COLORTERM NO_COLOR; \(command)")
    }

    /// What is on the screen.
    var text: String { run("capture-pane", "-p") }

    func end() {
        // Asked to end, tmux in the foreground waits for clients that never were; the terminal's hang-up ends the rest.
        kill(server.processIdentifier, SIGKILL)
    }

    @discardableResult func run(_ arguments: String...) -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = ["-N", "-u", "-L", socket] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "" }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
