import Foundation
import SystemTestKit
import Testing

@testable import Control

/// The built `vanorb` against a real server.
@Suite(.serialized) struct CommandLineTests {
    private struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The products' folder: that of the running test bundle.
    private static let vanorb =
        (FileManager.default.currentExecutable as NSString).deletingLastPathComponent + "/vanorb"

    private func start(_ arguments: [String], socket: String) throws -> (Process, Pipe, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.vanorb)
        process.arguments = arguments
        process.environment = ["VANORB_SOCKET": socket, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, output, errors)
    }

    private func run(_ arguments: String..., socket: String) async throws -> Outcome {
        try await run(arguments, socket: socket)
    }

    private func run(_ arguments: [String], socket: String) async throws -> Outcome {
        let (process, output, errors) = try start(arguments, socket: socket)
        // Its output is short of what a pipe holds, so that reading one after the other cannot block it.
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let printed = output.fileHandleForReading.readDataToEndOfFile()
                let complained = errors.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(
                    returning: Outcome(
                        status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
                        errors: String(decoding: complained, as: UTF8.self)
                    )
                )
            }
        }
    }

    private func calls() -> CallTable {
        var calls = echoCalls()
        calls.register(LedgerListCall.self) { arguments in
            let amounts: [(Int64, String, Int)] = [
                (1_250, "GBP", 2), (5, "EUR", 2), (500, "JPY", 0), (12_345, "KWD", 3),
            ]
            let rows = amounts.enumerated().map { index, amount in
                LedgerRow(
                    id: Int64(index + 1), kind: index == 1 ? .income : .expense,
                    amount: MoneyAmount(minorUnits: amount.0, currency: amount.1, exponent: amount.2),
                    category: "diesel", date: Date(timeIntervalSince1970: 0)
                )
            }
            return LedgerListResult(
                entries: Array(rows.prefix(arguments.limit ?? 20)),
                balances: [MoneyAmount(minorUnits: -1_250, currency: "GBP")]
            )
        }
        return calls
    }

    @Test func say_printsTheReply() async throws {
        try await withServer { path in
            let outcome = try await run("say", "log", "diesel", socket: path)
            #expect(outcome.status == 0)
            #expect(outcome.output == "log diesel\n")
        }
    }

    @Test func say_whatIsNotUnderstood_exitsOne() async throws {
        var calls = CallTable()
        calls.register(SayCall.self) { arguments in
            var turn = echo(arguments.text)
            turn.outcome = .fallback
            turn.reply = "Sorry, I didn't catch that."
            return turn
        }
        try await withServer(calls: calls) { path in
            let outcome = try await run("say", "fly me to the moon", "--json", socket: path)
            #expect(outcome.status == 1)
            let turn = try ControlJSON.decode(TraceRecord.self, from: Data(outcome.output.utf8))
            #expect(turn.outcome == .fallback)
        }
    }

    @Test func ledger_showsMoneyAligned() async throws {
        try await withServer(calls: calls()) { path in
            let outcome = try await run("ledger", "list", socket: path)
            #expect(
                outcome.output == """
                    no  date                   amount  category  merchant  note
                     1  1 Jan 1970, 00:00      £12.50  diesel
                     2  1 Jan 1970, 00:00      +€0.05  diesel
                     3  1 Jan 1970, 00:00      JP¥500  diesel
                     4  1 Jan 1970, 00:00  KWD 12.345  diesel

                    balance  -£12.50

                    """
            )
            #expect(try await run("ledger", "list", "--limit", "1", socket: path).output.contains("+") == false)
        }
    }

    @Test func words_listsWhatMayNeedHelp_andSendsWhatIsSet() async throws {
        var calls = CallTable()
        calls.register(WordsCall.self) { arguments in
            WordsResult(
                words: arguments.words == nil
                    ? [
                        WordRow(word: "qx#", source: .none, phones: []),
                        WordRow(
                            word: "lidl", source: .yours, phones: ["L IH D AH L", "L IY D AH L"],
                            spellings: ["lid ul"], used: false),
                    ] : [], more: arguments.all == true ? 7 : 0, vocabulary: 3)
        }
        calls.register(WordSetCall.self) { arguments in
            Acknowledgement(message: "\(arguments.word): \(arguments.spellings?.joined(separator: ", ") ?? "nothing")")
        }
        calls.register(WordSpeakCall.self) { arguments in
            WordSpeakResult(
                word: WordRow(word: arguments.word, source: .guessed, phones: ["L"]),
                sound: arguments.returnsSound == true ? Data("sound".utf8) : nil)
        }
        try await withFolder { folder in
            let file = "\(folder)/word.wav"
            try await withServer(calls: calls) { path in
                let list = try await run("words", "list", "--all", socket: path)
                #expect(
                    list.output == """
                        word  from   phones
                        qx#   none
                        lidl  yours  L IH D AH L, L IY D AH L  “lid ul”, not in use
                        and 7 more

                        """)
                #expect(try await run("words", "list", "lidl", socket: path).output.hasPrefix("All 3 words"))
                let set = try await run("words", "set", "lidl", "lid ul", "lee dul", socket: path)
                #expect(set.output == "lidl: lid ul, lee dul\n")
                #expect(try await run("words", "remove", "lidl", socket: path).output == "lidl: nothing\n")
                #expect(try await run("words", "speak", "lidl", "--file", file, socket: path).status == 0)
                #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("sound".utf8))
                let lost = try await run("words", "speak", "lidl", "--file", "/nowhere/word.wav", socket: path)
                #expect(lost.status == 1 && lost.errors.contains("/nowhere/word.wav"))
                let many = try await run("words", "set", "a", "b", "c", "d", "e", "f", "g", "h", socket: path)
                #expect(many.status == 1 && many.errors.contains("1 to 6"))
            }
        }
    }

    @Test func hear_sendsTheFile_orSaysWhyNot() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: "\(folder)/uploads")
            var calls = CallTable()
            table.register(in: &calls)
            calls.registerForConnection(HearFinishCall.self) { arguments, connection in
                try await table.use(arguments.upload, on: connection) { path in
                    echo("\(try Data(contentsOf: URL(fileURLWithPath: path)).count) bytes")
                }
            }
            let recording = "\(folder)/long.wav"
            try Data(count: 1_500_000).write(to: URL(fileURLWithPath: recording))
            try Data().write(to: URL(fileURLWithPath: "\(folder)/empty.wav"))
            try await withServer(calls: calls) { path in
                let heard = try await run("hear", recording, socket: path)
                #expect(heard.status == 0)
                #expect(heard.output == "1500000 bytes\n")
                for (file, reason) in [("none.wav", "no such file"), ("empty.wav", "empty"), ("uploads", "folder")] {
                    let refused = try await run("hear", "\(folder)/\(file)", socket: path)
                    #expect(refused.status == 1)
                    #expect(refused.errors.contains(reason), "\(refused.errors)")
                    #expect(refused.errors.contains(file))
                }
            }
        }
    }

    @Test(arguments: [
        ["fly"], ["press", "kick"], ["press", "tap", "--for", "2"], ["press", "hold", "--for", "-1"], ["hear"], ["say"],
        ["words", "set", "lidl"], ["words", "speak"],
        ["trace", "0"], ["trace", "51"], ["ledger", "list", "--limit", "x"],
    ])
    func wrongUsage_exits64(_ arguments: [String]) async throws {
        let (process, _, _) = try start(arguments, socket: "/nowhere")
        await ended(process)
        #expect(process.terminationStatus == 64)
    }

    @Test func withoutADaemon_exits2_andSaysWhatToDo() async throws {
        let outcome = try await run("status", socket: "/nowhere/control.sock")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("/nowhere/control.sock"))
        #expect(outcome.errors.contains("systemctl"))
        let json = try await run("undo", "--json", "--socket", "/nowhere/else", socket: "/nowhere/control.sock")
        #expect(json.status == 2)
        #expect(json.errors.contains("{\"error\":{\"code\":\"daemon-unreachable\""))
    }

    /// Takes as long as a daemon may say nothing: twenty seconds, which all of them wait at the same time.
    @Test func daemonThatHangs_exits2_andSaysSo() async throws {
        try await withFolder { folder in
            let daemon = try SilentDaemon("\(folder)/control.sock", greets: true)
            defer { daemon.stop() }
            try await withThrowingTaskGroup(of: Outcome.self) { group in
                for arguments in [["status"], ["watch", "--plain"], ["backup"]] {
                    group.addTask { try await run(arguments, socket: daemon.path) }
                }
                for try await outcome in group {
                    #expect(outcome.status == 2)
                    #expect(outcome.errors.contains("no longer answers"), "\(outcome.errors)")
                    #expect(outcome.errors.contains("systemctl restart vanorb"), "\(outcome.errors)")
                }
            }
        }
    }

    @Test func failedCall_exits1_withItsMessage() async throws {
        try await withServer { path in
            let outcome = try await run("undo", socket: path)
            #expect(outcome.status == 1)
            #expect(outcome.errors == "vanorb: There is nothing to undo.\n")
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func exportThatIsInterrupted_leavesNothingBehind(signal: Int32) async throws {
        var calls = echoCalls()
        // The first piece, and then nothing more.
        let (pieces, next) = AsyncThrowingStream<ExportPiece, any Error>.makeStream()
        calls.register(ExportStream.self) { _ in pieces }
        next.yield(ExportPiece(text: "date,amount\n", rows: 1, of: 2))
        // Run by nohup, or behind a shell, it would inherit that this is ignored.
        let before = Foundation.signal(signal, SIG_DFL)
        defer { _ = Foundation.signal(signal, before) }
        try await withServer(calls: calls) { path in
            let folder = (path as NSString).deletingLastPathComponent + "/out"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let (process, _, _) = try start(["export", "ledger", "\(folder)/ledger.csv"], socket: path)
            @Sendable func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
            try await eventually("the table is on its way") {
                files().contains { FileManager.default.contents(atPath: "\(folder)/\($0)")?.isEmpty == false }
            }
            kill(process.processIdentifier, signal)
            await ended(process)
            #expect(process.terminationStatus == 128 + signal)
            #expect(files().isEmpty, "\(files())")
        }
    }

    @Test func watch_printsEachEventAtOnce_andEndsOnAnInterrupt() async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            let (process, output, _) = try start(["watch"], socket: path)
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.partial("log diesel", audioSeconds: 1.25))
            hub.publish(.ring(look: "thinking", palette: "finance"))
            hub.publish(.notice("bell\u{7} and \u{1B}[31mcolour"))
            hub.publish(WatchEvent(kind: "of-the-future"))
            hub.publish(.turn(echo("log diesel")))
            var printed = ""
            while !printed.contains("turn") { printed += await next(output) }
            #expect(printed.contains("partial     1.25 s  log diesel\n"))
            #expect(printed.contains("ring        thinking, finance\n"))
            #expect(printed.contains("notice      bell  and  [31mcolour\n"))
            kill(process.processIdentifier, SIGINT)
            await ended(process)
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
        }
    }

    @Test func watch_endsInOrder_whenItsReaderIsGone() async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            let (process, output, _) = try start(["watch", "--json"], socket: path)
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.chime("start"))
            #expect(await next(output) == "{\"kind\":\"chime\",\"text\":\"start\"}\n")
            try output.fileHandleForReading.close()
            hub.publish(.chime("end"))
            await ended(process)
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
        }
    }

    @Test func watch_saysThatTheDaemonIsAway_andFindsItAgain() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let (process, output, errors) = try await watchedOnce(["watch", "--plain"], path)
            #expect(
                await text(from: output, until: "Reconnecting.\n")
                    == "daemon      VanOrb does not answer. Reconnecting.\n")
            let hub = WatchHub()
            hub.publish(.status("Ready", state: .ready))
            try await withRunning(server(path, hub)) {
                let back = await text(from: output, until: "Ready\n")
                #expect(back == "daemon      VanOrb is back.\nstatus      Ready\n")
            }
            #expect(await text(from: output, until: "Reconnecting.\n").hasPrefix("daemon      VanOrb does not answer"))
            // While it waits, too.
            kill(process.processIdentifier, SIGINT)
            await ended(process)
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
            #expect(await next(errors).isEmpty)
        }
    }

    @Test func watchInJSON_writesNothingButEvents_whenTheDaemonGoesAndComes() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let (process, output, errors) = try await watchedOnce(["watch", "--json"], path)
            #expect(await text(from: errors, until: "\n").hasPrefix("{\"error\":{\"code\":\"daemon-unreachable\""))
            let hub = WatchHub()
            hub.publish(.status("Ready", state: .ready))
            try await withRunning(server(path, hub)) {
                let line = await text(from: output, until: "\n")
                let event = try? ControlJSON.decode(WatchEvent.self, from: Data(line.utf8))
                #expect(event == .status("Ready", state: .ready), "\(line)")
            }
            kill(process.processIdentifier, SIGTERM)
            await ended(process)
            #expect(process.terminationStatus == 0)
        }
    }

    @Test(arguments: ["--plain", "--json"]) func watch_withoutADaemonFromTheBeginning_exits2(form: String) async throws
    {
        let outcome = try await run("watch", form, socket: "/nowhere/control.sock")
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("/nowhere/control.sock"))
    }

    /// A watch that has printed an event of a daemon that is gone again.
    private func watchedOnce(_ arguments: [String], _ path: String) async throws -> (Process, Pipe, Pipe) {
        let hub = WatchHub()
        return try await withRunning(server(path, hub)) {
            let (process, output, errors) = try start(arguments, socket: path)
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.notice("before"))
            #expect(await text(from: output, until: "\n").contains("before"))
            return (process, output, errors)
        }
    }

    private func server(_ path: String, _ hub: WatchHub) -> ControlServer {
        ControlServer(
            socket: .init(path: path), identity: .init(version: "1.2.3"), calls: echoCalls(), watch: hub,
            logger: .init(label: "test"))
    }

    /// Reads until `wanted` has come, or the end.
    private func text(from pipe: Pipe, until wanted: String) async -> String {
        var text = ""
        while !text.contains(wanted) {
            let piece = await next(pipe)
            guard !piece.isEmpty else { break }
            text += piece
        }
        return text
    }

    private func next(_ pipe: Pipe) async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self))
            }
        }
    }

    /// Waits for its end; one that does not come ends the program, and is a fault.
    private func ended(_ process: Process) async {
        let watchdog = DispatchWorkItem {
            Issue.record("the program has not ended after a minute")
            kill(process.processIdentifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        defer { watchdog.cancel() }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                process.waitUntilExit()
                continuation.resume()
            }
        }
    }
}

extension FileManager {
    /// The running program's path.
    var currentExecutable: String {
        (try? destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }
}
