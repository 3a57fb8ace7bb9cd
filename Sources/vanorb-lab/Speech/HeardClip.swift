import Domain
import Language
import Foundation
import SignalProcessing
import SoundFiles

/// What the appliance made of one recording.
struct HeardTurn: Sendable {
    /// The commands, in order; empty where nothing was understood, or not with enough confidence.
    var commands: [Command] = []
    var transcript = ""
    var confidence = 0.0
    var alternatives: [Transcript] = []
    /// The recognisers' diagnostics.
    var hearing: [String] = []
    var normalised = ""
    /// What the router made of the transcript before anything was refused.
    var level = "none"
    /// Where speech begins and ends, in seconds; empty where there was none.
    var speech: [Double] = []
    /// From the last sample to the transcript; nil where no utterance was heard.
    var latency: Double?
    /// Seconds of the recording, and of processor time that it took.
    var seconds = 0.0, processorSeconds = 0.0
}

extension SlotValue {
    /// True for an amount of something, which has a unit.
    fileprivate var isAmount: Bool {
        switch content {
        case .money, .measure: true
        default: false
        }
    }
}

/// A recording with its label and its result.
struct HeardClip: Encodable, Sendable {
    /// How it went.
    enum Verdict: String, Encodable, Sendable, CaseIterable {
        /// The labelled command with every labelled slot.
        case right
        /// Another command, or a slot that is not as labelled.
        case wrong
        /// A command that was not understood.
        case rejected
        /// A wrong command, or a command where there is none.
        case falseFire = "false_fire"
        case quiet
        /// Only the words count.
        case unlabelled
    }

    let name: String
    let label: SpeechLabel
    let turn: HeardTurn
    let verdict: Verdict
    /// Labelled slots, and how many of them came out as labelled.
    let slots: Proportion
    /// Words of the text, and errors in what was heard; nil without a text.
    let words: (said: Int, errors: Int)?
    /// Where the command was lost; nil where it was not, or nobody has looked.
    var loss: ClipLoss?

    init(name: String, label: SpeechLabel, turn: HeardTurn, normaliser: Normaliser) {
        self.name = name
        self.label = label
        self.turn = turn
        words = label.text.map {
            let said = SpokenWords.of($0)
            return (said.count, SpokenWords.errors(SpokenWords.of(turn.transcript), against: said))
        }
        switch label.wanted {
        case .command(_, let wanted):
            let command = turn.commands.first
            let right = wanted.filter { slot in
                command?.slots[slot.key].map { Self.isSame($0, slot.value, normaliser) } ?? false
            }.count
            slots = Proportion(part: right, whole: wanted.count)
            let isRight = turn.commands.count == 1 && command.map { label.isFulfilled(by: $0, normaliser) } ?? false
            verdict = command == nil ? .rejected : isRight ? .right : .wrong
        case .nothing:
            slots = Proportion(part: 0, whole: 0)
            verdict = turn.commands.isEmpty ? .quiet : .falseFire
        case .words:
            slots = Proportion(part: 0, whole: 0)
            verdict = .unlabelled
        }
    }

    /// A slot is as labelled when its value, the words said, or the name meant reads the same in plain lower case, or
    /// the same once both are normalised (“twelve” and “12”), or when it is the same number. “Twenty pound” is “twenty
    /// pounds”: the number of a unit changes no amount.
    static func isSame(_ value: SlotValue, _ label: String, _ normaliser: Normaliser) -> Bool {
        let readings = [value.text, value.spoken] + value.names.map(\.name)
        let wanted = SpokenWords.of(label)
        if readings.contains(where: { SpokenWords.of($0) == wanted }) { return true }
        if let number = value.number, let labelled = Double(label), number == labelled { return true }
        let normalised = normaliser.normalise(label).text
        guard !normalised.isEmpty else { return false }
        let others = readings.map { normaliser.normalise($0).text }
        return others.contains(normalised) || value.isAmount && others.contains { inOne($0) == inOne(normalised) }
    }

    /// An amount with its unit in the singular and in one word: “per cent” is “percent”.
    private static func inOne(_ text: String) -> Substring {
        let word = text.replacing(" ", with: "")
        return word.hasSuffix("s") ? word.dropLast() : word[...]
    }

    // MARK: for programs

    private enum Key: String, CodingKey {
        case file, verdict, loss
        case expectedIntent = "expected_intent"
        case expectedSlots = "expected_slots"
        case intent, intents, slots, transcript, text, confidence, alternatives, hearing, normalised, level
        case wordErrors = "word_errors"
        case seconds, speech
        case processorSeconds = "processor_seconds"
        case latency = "latency_ms"
    }

    private struct Alternative: Encodable {
        let text: String, confidence: Double
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .file)
        try values.encode(verdict, forKey: .verdict)
        try values.encodeIfPresent(loss, forKey: .loss)
        if case .command(let intent, let slots) = label.wanted {
            try values.encode(intent, forKey: .expectedIntent)
            try values.encode(slots, forKey: .expectedSlots)
        }
        try values.encode(turn.commands.first?.intent, forKey: .intent)
        try values.encode(turn.commands.map { "\($0.handler).\($0.intent)" }, forKey: .intents)
        try values.encode(turn.commands.first?.slots.mapValues(\.text) ?? [:], forKey: .slots)
        try values.encode(turn.transcript, forKey: .transcript)
        try values.encodeIfPresent(label.text, forKey: .text)
        try values.encode(turn.confidence, forKey: .confidence)
        try values.encode(
            turn.alternatives.map { Alternative(text: $0.text, confidence: $0.confidence) }, forKey: .alternatives)
        try values.encode(turn.hearing, forKey: .hearing)
        try values.encode(turn.normalised, forKey: .normalised)
        try values.encode(turn.level, forKey: .level)
        try values.encodeIfPresent(words?.errors, forKey: .wordErrors)
        try values.encode(turn.seconds, forKey: .seconds)
        try values.encode(turn.speech, forKey: .speech)
        try values.encode(turn.processorSeconds, forKey: .processorSeconds)
        try values.encodeIfPresent(turn.latency, forKey: .latency)
    }
}

/// Recordings as the appliance reads them.
enum Recordings {
    /// A WAV or FLAC file as 16 kHz mono.
    /// - Throws: `SoundFileFailure`.
    static func read(_ path: String) throws -> [Int16] {
        try LibSndFileReader { try Resampler.convert($0, from: $1, to: AudioFormat.sampleRate) }.read(path: path)
    }
}
