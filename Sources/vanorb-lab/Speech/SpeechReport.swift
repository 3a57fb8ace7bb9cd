import Control
import Foundation

/// What an evaluation of recordings found, for people and for programs.
struct SpeechReport: Encodable, Sendable {
    /// Milliseconds from the last sample to the transcript; nil where no utterance was heard at all.
    struct Latency: Encodable, Sendable {
        let p50: Double?, p95: Double?
    }

    let clips: [HeardClip]
    /// Commands with every labelled slot, of those labelled with an intent.
    let accuracy: Proportion
    /// Right commands, of all that were accepted, those on recordings without a command among them.
    let precision: Proportion
    /// Recordings without a command on which one was carried out.
    let falseFires: Proportion
    /// Commands that were not understood.
    let rejected: Proportion
    let slots: Proportion
    /// Word error rate; nil without texts.
    let wordErrorRate: Double?
    /// Processor seconds of this process per second of the recordings.
    let realTimeFactor: Double
    let latency: Latency
    /// The peak memory of the process, in MiB.
    let peakMemory: Double
    /// Files that could not be transcribed, each with its reason.
    let refused: [String: String]

    init(_ clips: [HeardClip], peakMemory: Double, refused: [String: String] = [:]) {
        self.clips = clips
        self.peakMemory = peakMemory
        self.refused = refused
        func count(_ verdict: HeardClip.Verdict) -> Int { clips.count { $0.verdict == verdict } }
        let right = count(.right), fired = count(.falseFire), commands = right + count(.wrong) + count(.rejected)
        accuracy = Proportion(part: right, whole: commands)
        precision = Proportion(part: right, whole: right + count(.wrong) + fired)
        falseFires = Proportion(part: fired, whole: fired + count(.quiet))
        rejected = Proportion(part: count(.rejected), whole: commands)
        slots = Proportion(
            part: clips.reduce(0) { $0 + $1.slots.part }, whole: clips.reduce(0) { $0 + $1.slots.whole })
        let said = clips.reduce(0) { $0 + ($1.words?.said ?? 0) }
        wordErrorRate = said == 0 ? nil : Double(clips.reduce(0) { $0 + ($1.words?.errors ?? 0) }) / Double(said)
        let seconds = clips.reduce(0) { $0 + $1.turn.seconds }
        realTimeFactor = seconds > 0 ? clips.reduce(0) { $0 + $1.turn.processorSeconds } / seconds : 0
        let times = clips.compactMap(\.turn.latency)
        latency =
            times.isEmpty
            ? Latency(p50: nil, p95: nil) : Latency(p50: times.percentile(0.5), p95: times.percentile(0.95))
    }

    /// How many commands were lost where, the most first.
    var losses: [(loss: ClipLoss, count: Int)] {
        ClipLoss.allCases.map { loss in (loss, clips.count { $0.loss == loss }) }.filter { $0.1 > 0 }
            .sorted { $0.1 > $1.1 }
    }

    /// Where commands were lost, in words: “misheard 3, end cut 1”; nil where none was.
    var lossWords: String? {
        losses.isEmpty ? nil : losses.map { "\($0.loss.words) \($0.count)" }.joined(separator: ", ")
    }

    // MARK: for people

    func table(isVerbose: Bool) -> String {
        var lines = isVerbose ? clips.map(Self.line) + [""] : []
        lines += [
            "clips                  \(clips.count)",
            "commands exactly right \(accuracy.text)",
            "precision              \(precision.text)",
            "slots right            \(slots.text)",
            "rejected               \(rejected.text)",
            "lost                   \(lossWords ?? "–")",
            "false fires            \(falseFires.text)",
            "word error rate        \(wordErrorRate.map(Proportion.short) ?? "–")",
            "real-time factor       \(Proportion.short(realTimeFactor))",
            "last sample to text    \(Self.milliseconds(latency.p50)) (p50), \(Self.milliseconds(latency.p95)) (p95)",
            "peak memory            \(String(format: "%.0f MiB", peakMemory))",
        ]
        if accuracy.whole + falseFires.whole > 0 { lines.append("In brackets: 95 % confidence (Wilson).") }
        lines += refused.sorted { $0.key < $1.key }.map { "not heard: \($0.value)" }
        return lines.joined(separator: "\n")
    }

