import Control
import Foundation
import SystemTestKit
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
    static let powerCuts =
        ProcessInfo.processInfo.environment["VANORB_POWER_CUTS"].flatMap { Int($0) } ?? (isLong ? 50 : 1)
    /// Where the chances of the power cuts begin: the one that a failure names plays the same again.
    static let seed =
        ProcessInfo.processInfo.environment["VANORB_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)
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
        try await connect()
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

    /// Brings the daemon's socket here.
    private func connect() async throws {
        // The socket is brought here through the connection that stands; one that has ended takes it along.
        if (try? await ssh(["-O", "check"], [])) == nil {
            try? FileManager.default.removeItem(atPath: folder + "/control.sock")
            // What stays behind to share the connection must not hold the pipe by which a child's end is seen.
            try await VirtualBoard.execute("/bin/sh", ["-c", "ssh -F \(folder)/ssh_config guest true >/dev/null 2>&1"])
        }
        if !FileManager.default.fileExists(atPath: folder + "/control.sock") {
            try await ssh(["-O", "forward", "-L", "\(folder)/control.sock:/run/vanorb/control.sock"], [])
        }
    }

    // MARK: the power

    /// Whether its disk keeps what is written (`board/virtual/guest keep`).
    static let isKept = folder.map { FileManager.default.fileExists(atPath: $0 + "/disk") } ?? false

    /// Pulls the plug: of what was not flushed, any part is lost.
    /// - Parameter writes: how many more reach the disk before. It is pulled as the last of them does, since for most
    ///   of the time there is nothing that is not flushed.
    func cutPower(_ random: inout SeededRandom, after writes: Int = 0) async throws -> LoggedDisk.Cut {
        let disk = LoggedDisk(folder: folder)
        let pid = try #require(
            Int32(
                try String(contentsOfFile: folder + "/pid", encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)))
        await disk.pass(writes, within: .seconds(20))
        kill(pid, SIGKILL)
        try await VirtualBoard.execute(Self.script, ["stop", folder])
        try? FileManager.default.removeItem(atPath: folder + "/control.sock")
        return try disk.cutPower(&random)
    }

    /// Switches it on again, and returns once the daemon answers.
    func switchOn() async throws {
        try await VirtualBoard.execute(Self.script, ["start", folder])
        try await connect()
        try await answers()
        // It has been, and is kept in the database; what says so to the tests was in the memory.
        try await run("touch /run/introduced")
    }

    // MARK: the stick

    /// Puts a USB stick in: a file of `exchange`.
    func plug(_ image: String) async throws {
        try await VirtualBoard.execute(Self.script, ["plug", folder, exchange(image)])
    }

    func unplug() async throws { try await VirtualBoard.execute(Self.script, ["unplug", folder]) }

    private static let script = Workshop.root + "/board/virtual/guest"

    // MARK: commands

    /// Waits until the daemon answers.
    func answers() async throws {
        try await eventually("the daemon in the guest", within: Self.patience) {
            (try? await client.call(StatusCall.self))?.knowsItsWords == true
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
