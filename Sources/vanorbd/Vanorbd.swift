import Configuration
import Language
import ArgumentParser
import Control
import Foundation
import Logging
import Setup
import VoiceESpeak

/// The daemon.
@main
struct Vanorbd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vanorbd", abstract: "VanOrb's daemon.",
        version: Release.version)

    /// Wrong settings: systemd does not restart what ends with this status (EX_CONFIG).
    static let wrongSettings = ExitCode(78)

    @Option(help: "The file with all settings and their defaults.")
    var defaults = "/usr/share/vanorb/defaults.yaml"
    @Option(help: "The owner's settings. The standard file may be missing; a named one must exist.")
    var settings: String?
    @Option(help: ArgumentHelp("Override a setting for this run.", valueName: "key=value"))
    var set: [String] = []
    @Flag(
        help: ArgumentHelp(
            "Check settings, devices, phrasebooks and the board's hardware, then exit.",
            discussion: "Exits 78 if a file is invalid, 1 if hardware is missing."))
    var check = false
    @Flag(help: "Turn motor and ring off and restore volumes after a daemon that was killed, then exit.")
    var makeSafe = false

    @Flag(
        help: ArgumentHelp(
            "Print the systemd drop-in that allows another broker and a second backup path, then exit.",
            visibility: .hidden))
    var sandboxAccess = false

    @Option(
        help: ArgumentHelp(
            "Without a daemon: print in JSON what restoring FILE or “newest” would do.", valueName: "backup"))
    var restorePlan: String?
    @Option(help: ArgumentHelp("Without a daemon: restore FILE or “newest”; prints JSON.", valueName: "backup"))
    var restore: String?
    @Flag(help: "Without a daemon: check what can be checked, and print it in JSON.")
    var examine = false
    @Option(help: ArgumentHelp("Without a daemon: answer a call about settings in JSON.", visibility: .hidden))
    var answer: String?
    @Option(help: ArgumentHelp("The arguments of that call, in JSON.", visibility: .hidden))
    var arguments = "{}"

    @Option(
        help: ArgumentHelp(
            "Load the constrained recogniser of this folder and run it on silence in this process, then exit.",
            visibility: .hidden))
    var tryConstrainedRecogniser: String?

    @Option(
        help: ArgumentHelp(
            "The same with the streaming recogniser's acoustic model in this folder.", visibility: .hidden))
    var tryRecogniser: String?
    @Option(
        help: ArgumentHelp("The same with the general language model in this folder.", visibility: .hidden))
    var tryDictation: String?
    @Option(
        help: ArgumentHelp(
            "Synthesise the emergency replies of this language in this process, without sound, then exit.",
            visibility: .hidden))
    var tryVoice: String?
    @Option(
        help: ArgumentHelp(
            "Run the voice activity of this folder on silence in this process, then exit.", visibility: .hidden))
    var tryVoiceActivity: String?

    private static let ownersSettings = "/etc/vanorb/vanorb.yaml"

    func run() async throws {
        if try await isTrial() { return }
        ProcessFacts.keepMemoryTogether()
        LoggingSystem.bootstrap { AdjustableLog(label: $0) }
        let logger = Logger(label: "vanorbd")
        if examine || restore != nil || restorePlan != nil || answer != nil { return try await answerWithoutDaemon() }
        let appliance: Appliance
        var missing: [BoardCheck.Finding] = [], claims: Claims?
        do {
            let loaded = try load()
            LogLevel.shared.set(loaded.logLevel.rawValue)
            // A check may run as root, whose folders the daemon could not use.
            for folder in [loaded.data, loaded.run] where !check {
                try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            if sandboxAccess { return print(SandboxAccess.dropIn(for: loaded) ?? "", terminator: "") }
            let backoff = RestartBackoff(run: loaded.run)
            if makeSafe, RestartBackoff.endedBadly(environment: ProcessInfo.processInfo.environment) {
                backoff.note(at: KernelClock.sinceBoot)
            }
            let board = try Board(file: loaded.board, run: loaded.run)
            if makeSafe { return SafeState(board: board, settings: loaded, logger: logger).restore() }
            if check {
                missing = BoardCheck().findings(of: board)
            } else {
                await Self.wait(backoff, logger)
                // Before anything is touched: what is there may be in use by another daemon.
                claims = try Claims(loaded)
                board.makeSilentRoom(run: loaded.run)
            }
            appliance = try await Appliance(
                DaemonEnvironment(source: source, settings: loaded, board: board, logger: logger, isCheck: check))
        } catch let error as ConfigurationError {
            Self.printError("\(error)")
            throw Self.wrongSettings
        } catch let error as DataInUse {
            Self.printError("\(error)")
            throw ExitCode.failure
        }
        if check {
            let problems = appliance.health.all.filter { $0.state == .failed && $0.name.hasPrefix("phrasebook ") }
            for problem in problems { Self.printError(problem.detail) }
            guard problems.isEmpty else { throw Self.wrongSettings }
            print("The settings are valid.")
            for finding in missing { Self.printError(finding.line) }
            guard missing.isEmpty else { throw ExitCode.failure }
            return
        }
        try await appliance.run(claim: claims?.socket)
        try? appliance.storage.database?.close()
        ProcessRestart.executeWithoutSupervisor()
    }

    /// Prints an error. It may quote what is in a file.
    private static func printError(_ text: String) {
        FileHandle.standardError.write(Data("vanorbd: \(TerminalText.harmless(lines: text))\n".utf8))
    }

    /// Runs a trial that may crash this process, for a daemon that must stay up.
    /// - Returns: false where nothing of that kind is asked for.
    private func isTrial() async throws -> Bool {
        if let tryConstrainedRecogniser {
            try ConstrainedRecogniserTrial.here(tryConstrainedRecogniser)
        } else if let tryRecogniser {
            try Trials.recogniserHere(tryRecogniser)
        } else if let tryDictation {
            try Trials.dictationHere(tryDictation)
        } else if let tryVoiceActivity {
            try Trials.voiceActivityHere(tryVoiceActivity)
        } else if let tryVoice {
            let language = LanguageFolder(language: tryVoice, root: LanguageFolder.shippedRoot)
            let order = try Phrasebooks(folder: language, customFiles: []).speaking.voices
            try await Trials.voiceHere(ESpeakVoice(order: order, logger: Logger(label: "trial")), language: language)
        } else {
            return false
        }
        return true
    }

    private var source: SettingsSource {
        SettingsSource(
            defaults: defaults, owner: settings ?? Self.ownersSettings, mayBeMissing: settings == nil, overrides: set)
    }

    private func load() throws -> Settings { try source.load() }

    /// For `vanorb`, where no daemon answers it.
    private func answerWithoutDaemon() async throws {
        let isDone = await WithoutDaemon.answer {
            if let answer { return try await WithoutDaemon.answer(answer, arguments, source) }
            if examine {
                return await WithoutDaemon.examine {
                    let settings = try load()
                    return (settings, try Board(file: settings.board, run: settings.run))
                }
            }
            let without = WithoutDaemon(settings: try load())
            return if let restorePlan { try await without.plan(restorePlan) } else {
                try await without.restore(restore ?? "newest")
            }
        }
        guard isDone else { throw ExitCode.failure }
    }

    /// Waits after several recent failures, so that a lasting fault does not keep the board busy.
    private static func wait(_ backoff: RestartBackoff, _ logger: Logger) async {
        let (ends, wait) = backoff.due(at: KernelClock.sinceBoot)
        guard wait > .zero else { return }
        let text = "waiting \(wait.components.seconds) s: failed \(ends) times in the last ten minutes"
        logger.warning("\(text)")
        SystemdNotify.send("STATUS=\(text)\nEXTEND_TIMEOUT_USEC=\((wait.components.seconds + 90) * 1_000_000)")
        try? await Task.sleep(for: wait)
        SystemdNotify.send("STATUS=")
    }
}

/// The locks that only one daemon holds.
private struct Claims {
    let data: DataClaim?, socket: SocketClaim

    init(_ settings: Settings) throws {
        data = try DataClaim(folder: settings.data)
        socket = try SocketClaim(path: settings.controlSocket)
    }
}
