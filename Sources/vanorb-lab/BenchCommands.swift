import ArgumentParser
import Control
import Foundation
import Glibc

/// Measures the command line as a person waits for it: whole processes, from start to end.
struct BenchCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-commands", abstract: "Measure how long commands of “vanorb” take, including imports.",
        discussion: """
            Starts the daemon five times, asks it for its status, and has it import, import again and export a ledger, \
            with a typed turn every 50 ms beside the import. Needs mosquitto. Build with -c release first; leave the \
            machine to itself.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Option(help: "The folder with deploy/ and board/.")
    var project = "."
    @Option(help: "How many rows are imported.")
    var rows = 100_000

    func run() async throws {
        guard rows > 0 else { throw ValidationError("--rows: at least 1 is expected") }
        let stage = try Stage(
            project: URL(filePath: project).path, crowd: 0, recognisers: ["recogniser.engine=pocketsphinx"])
        defer { stage.close() }
        let quiet = ["speech.auto_speak=false"]
        _ = try await stage.startDaemon(quiet)
        var starts: [Double] = []
        for _ in 0..<5 {
            stage.stopDaemon()
            starts.append(try await stage.startDaemon(quiet).seconds)
        }
        var figures = [Figure(name: "start to Ready, p50 of 5", value: starts.median, unit: "s", limit: 1)]

        let words = ["status"]
        let asked = try (0..<50).map { _ in try stage.command(words).milliseconds }
        for (name, share) in [("p50", 0.5), ("p95", 0.95)] {
            figures.append(
                Figure(name: "vanorb status, \(name) of 50", value: asked.percentile(share), unit: "ms", limit: 50))
        }

        let file = "\(stage.folder)/ledger.csv", copy = "\(stage.folder)/copy.csv"
        try Self.statement(rows).write(toFile: file, atomically: true, encoding: .utf8)
        let client = stage.client
        let turns = Task { try await Self.turns(client) }
        let imported = try stage.command(["import", "ledger", file]).seconds
        turns.cancel()
        let waited = try await turns.value
        let again = try stage.command(["import", "ledger", file]).seconds
        let exported = try stage.command(["export", "ledger", copy]).seconds
        let lines = try Data(contentsOf: URL(filePath: copy)).count { $0 == UInt8(ascii: "\n") }
        figures += [
            Figure(name: "import of \(rows) rows", value: imported, unit: "s", limit: 10),
            Figure(
                name: "a typed turn meanwhile, p50 of \(waited.count)", value: waited.median, unit: "ms", limit: nil),
            Figure(name: "a typed turn meanwhile, slowest", value: waited.max() ?? 0, unit: "ms", limit: nil),
            Figure(name: "import of the same rows again", value: again, unit: "s", limit: nil),
            Figure(name: "export of the ledger, \(lines - 1) rows", value: exported, unit: "s", limit: nil),
        ]
        try Figure.print(figures, json: json)
    }

    /// A statement of expenses and incomes over ten years, no two of them alike.
    private static func statement(_ rows: Int) -> String {
        let kinds = ["fuel", "groceries", "campsites", "repairs"]
        let first = Date(timeIntervalSince1970: 1_450_000_000)
        var lines = ["date,kind,amount,currency,category,note"]
        for row in 0..<rows {
            let day = first.addingTimeInterval(Double(row % 3_650) * 86_400)
            let kind = row.isMultiple(of: 20) ? "income" : "expense"
            let category = kind == "income" ? "" : kinds[row % kinds.count]
            let amount = String(format: "%d.%02d", 1 + row % 190, row % 100)
            lines.append("\(day.formatted(.iso8601.year().month().day())),\(kind),\(amount),GBP,\(category),row \(row)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Types turns until it is cancelled.
    /// - Returns: how long each took, in milliseconds.
    private static func turns(_ client: ControlClient) async throws -> [Double] {
        var times: [Double] = []
        while !Task.isCancelled {
            let start = ContinuousClock.now
            // Not ended by the cancellation: a started one is measured.
            _ = try await Task { try await client.call(SayCall.self, .init(text: "log diesel for fifty pounds")) }.value
            times.append(start.duration(to: .now).milliseconds)
            try? await Task.sleep(for: .milliseconds(50))
        }
        return times
    }
}

extension Stage {
    /// Runs a command of `vanorb`; what it prints is dropped.
    ///
    /// Not by `Process`: its `waitUntilExit` looks again after up to 20 ms, as much as the command takes.
    /// - Returns: how long it took as a whole process.
    /// - Throws: `Failure` where it could not be started, or did not end with 0.
    func command(_ arguments: [String]) throws -> Duration {
        let words = [programs + "/vanorb"] + arguments + ["--socket", folder + "/run/control.sock"]
        let vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let start = ContinuousClock.now
        var pid: pid_t = 0, status: Int32 = 0
        let error = posix_spawn(&pid, words[0], &actions, nil, vector, environ)
        guard error == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(error)))") }
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let length = start.duration(to: .now)
        guard status == 0 else { throw Failure(description: "\(words.joined(separator: " ")) failed (\(status))") }
        return length
    }
}
