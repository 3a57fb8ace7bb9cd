import Dispatch
import Foundation

/// Library and model at work, before anything depends on them. What is damaged, or made for another processor, may end the
/// process that loads it: so that is done in one of its own.
public enum MoonshineTrial {
    /// Loads library and model and lets them hear a second of silence. For a process that may end by it.
    /// - Throws: `MoonshineError`.
    public static func run(folder: String) throws {
        // Nobody reads what such an end leaves behind.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let model = try MoonshineModel(folder: folder, OnnxSettings())
        let silence = [Float](repeating: 0, count: 16_000)
        let decoding = try model.hear(silence, rows: 2, steps: 4, stop: OnnxStop(model.library))
        try decoding.begin(Tokeniser.start)
        try decoding.step([(0, 300), (0, 301)])
    }

    /// Runs a program that does that, and waits for its end.
    /// - Parameters:
    ///   - program: its path.
    ///   - limit: after which it is ended.
    /// - Throws: `MoonshineError` where it fails, dies or takes longer.
    public static func run(_ program: String, _ arguments: [String], limit: Duration = .seconds(30)) throws {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let own = ProcessInfo.processInfo.environment
        // Nothing by which systemd would take it for the daemon.
        process.environment = own.filter { ["LD_LIBRARY_PATH", "PATH"].contains($0.key) }
            .merging(["LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        do { try process.run() } catch {
            throw failure("\(program) cannot be started: \(error.localizedDescription)")
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
            throw failure("it had not heard a second of silence after \(limit.components.seconds) s, or was killed")
        case .uncaughtSignal:
            throw failure("it crashed: \(String(cString: strsignal(status)))")
        default:
            guard status != 0 else { return }
            let line = said?.split(separator: "\n").last.map(String.init) ?? "it ended with status \(status)"
            throw failure(String(line.prefix(300)))
        }
    }

    private static func failure(_ detail: String) -> MoonshineError {
        MoonshineError(call: "trial", detail: "\(detail). Get it again with deploy/second-ear")
    }
}
