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
        commandName: "vanorbd", abstract: "VanOrb's daemon: listens, understands, acts and answers.",
        version: Release.version)

    /// Wrong settings: systemd does not restart what ends with this status (EX_CONFIG).
    static let wrongSettings = ExitCode(78)

    @Option(help: "Every setting with its default.")
    var defaults = "/usr/share/vanorb/defaults.yaml"
    @Option(help: "The owner's settings. The standard file may be missing; one that is named must exist.")
    var settings: String?
    @Option(help: ArgumentHelp("A setting for this run, over all files.", valueName: "key=value"))
    var set: [String] = []
    @Flag(
        help: ArgumentHelp(
            "Check settings, devices, phrasebooks, and whether the machine has what the board file names, and end.",
            discussion: "Ends with 78 where a file is wrong, with 1 where hardware is missing."))
    var check = false
    @Flag(help: "Leave motor and ring off and the volume as it was, after a daemon that could not; and end.")
    var makeSafe = false

    @Flag(
        help: ArgumentHelp(
            "Print the drop-in by which systemd lets it reach a broker elsewhere and write backups to a second place; and end.",
            visibility: .hidden))
    var sandboxAccess = false

    @Option(
        help: ArgumentHelp(
            "Without a daemon: say in JSON what restoring FILE or “newest” would do.", valueName: "backup"))
    var restorePlan: String?
    @Option(help: ArgumentHelp("Without a daemon: restore FILE or “newest”; answers in JSON.", valueName: "backup"))
    var restore: String?
    @Flag(help: "Without a daemon: examine what can be, and tell it in JSON.")
    var examine = false
    @Option(help: ArgumentHelp("Without a daemon: answer a call about settings in JSON.", visibility: .hidden))
    var answer: String?
    @Option(help: ArgumentHelp("The arguments of that call, in JSON.", visibility: .hidden))
    var arguments = "{}"

    @Option(
        help: ArgumentHelp(
            "Load the constrained recogniser of this folder and let it hear silence, in this process; and end.",
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
            "Speak what is said in an emergency in this language, to nobody, in this process; and end.",
            visibility: .hidden))
    var tryVoice: String?

    private static let ownersSettings = "/etc/vanorb/vanorb.yaml"

    func run() async throws {
        if try await isTrial() { return }
        Rebirth.rememberWhatWasGiven()
        ProcessFacts.keepMemoryTogether()
        LoggingSystem.bootstrap { AdjustableLog(label: $0) }
        let logger = Logger(label: "vanorbd")
        if examine || restore != nil || restorePlan != nil || answer != nil { return try await answerWithoutDaemon() }
        let appliance: Appliance
        var missing: [BoardCheck.Finding] = [], claims: Claims?
        do {
            let loaded = try load()
            LogLevel.shared.set(loaded.logLevel.rawValue)
            // Whoever only checks may be root, whose folders would be of no use to the daemon.
            for folder in [loaded.data, loaded.run] where !check {
                try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            }
            if sandboxAccess { return print(SandboxAccess.dropIn(for: loaded) ?? "", terminator: "") }
            let pause = RestartPause(run: loaded.run)
            if makeSafe, RestartPause.endedBadly(environment: ProcessInfo.processInfo.environment) {
                pause.note(at: KernelClock.sinceBoot)
            }
            let board = try Board(file: loaded.board, run: loaded.run)
            if makeSafe { return SafeState(board: board, settings: loaded, logger: logger).restore() }
            if check {
                missing = BoardCheck().findings(of: board)
            } else {
                await Self.wait(pause, logger)
                // Before anything is touched: what is there may be in use by another daemon.
                claims = try Claims(loaded)
                board.makeSilentRoom(run: loaded.run)
            }
            appliance = try await Assembly(
                source: source, settings: loaded, board: board, logger: logger, isCheck: check
            ).build()
        } catch let error as ConfigurationError {
            Self.complain("\(error)")
            throw Self.wrongSettings
        } catch let error as DataInUse {
            Self.complain("\(error)")
            throw ExitCode.failure
        }
        if check {
            let problems = appliance.health.all.filter { $0.state == .failed && $0.name.hasPrefix("phrasebook ") }
            for problem in problems { Self.complain(problem.detail) }
            guard problems.isEmpty else { throw Self.wrongSettings }
            print("The settings are in order.")
            for finding in missing { Self.complain(finding.line) }
            guard missing.isEmpty else { throw ExitCode.failure }
            return
        }
        try await appliance.run(claim: claims?.socket)
        try? appliance.store?.close()
        Rebirth.perform()
    }

    /// Says what is wrong on standard error. It may quote what is in a file.
    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data("vanorbd: \(TerminalText.harmless(lines: text))\n".utf8))
    }

    /// What may end the process that does it, for another that must stay up.
    /// - Returns: false where nothing of that kind is asked for.
    private func isTrial() async throws -> Bool {
        if let tryConstrainedRecogniser {
            try ConstrainedRecogniserTrial.here(tryConstrainedRecogniser)
        } else if let tryRecogniser {
            try Trials.recogniserHere(tryRecogniser)
        } else if let tryDictation {
            try Trials.dictationHere(tryDictation)
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

    /// Waits where it has ended badly several times of late, so that a lasting fault does not keep the board busy.
    private static func wait(_ pause: RestartPause, _ logger: Logger) async {
        let (ends, wait) = pause.due(at: KernelClock.sinceBoot)
        guard wait > .zero else { return }
        let text = "waiting \(wait.components.seconds) s: it ended badly \(ends) times in the last ten minutes"
        logger.warning("\(text)")
        SystemdNotify.send("STATUS=\(text)\nEXTEND_TIMEOUT_USEC=\((wait.components.seconds + 90) * 1_000_000)")
        try? await Task.sleep(for: wait)
        SystemdNotify.send("STATUS=")
    }
}

/// What one daemon has, and no second one beside it.
private struct Claims {
    let data: DataClaim?, socket: SocketClaim

    init(_ settings: Settings) throws {
        data = try DataClaim(folder: settings.data)
        socket = try SocketClaim(path: settings.run + "/control.sock")
    }
}