    static func milliseconds(_ value: Double?) -> String { value.map { String(format: "%.0f ms", $0) } ?? "–" }

    /// A clip on a line: result, transcript, and what was expected where that differs.
    static func line(_ clip: HeardClip) -> String {
        func command(_ intent: String, _ slots: [String: String]) -> String {
            ([intent] + slots.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: ", ")
        }
        let turn = clip.turn
        var line =
            "\(clip.verdict.rawValue)\t\(clip.name)\t“\(turn.transcript)” \(String(format: "%.2f", turn.confidence))"
        let done = turn.commands.map { command("\($0.handler).\($0.intent)", $0.slots.mapValues(\.text)) }
        line += " → " + (done.isEmpty ? "nothing" : done.joined(separator: "; "))
        if case .command(let intent, let slots) = clip.label.wanted, clip.verdict != .right {
            line += "\twanted \(command(intent, slots))"
        }
        if let loss = clip.loss { line += "\t\(loss.words)" }
        if let text = clip.label.text, let words = clip.words, words.errors > 0 { line += "\tsaid “\(text)”" }
        return line
    }

    // MARK: for programs

    private enum Key: String, CodingKey {
        case clips, correct, accuracy, precision, rejected, refused
        case accuracyInterval = "accuracy_interval"
        case precisionInterval = "precision_interval"
        case falseFires = "false_fires"
        case falseFireRate = "false_fire_rate"
        case falseFireInterval = "false_fire_interval"
        case slotAccuracy = "slot_accuracy"
        case wordErrorRate = "word_error_rate"
        case realTimeFactor = "real_time_factor"
        case latency = "latency_ms"
        case peakMemory = "peak_memory_mb"
        case losses
        case perClip = "per_clip"
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        func list(_ range: ClosedRange<Double>) -> [Double] { [range.lowerBound, range.upperBound] }
        try values.encode(clips.count, forKey: .clips)
        try values.encode(accuracy.part, forKey: .correct)
        // Null where there are none.
        try values.encode(accuracy.share, forKey: .accuracy)
        try values.encode(list(accuracy.interval), forKey: .accuracyInterval)
        try values.encode(precision.share, forKey: .precision)
        try values.encode(list(precision.interval), forKey: .precisionInterval)
        try values.encode(falseFires.part, forKey: .falseFires)
        try values.encode(falseFires.share, forKey: .falseFireRate)
        try values.encode(list(falseFires.interval), forKey: .falseFireInterval)
        try values.encode(rejected.part, forKey: .rejected)
        try values.encode(slots.share, forKey: .slotAccuracy)
        try values.encode(wordErrorRate, forKey: .wordErrorRate)
        try values.encode(realTimeFactor, forKey: .realTimeFactor)
        try values.encode(latency, forKey: .latency)
        try values.encode(peakMemory, forKey: .peakMemory)
        try values.encode(refused, forKey: .refused)
        try values.encode(
            Dictionary(uniqueKeysWithValues: losses.map { ($0.loss.rawValue, $0.count) }), forKey: .losses)
        try values.encode(clips, forKey: .perClip)
    }
}

extension Encodable {
    /// As JSON for people to read, keys sorted.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// Messages on standard error, so that standard output has the result only.
enum Notes {
    static func say(_ text: String) {
        FileHandle.standardError.write(Data("\(TerminalText.harmless(lines: text))\n".utf8))
    }

    /// The progress of a long run: on a terminal one line that changes, else a line every tenth of the way.
    static func progress(_ done: Int, of all: Int, _ what: String) {
        if isatty(STDERR_FILENO) == 1 {
            let end = done == all ? "\n" : ""
            FileHandle.standardError.write(Data("\r\u{1B}[K\(done)/\(all) \(what)\(end)".utf8))
        } else if done == all || done % max(1, all / 10) == 0 {
            say("\(done)/\(all) \(what)")
        }
    }
}
