import Dispatch
import Foundation

/// A program that does what may end its process, in place of one that must stay up.
package enum TrialProcess {
    /// What a trial may take of memory: a damaged file may ask for any size. Half of what systemd allows the daemon.
    private static let memory: UInt = 512 << 20
    /// What of the environment concerns the libraries. Nothing by which systemd would take it for the daemon.
    private static let environment: Set = ["LD_LIBRARY_PATH", "PATH", "ESPEAK_DATA_PATH"]

    /// Runs a program and waits for its end.
    /// - Parameters:
    ///   - program: its path.
    ///   - limit: after which it is ended.
    /// - Throws: `TrialFailure` where it fails, dies or takes longer.
    package static func run(_ program: String, _ arguments: [String], limit: Duration = .seconds(30)) throws {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { environment.contains($0.key) }
            .merging(["LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        do { try process.run() } catch {
            throw TrialFailure(reason: "\(program) cannot be started: \(error.localizedDescription)")
        }
        let alarm = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(Int(limit / .milliseconds(1))), execute: alarm)
        let said = (try? output.fileHandleForReading.readToEnd()).flatMap {
            $0.map { String(decoding: $0, as: UTF8.self) }
        }
        process.waitUntilExit()
        alarm.cancel()
        let status = process.terminationStatus
        switch process.terminationReason {
        case .uncaughtSignal where status == SIGKILL:
            throw TrialFailure(reason: "it had not finished after \(limit.components.seconds) s, or was killed")
        case .uncaughtSignal:
            throw TrialFailure(reason: "it crashed: \(String(cString: strsignal(status)))")
        default:
            guard status != 0 else { return }
            let line = said?.split(separator: "\n").last.map(String.init) ?? "it ended with status \(status)"
            throw TrialFailure(reason: String(line.prefix(300)))
        }
    }

    /// Runs the program that is running now, whatever has become of its file since.
    /// - Throws: `TrialFailure`.
    package static func runThisProgram(_ arguments: [String], limit: Duration = .seconds(30)) throws {
        try run("/proc/\(getpid())/exe", arguments, limit: limit)
    }

    /// What the process that may end does first: it leaves no core behind, takes a bounded part of the memory, and is
    /// the first to be ended where there is too little.
    package static func prepare() {
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_DATA, to: memory)
        try? Data("1000".utf8).write(to: URL(filePath: "/proc/self/oom_score_adj"))
    }

    private static func limit(_ what: __rlimit_resource, to bytes: UInt) {
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        setrlimit(__rlimit_resource_t(what.rawValue), &limit)
    }
}

/// A trial that came to nothing.
package struct TrialFailure: Error, Equatable, CustomStringConvertible {
    /// The program's last words, or how it ended.
    package let reason: String
    package var description: String { reason }
}
