import ArgumentParser
import Control

/// `vanorb doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check every part. Exits 1 if one has failed.",
        discussion: """
            Each part passes, has a warning or fails, with the reason and the fix. The devices' topics are checked, too: \
            retained commands, topics without messages, invalid discovery messages. Works without the daemon.
            """)
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            let findings: [PartStatus]
            do {
                let status = try await client.call(StatusCall.self)
                findings = Self.findings(status, try await client.call(DevicesTestCall.self))
            } catch let error as DaemonUnreachable where !error.isForbidden {
                findings = try await Self.without(error)
            }
            try output.show(findings, Self.lines)
            guard findings.allSatisfy({ $0.state != .failed }) else { throw ExitCode.failure }
        }
    }

    /// What can be found while the daemon does not answer.
    private static func without(_ error: DaemonUnreachable) async throws -> [PartStatus] {
        var findings: [PartStatus]
        do { findings = try await DaemonProgram.ask(["--examine"], for: [PartStatus].self) } catch is ControlError {
            // Without the program, only this is known.
            throw error
        }
        if let place = findings.firstIndex(where: { $0.name == "daemon" }) {
            findings[place] = PartStatus(
                name: "daemon", state: .failed, detail: "no answer on \(error.path) (\(error.detail))",
                advice: findings[place].advice)
        }
        return findings
    }

    /// What was found of each part.
    static func findings(_ status: StatusResult, _ devices: DevicesTestResult) -> [PartStatus] {
        let daemon = PartStatus(
            name: "daemon", state: .ok,
            detail: "version \(status.version), up \(Text.duration(status.uptimeSeconds)), "
                + "\(Text.megabytes(status.residentBytes))")
        let sound = PartStatus(
            name: "topics", state: .ok, detail: "\(devices.count) devices, no problems")
        return [daemon] + status.parts
            + (devices.problems.isEmpty
                ? [sound] : devices.problems.map { PartStatus(name: "topics", state: .warning, detail: $0) })
    }

    private static func lines(_ findings: [PartStatus]) -> [String] {
        var table = Table([("", .left), ("part", .left), ("finding", .left)])
        for part in findings {
            let mark =
                switch part.state {
                case .ok: "pass"
                case .warning: "warning"
                case .failed: "FAILED"
                }
            table.add([mark, part.name, part.detail + (part.advice.map { " – \($0)" } ?? "")])
        }
        func count(_ state: PartStatus.State) -> Int { findings.count { $0.state == state } }
        return table.lines + ["\(count(.ok)) passed, \(count(.warning)) with a warning, \(count(.failed)) failed."]
    }
}
