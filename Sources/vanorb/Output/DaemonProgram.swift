import Control
import Foundation

/// The daemon's program, run by hand where no daemon answers: it can restore, and examine, without one.
enum DaemonProgram {
    private struct Refusal: Decodable { let error: ControlError }

    /// Runs it and reads its answer.
    /// - Throws: `ControlError` as it reported it, or where it cannot be run.
    static func ask<Answer: Decodable>(_ arguments: [String], for type: Answer.Type) async throws -> Answer {
        let path = try path()
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw failure("Can't run \(path): \(error.localizedDescription)")
        }
        let answer: Data = await withCheckedContinuation { done in
            DispatchQueue.global().async {
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                done.resume(returning: data)
            }
        }
        if let refusal = try? ControlJSON.decode(Refusal.self, from: answer) {
            let advice = geteuid() == 0 ? "" : " If permission was denied, try again with sudo."
            throw ControlError(code: refusal.error.code, message: refusal.error.message + advice)
        }
        do { return try ControlJSON.decode(Answer.self, from: answer) } catch {
            throw failure(
                "\(path) failed (status \(process.terminationStatus)). Run `vanorbd --check`.")
        }
    }

    /// Beside this program, or where the package puts it; `VANORB_DAEMON` names another.
    private static func path() throws -> String {
        if let named = ProcessInfo.processInfo.environment["VANORB_DAEMON"] { return named }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/usr/bin/vanorb"
        let candidates = [(own as NSString).deletingLastPathComponent + "/vanorbd", "/usr/bin/vanorbd"]
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw failure("vanorbd is not installed: \(candidates.joined(separator: ", "))")
        }
        return found
    }

    /// The code of its failure to answer at all.
    static let noDaemon = "no-daemon"

    private static func failure(_ message: String) -> ControlError { ControlError(code: noDaemon, message: message) }
}
