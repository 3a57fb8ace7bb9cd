import Control
import Foundation
import Testing

/// What the tests of the virtual board share.
enum VirtualBoard {
    /// Starts a program under a shell: ssh closes all that it inherits, by which Foundation takes it for ended, and
    /// waits for it while all others wait.
    static func child(_ path: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", "\"$0\" \"$@\"; exit $?", path] + arguments)
    }

    /// Runs a program of this machine's to its end.
    /// - Returns: the lines that it printed.
    /// - Throws: where its status is not 0.
    @discardableResult
    static func execute(_ path: String, _ arguments: [String]) async throws -> [String] {
        let child = try child(path, arguments)
        let status = try await child.exit(within: Guest.patience)
        guard status == 0 else { throw NotInTime(description: "\(arguments.last ?? path): \(status), \(child.lines)") }
        return child.lines
    }
}

/// The virtual board that `deploy/test` has booted (`board/virtual/guest`), with the product in it.
final class Guest: Sendable {
    /// The guest's folder on this machine; nil where there is none, and the tests are skipped.
    static let folder = ProcessInfo.processInfo.environment["VANORB_GUEST"].flatMap { $0.isEmpty ? nil : $0 }
    /// What the longer tests ask for.
    static let isWhole = ["whole", "long"].contains(ProcessInfo.processInfo.environment["VANORB_BOARD"] ?? "")
    static let isLong = ProcessInfo.processInfo.environment["VANORB_BOARD"] == "long"
    /// How much of it: minutes of turns, and power cuts.
    static let soakMinutes = ProcessInfo.processInfo.environment["VANORB_SOAK_MINUTES"].flatMap { Double($0) } ?? 30
    static let powerCuts = ProcessInfo.processInfo.environment["VANORB_POWER_CUTS"].flatMap { Int($0) } ?? 50
    /// Why they are skipped.
    static let missing: Comment = "no virtual board is running (VANORB_GUEST); deploy/test says why"

    let folder: String
    /// Speaks to the daemon in the guest.
    let client: ControlClient

    /// How long an emulated board may take for anything.
    static let patience = Duration.seconds(120)

    /// Brings the board to rest: nothing pressed, nothing playing, no session, the introduction behind it.
    static func rested() async throws -> Guest {
        let guest = try Guest()
        try await guest.rest()
        return guest
    }

    private init() throws {
        folder = try #require(Self.folder)
        client = ControlClient(path: folder + "/control.sock", patience: .seconds(20))
    }

    private func rest() async throws {
        // The socket is brought here through the connection that stands; one that has ended takes it along.
        if (try? await ssh(["-O", "check"], [])) == nil {
            try? FileManager.default.removeItem(atPath: folder + "/control.sock")
            // What stays behind to share the connection must not hold the pipe by which a child's end is seen.
            try await VirtualBoard.execute("/bin/sh", ["-c", "ssh -F \(folder)/ssh_config guest true >/dev/null 2>&1"])
        }
        if !FileManager.default.fileExists(atPath: folder + "/control.sock") {
            try await ssh(["-O", "forward", "-L", "\(folder)/control.sock:/run/vanorb/control.sock"], [])
        }
        try await run(
            "pkill -x aplay; pkill -x arecord; rm -f /var/tmp/heard-*; echo pull-up >/run/lines/button/pull; true")
        try await answers()
        _ = try await client.call(CloseCall.self)
        if try await run("ls /run").contains("introduced") { return }
        // The first press ever is answered by the introduction.
        let watcher = try await Watcher(client)
        try await tap()
        try await watcher.state(.speaking)
        _ = try await client.call(CloseCall.self)
        try await run("touch /run/introduced")
    }

    /// Waits until the daemon answers.
    func answers() async throws {
        try await eventually("the daemon in the guest", within: Self.patience) {
            (try? await client.call(StatusCall.self)) != nil
        }
    }

    /// Runs a command in the guest as root.
    /// - Returns: the lines that it printed.
    /// - Throws: where its status is not 0.
    @discardableResult
    func run(_ command: String) async throws -> [String] { try await ssh([], [command]) }

    /// Starts a command in the guest that goes on; it ends with the object.
    func start(_ command: String) throws -> ChildProcess {
        try VirtualBoard.child("/usr/bin/ssh", ["-F", folder + "/ssh_config", "guest", command])
    }

    @discardableResult
    private func ssh(_ options: [String], _ command: [String]) async throws -> [String] {
        try await VirtualBoard.execute("/usr/bin/ssh", ["-F", folder + "/ssh_config"] + options + ["guest"] + command)
    }

    /// A file that guest (`/exchange`) and machine share.
    func exchange(_ name: String) -> String { folder + "/exchange/" + name }

    // MARK: the panel

    /// Moves the button: level and milliseconds, in turn. The last level stays.
    func button(_ steps: (isDown: Bool, milliseconds: Int)...) async throws {
        let words = steps.map { "\($0.isDown ? 0 : 1):\($0.milliseconds * 1_000)" }
        try await run("simline play /run/lines/button/pull \(words.joined(separator: " "))")
    }

    /// A short press, long enough after any other that the two are no double tap.
    func tap() async throws { try await button((false, 400), (true, 80), (false, 0)) }

    /// Whether the motor runs.
    func motor() async throws -> Bool { try await run("cat /run/lines/motor/value") == ["1"] }

    /// The LEDs as the last frame on the bus has them, blue, green and red each.
    func pixels() async throws -> [[UInt8]] {
        let bytes = try await run("od -An -v -tu1 /sys/kernel/debug/spi-sink/frame")
            .flatMap { $0.split(separator: " ").compactMap { UInt8($0) } }
        return stride(from: 4, to: max(4, bytes.count - 4), by: 4).compactMap { place in
            place + 3 < bytes.count && bytes[place] == 0xFF ? Array(bytes[place + 1...place + 3]) : nil
        }
    }

    /// How many frames the ring was sent since the guest booted.
    func frames() async throws -> Int {
        Int(try await run("cat /sys/kernel/debug/spi-sink/frames").first ?? "") ?? 0
    }

    /// The daemon's process number.
    func daemon() async throws -> Int {
        try #require(Int(try await run("systemctl show -P MainPID vanorb").first ?? ""))
    }
}
