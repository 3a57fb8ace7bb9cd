import Foundation

/// A program started by a test: its lines are collected as they come, and it is ended by its pid, at the latest with
/// this object.
final class ChildProcess: @unchecked Sendable {
    /// What the reading thread keeps. It must not keep the child itself, which would then never end.
    private final class Output: @unchecked Sendable {
        // Unchecked: `collected` is guarded by `lock`.
        private let lock = NSLock()
        private var collected: [String] = []

        var lines: [String] { lock.withLock { collected } }

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
        }
    }

    // Unchecked: nothing here changes after `init`, and `Process` may be asked and ended from any thread.
    private let output = Output()
    private let process = Process()
    let name: String

    /// Starts `path` with `arguments`; its standard output and error are collected together.
    init(_ path: String, _ arguments: [String]) throws {
        name = URL(fileURLWithPath: path).lastPathComponent
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
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

    /// Its process id.
    var pid: Int32 { process.processIdentifier }

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

    /// Waits until it ends by itself.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits until it has printed a line that contains `text`.
    func printed(_ text: String, within limit: Duration = .seconds(30)) async throws {
        try await eventually("\(name) to print “\(text)”, it printed \(lines)", within: limit) {
            self.lines.contains { $0.contains(text) }
        }
    }
}

/// A condition did not come true in time.
struct NotInTime: Error, CustomStringConvertible {
    let description: String
}

/// Waits until `condition` holds, and throws when it does not within `limit`.
func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(30), _ condition: () async -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while await !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime(description: "waited \(limit) for \(what())") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// A folder that is removed with the object.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("vanorb-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
