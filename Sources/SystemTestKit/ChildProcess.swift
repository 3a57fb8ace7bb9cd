import Foundation

/// A program started by a test: its lines are collected as they come, and it is killed by its process id, at the latest
/// with this object.
package final class ChildProcess: @unchecked Sendable {
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
    /// The program's name, for messages.
    package let name: String

    /// Starts `path` with `arguments`; its standard output and error are collected together.
    /// - Parameter environment: what is added to this process's own environment.
    package init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
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
    package var lines: [String] { output.lines }

    /// True once it has ended and all that it printed has been read.
    package var hasSaidAll: Bool { !process.isRunning && output.hasEnded }

    /// Its process id.
    package var pid: Int32 { process.processIdentifier }

    /// False once it has ended.
    package var isRunning: Bool { process.isRunning }

    /// How it ended and what it printed, for messages.
    package var fate: String {
        guard !process.isRunning else { return "still runs, printed \(lines)" }
        let how = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        return "ended with \(how) \(process.terminationStatus), printed \(lines)"
    }

    /// Sends it a signal, if it still runs.
    package func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Kills it and waits until it is gone.
    package func end() {
        guard process.isRunning else { return }
        signal(SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until it has ended by itself and all that it printed has been read.
    /// - Returns: its exit status.
    package func exit(within limit: Duration = .seconds(60)) async throws -> Int32 {
        try await eventually("\(name) to end, it printed \(lines)", within: limit) { self.hasSaidAll }
        return process.terminationStatus
    }

    /// Waits until it has printed a line that contains `text`.
    package func printed(_ text: String, within limit: Duration = .seconds(60)) async throws {
        try await eventually("\(name) to print “\(text)”, it printed \(lines)", within: limit) {
            self.lines.contains { $0.contains(text) }
        }
    }
}

/// Runs a program to its end.
/// - Returns: what it printed.
/// - Throws: `NotInTime` for a status that is not 0, and after five minutes.
@discardableResult
package func run(
    _ path: String, _ arguments: [String], environment: [String: String] = [:]
) async throws -> [String] {
    let child = try ChildProcess(path, arguments, environment: environment)
    let status = try await child.exit(within: .seconds(300))
    guard status == 0 else { throw NotInTime(description: "\(path) \(arguments): \(status), \(child.lines)") }
    return child.lines
}
