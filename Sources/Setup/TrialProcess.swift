import Dispatch
import Foundation

/// Runs what may crash in a process of its own, for a program that must stay up.
package enum TrialProcess {
    /// The memory limit of a trial, as a damaged file may request any size: half of what systemd allows the daemon.
    private static let memory: UInt = 512 << 20
    /// The environment variables for the libraries. None by which systemd would take it for the daemon.
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
            throw TrialFailure(reason: "can't start \(program): \(error.localizedDescription)")
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
            throw TrialFailure(reason: "timed out after \(limit.components.seconds) s, or was killed")
        case .uncaughtSignal:
            throw TrialFailure(reason: "crashed: \(String(cString: strsignal(status)))")
        default:
            guard status != 0 else { return }
            let line = said?.split(separator: "\n").last.map(String.init) ?? "it ended with status \(status)"
            throw TrialFailure(reason: String(line.prefix(300)))
        }
    }

    /// Runs the present program, even if its file has been replaced since.
    /// - Throws: `TrialFailure`.
    package static func runThisProgram(_ arguments: [String], limit: Duration = .seconds(30)) throws {
        try run("/proc/\(getpid())/exe", arguments, limit: limit)
    }

    /// Prepares a process for a trial: it writes no core file, has a memory limit, and is the first to be killed when
    /// memory runs out.
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

/// A failed trial.
package struct TrialFailure: Error, Equatable, CustomStringConvertible {
    /// The program's last line of output, or how it ended.
    package let reason: String
    package var description: String { reason }
}
