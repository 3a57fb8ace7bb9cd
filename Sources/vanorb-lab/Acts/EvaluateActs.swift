import ArgumentParser
import Configuration
import Control
import Devices
import Foundation
import Language

/// Says labelled sentences to a whole appliance with a simulated van, and counts what it did.
struct EvaluateActs: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acts", abstract: "Say labelled sentences to a simulated van, and count what was done.",
        discussion: """
            Starts a broker, the simulated van of deploy/demo-van and the daemon next to this program, and types each \
            sentence in a session of its own; what it did is taken back before the next. The file has the columns \
            said, class and expect, tab-separated, with alternatives between |: nothing, refuse, ask, act \
            handler.intent slot=value …, answer handler.intent slot=value …. Needs mosquitto.
            """)

    @Option(help: "The labelled sentences, tab-separated.")
    var labels: String
    @Flag(help: "Print JSON.")
    var json = false
    @Flag(help: "Print each sentence that was not taken right, with what happened.")
    var wrong = false
    @Option(help: "The folder with deploy/ and board/.")
    var project = "."
    @Option(help: "The folder that deploy/encoder filled; by default the one beside the build, if it is there.")
    var encoder: String?
    @Option(help: "The classifier's model, with its hint beside it; trained first by default.")
    var model: String?

    func run() async throws {
        let labels = try ActLabels.read(labels)
        let folder = LanguageFolder(language: "en", root: LanguageFolder.shippedRoot)
        let books = try Phrasebooks(folder: folder), root = URL(filePath: project).path
        let devices = try DeviceFile.devices(ConfigurationNode(contentsOf: root + "/deploy/demo-van/devices.yaml"))
        // Nobody speaks: without a model, no vocabulary has to be compiled for a recogniser after each change of names.
        let stage = try Stage(
            project: root, crowd: 0, encoder: encoder ?? ShippedFiles.builtEncoder, model: model,
            recognisers: ["recogniser.engine=pocketsphinx", "paths.acoustic_model=/nonexistent"])
        defer { stage.close() }
        let notUnderstood = try Replies(folder)("general.not_understood")
        let score = ActScore(words: ActWords(books)), reader = DeedReader(devices: devices, words: books.words)
        var van = try await ActStage(stage)
        let ending = books.steps.phrases(for: "stop").first ?? ""
        var scored: [ScoredSentence] = []
        for (number, label) in labels.enumerated() {
            if number.isMultiple(of: 50) { Notes.say("sentence \(number + 1) of \(labels.count) …") }
            let (trace, after) = try await van.say(label.said)
            let turn = reader.turn(trace, before: van.beginning, after: after)
            scored.append(
                ScoredSentence(
                    label: label, turn: turn, verdict: score.verdict(label, turn), slots: trace.slots,
                    effects: trace.effects,
                    isPlainFallback: turn.outcome == .fallback && turn.reply.hasPrefix(notUnderstood.written)))
            // A list that is being gone through waits beyond the session.
            if turn.intent.map(ActIntents.goOn.contains) == true { _ = try await van.say(ending) }
            try await van.takeBack(label.said, trace.effects)
        }
        let report = ActReport(sentences: scored, takingBack: van.takingBack)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            print(report.table(showsWrong: wrong))
        }
    }
}

/// A van to which sentences are said one by one: each finds it as the first did.
struct ActStage {
    private let stage: Stage
    /// How everything is before a sentence.
    private(set) var beginning: OwnerState
    private(set) var takingBack = TakingBack()

    /// Replies need no voice, which would only be waited for.
    private static let settings = ["speech.auto_speak=false"]

    init(_ stage: Stage) async throws {
        self.stage = stage
        try stage.keepData()
        _ = try await stage.startDaemon(Self.settings)
        try await stage.waitForDevices()
        beginning = try await OwnerState(stage.client)
    }

    /// Says a sentence in a session of its own.
    func say(_ text: String) async throws -> (trace: TraceRecord, after: OwnerState) {
        let trace = try await stage.client.call(SayCall.self, SayArguments(text: text))
        return (trace, try await OwnerState(stage.client))
    }

    /// At most so many changes are made by one sentence; each is taken back by itself.
    private static let undoLimit = 12
    /// So often the state is looked at, until devices have reported theirs.
    private static let looks = 20

    /// Ends the session and takes back what was done. Where something is left, everything is restarted.
    mutating func takeBack(_ said: String, _ effects: [String]) async throws {
        let client = stage.client
        _ = try await client.call(CloseCall.self)
        if try await client.call(StatusCall.self).muted { _ = try await client.call(UnmuteCall.self) }
        var undone = 0, refused = 0
        // A change that cannot be taken back is forgotten by that, and the one before it comes next.
        while undone + refused < Self.undoLimit, refused < 2 {
            let answer = try await client.call(UndoCall.self, UndoArguments(confirmed: true))
            if answer.done { (undone, refused) = (undone + 1, 0) } else { refused += 1 }
        }
        if undone == 0, !effects.isEmpty { takingBack.cannot.append(said) }
        var left: [String] = []
        for _ in 0..<Self.looks {
            left = try await OwnerState(client).differences(from: beginning)
            if left.isEmpty { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        if left.isEmpty {
            if undone > 0 { takingBack.undone += 1 }
            return
        }
        takingBack.restarted[said] = left
        try await stage.restore(Self.settings)
        beginning = try await OwnerState(client)
    }
}
