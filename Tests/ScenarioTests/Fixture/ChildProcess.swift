import Foundation

/// A program started by a test: its lines are collected as they come, and it is ended by its pid, at the latest with
/// this object.
final class ChildProcess: @unchecked Sendable {
    /// What the reading thread keeps. It must not keep the child itself, which would then never end.
    private final class Output: @unchecked Sendable {
        // Unchecked: everything is guarded by `lock`.
        private let lock = NSLock()
        private var collected: [String] = []
        private var isComplete = false

        var lines: [String] { lock.withLock { collected } }
        var hasEnded: Bool { lock.withLock { isComplete } }

        func read(_ handle: FileHandle) {
            var rest = Data()
            while case let data = handle.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: 10) {
                    let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    lock.withLock { collected.append(line) }
                    rest = Data(rest[rest.index(after: end)...])
                }
            }
            lock.withLock {
                if !rest.isEmpty { collected.append(String(decoding: rest, as: UTF8.self)) }
                isComplete = true
            }
        }
    }

    // Unchecked: nothing here changes after `init`, and `Process` may be asked and ended from any thread.
    private let output = Output()
    private let process = Process()
    let name: String

    /// Starts `path` with `arguments`; its standard output and error are collected together.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        name = URL(fileURLWithPath: path).lastPathComponent
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let (handle, output) = (pipe.fileHandleForReading, output)
        Thread { output.read(handle) }.start()
    }

    deinit { end() }

    /// The lines so far.
    var lines: [String] { output.lines }

    /// True once it has ended and all it printed has been read.
    var hasSaidAll: Bool { !process.isRunning && output.hasEnded }

    /// Its process id.
    var pid: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// How it ended and what it printed, for messages.
    var fate: String {
        guard !process.isRunning else { return "still runs, printed \(lines)" }
        let how = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        return "ended with \(how) \(process.terminationStatus), printed \(lines)"
    }

    /// Sends it a signal, if it still runs.
    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Kills it and waits until it is gone.
    func end() {
        guard process.isRunning else { return }
        signal(SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until it has ended by itself and all it printed has been read.
    /// - Returns: its exit status.
    func exit(within limit: Duration = .seconds(60)) async throws -> Int32 {
        try await eventually("\(name) to end, it printed \(lines)", within: limit) {
            self.hasSaidAll
        }
        return process.terminationStatus
    }

    /// Waits until it has printed a line that contains `text`.
    func printed(_ text: String, within limit: Duration = .seconds(60)) async throws {
        try await eventually("\(name) to print “\(text)”, it printed \(lines)", within: limit) {
            self.lines.contains { $0.contains(text) }
        }
    }
}

/// A condition did not come true in time, or a program did not do what it should.
struct NotInTime: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` holds, and throws when it does not within `limit`.
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime(description: "waited \(limit) for \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Runs a program to its end.
/// - Returns: what it printed.
@discardableResult
func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) async throws -> [String] {
    let child = try ChildProcess(path, arguments, environment: environment)
    let status = try await child.exit(within: .seconds(300))
    guard status == 0 else { throw NotInTime(description: "\(path) \(arguments): \(status), \(child.lines)") }
    return child.lines
}

/// A folder that is removed with the object. Its path is short: a socket's path has at most 107 bytes.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("vanorb-\(UUID().uuidString.prefix(13))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
