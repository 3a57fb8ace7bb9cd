import Domain
import Configuration
import Language
import Devices
import Handlers
import Dialogue
import Foundation
import Logging
import PanelGPIO
import Setup
import StoreSQLite
import VoiceESpeak

/// The appliance's recogniser and understanding as they ship, in this process: the board file's microphone, the
/// recogniser, and a real conversation that carries out nothing. Its adaptation to the voice is kept from one recording
/// to the next.
final class HearingStage: Sendable {
    private let conversation: Conversation
    private let folder: String
    let normaliser: Normaliser
    /// Words of the vocabulary that cannot be recognised.
    let unpronounceable: [String]

    /// Prepares everything; takes seconds.
    /// - Parameters:
    ///   - settings: `key=value` pairs instead of defaults, as the daemon takes them.
    ///   - data: where language models are kept for the next time; nil for a folder that goes with the stage.
    ///   - board: a board file with a microphone; nil for the virtual board.
    /// - Throws: `ConfigurationError`, or the recogniser's error.
    init(
        index: PhraseIndex, classifier: (any IntentClassifier)?, settings overrides: [String] = [],
        data: String? = nil, board: String? = nil, isPaced: Bool = false
    ) async throws {
        ProcessFacts.keepMemoryTogether()
        var logger = Logger(label: "vanorb-lab")
        logger.logLevel = .error
        folder = NSTemporaryDirectory() + "/vanorb-hearing-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var own = [
            "paths.board=\(try board ?? ShippedFiles.path("board/virtual.yaml"))", "paths.data=\(data ?? folder)",
            "paths.run=\(folder)", "mqtt.enabled=false",
        ]
        if let recogniser = ShippedFiles.builtConstrainedRecogniser { own.append("paths.second_ear=\(recogniser)") }
        let settings = try Settings(
            SettingsFile(
                defaults: ShippedFiles.path("deploy/defaults.yaml", installedAs: "defaults.yaml"), owner: nil,
                overrides: own + overrides))
        let board = try Board(file: settings.board, run: folder)
        board.makeSilentRoom(run: folder)
        let recognisers = try Recognisers(
            settings: settings, board: board,
            words: .init(normaliser: index.books.normaliser, phonemiser: ESpeakVoice(logger: logger)),
            isPaced: isPaced, logger: logger)
        guard recognisers.microphone != nil else {
            throw ConfigurationError(file: settings.board, line: nil, message: "the board has no microphone")
        }
        let store = try SQLiteStore.inMemory()
        let context = HandlerContext(
            stores: store.stores, van: Van(bus: nil, logger: logger), bus: nil,
            environment: HandlerEnvironment(
                books: index.books,
                region: RegionalSettings(
                    currency: settings.currency, country: settings.country, distanceUnit: settings.distanceUnit,
                    calendar: settings.calendar)))
        let parts = ConversationParts(
            panel: RecordedPanel(), microphone: recognisers.microphone, speaker: nil, synthesiser: nil,
            recogniser: recognisers.recogniser, hearing: recognisers.hearing, classifier: classifier,
            context: context, chimes: recognisers.chimes)
        var talk = settings.conversation(on: board)
        talk.acts = false
        conversation = await Conversation(
            parts: parts, settings: talk, start: SessionStart(names: index.names), logger: logger
        ) { _ in }
        normaliser = index.books.normaliser
        try await conversation.services.vocabulary.prepareRecogniser()
        unpronounceable = await recognisers.streamingRecogniser.unpronounceable
        ProcessFacts.giveBackMemory()
        ProcessFacts.forgetPeak()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Plays samples to the microphone, in a new session.
    func hear(_ samples: [Int16]) async throws -> HeardTurn {
        let raw = "\(folder)/heard.raw"
        try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: raw)) }
        let before = ProcessFacts.cpuSeconds
        let trace = await conversation.hear(.recording(path: raw))
        let spent = ProcessFacts.cpuSeconds - before
        await conversation.close()
        guard let trace else { throw HearingFailure(description: "the microphone stayed closed") }
        guard trace.outcome != .failed else {
            throw HearingFailure(description: "the turn failed: \(trace.reply)")
        }
        return HeardTurn(
            commands: trace.commands, transcript: trace.transcript, confidence: trace.recogniserConfidence,
            alternatives: trace.alternatives, hearing: trace.hearing, normalised: trace.normalised,
            level: (trace.chosen ?? trace.proposals.max { $0.level < $1.level })?.level.name ?? "none",
            speech: trace.stages.filter { ["speech begins at", "speech ends at"].contains($0.name) }
                .map { $0.milliseconds / 1_000 },
            latency: trace.stages.last { $0.name == "last sample to transcript" }?.milliseconds,
            seconds: AudioFormat.duration(of: samples.count).seconds, processorSeconds: spent)
    }
}

/// A failure of the appliance to transcribe a recording that is itself valid.
struct HearingFailure: Error, CustomStringConvertible {
    let description: String
}

/// Files that ship with the programs.
enum ShippedFiles {
    /// Where deploy/demo and deploy/test put the constrained recogniser; nil where they did not, and the installed one
    /// is used.
    static var builtConstrainedRecogniser: String? {
        guard let file = try? path(".build/second-ear/tokenizer.bin") else { return nil }
        return URL(filePath: file).deletingLastPathComponent().path
    }

    /// Where they put the sentence encoder; nil where they did not.
    static var builtEncoder: String? {
        guard let file = try? path(".build/encoder/vocab.txt") else { return nil }
        return URL(filePath: file).deletingLastPathComponent().path
    }

    /// The file of the project around the present folder or around this program; else the installed one.
    /// - Throws: `ConfigurationError` where there is neither.
    static func path(_ relative: String, installedAs installed: String? = nil) throws -> String {
        let here = URL(filePath: FileManager.default.currentDirectoryPath)
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for start in [here, program] {
            var folder = start
            for _ in 0..<6 {
                let candidate = folder.appending(path: relative).path
                if FileManager.default.fileExists(atPath: candidate) { return candidate }
                folder = folder.deletingLastPathComponent()
            }
        }
        let standard = "/usr/share/vanorb/\(installed ?? relative)"
        guard FileManager.default.fileExists(atPath: standard) else {
            throw ConfigurationError(
                file: standard, line: nil, message: "no such file, nor \(relative) around here; install VanOrb")
        }
        return standard
    }
}
