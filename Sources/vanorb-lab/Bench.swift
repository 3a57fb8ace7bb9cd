import ArgumentParser
import Control
import Foundation

/// Measures the daemon on this machine against its limits.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the daemon on this machine: times, memory, processor.",
        discussion: """
            Starts a broker, a simulated van of 38 devices and 200 items, and the daemon on the virtual board with \
            audio in real time. Needs mosquitto and flite. Build with -c release first. A figure over its limit is \
            marked; the exit status is 0 all the same, since this is a measurement and no test.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Flag(help: "Leave out the ten-minute conversation.")
    var quick = false
    @Flag(help: "Only press into replies.")
    var presses = false
    @Option(help: "The folder that holds deploy/ and board/.")
    var project = "."
    @Option(help: "Fill the van with made-up names to this many items, and a tenth as many devices.")
    var crowd = 0
    @Option(help: "The recognisers: auto (both where the second is there), pocketsphinx or moonshine.")
    var recogniser = "auto"
    @Option(help: "Where deploy/second-ear put its files.")
    var constrainedRecogniser = ShippedFiles.builtConstrainedRecogniser ?? "/var/lib/vanorb/second-ear"

    /// Said turn by turn; replies need no device, so that no simulated device is measured with them.
    private static let sentences = [
        "log diesel for fifty pounds", "where is the first aid kit", "how much money do I have",
        "how many camping chairs are there",
        "what is in the garage", "log twenty pounds for groceries", "where is the tow rope", "what's my burn rate",
    ]
    /// With words that are in no phrasebook.
    private static let freeSentences = [
        "add a task to check the roof box straps", "add a task to oil the squeaky hinges",
    ]
    private static let voices = ["slt", "rms", "awb", "kal16"]

    func run() async throws {
        let stage = try Stage(
            project: URL(filePath: project).path, crowd: crowd,
            recognisers: ["recogniser.engine=\(recogniser)", "paths.second_ear=\(constrainedRecogniser)"])
        defer { stage.close() }
        var results: [Figure] = []
        func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
        func add(_ name: String, _ value: Double, _ unit: String, limit: Double? = nil) {
            results.append(Figure(name: name, value: value, unit: unit, limit: limit))
        }

        if presses {
            _ = try await stage.startDaemon()
            return try Figure.print(await Self.press(50, on: stage), json: json)
        }
        note("starting the daemon, three times …")
        add("first start to Ready, language model made anew", try await stage.startDaemon().seconds, "s")
        stage.stopDaemon()
        var starts: [Double] = []
        for _ in 0..<3 {
            stage.stopDaemon()
            starts.append(try await stage.startDaemon(["speech.auto_speak=false"]).seconds)
        }
        add("cold start to Ready", starts.median, "s", limit: 1.0)
        try await stage.waitForDevices()

        note("typed commands …")
        var commits: [Double] = []
        for count in 1...200 {
            let turn = try await stage.client.call(SayCall.self, .init(text: "log diesel for \(count) pounds"))
            commits.append(turn.milliseconds("understanding") + turn.milliseconds("acting"))
        }
        add("ledger command as text, with its commit, p50", commits.percentile(0.5), "ms", limit: 5)
        add("ledger command as text, with its commit, p99", commits.percentile(0.99), "ms")
        stage.stopDaemon()

        _ = try await stage.startDaemon()
        try await stage.waitForDevices()
        note("presses into a reply …")
        results += try await Self.press(50, on: stage)
        note("spoken turns, in real time …")
        var open: [Double] = [], transcript: [Double] = [], free: [Double] = [], audio: [Double] = []
        var right = 0
        let before = try await stage.client.call(StatusCall.self).cpuSeconds
        var turns = 0
        func hear(_ sentence: String, _ voice: String) async throws -> TraceRecord {
            let heard = try await stage.hear(stage.speak(sentence, voice: voice))
            try await stage.waitForReady()
            let turn = try await stage.client.call(TraceCall.self, .init(count: 1)).turns.first ?? heard
            turns += 1
            right += turn.outcome == .done ? 1 : 0
            note("  \(turn.transcript) → \(turn.reply)")
            return turn
        }
        for voice in Self.voices {
            for sentence in Self.sentences {
                let turn = try await hear(sentence, voice)
                open.append(turn.milliseconds("microphone open"))
                transcript.append(turn.milliseconds("last sample to transcript"))
                audio.append(
                    turn.milliseconds("understanding") + turn.milliseconds("acting")
                        + turn.milliseconds("reply to first audio"))
            }
        }
        let plainly = try await stage.client.call(StatusCall.self).residentBytes
        for voice in Self.voices {
            for sentence in Self.freeSentences {
                free.append(try await hear(sentence, voice).milliseconds("last sample to transcript"))
            }
        }
        let after = try await stage.client.call(StatusCall.self)
        add("spoken turns that were carried out, of \(turns)", Double(right), "turns")
        add("press to microphone open, p95", open.percentile(0.95), "ms", limit: 30)
        let isAlone = recogniser == "pocketsphinx"
        let memory: Double = isAlone ? 180 : 330
        add(
            "resident memory after \(Self.voices.count * Self.sentences.count) spoken turns", Double(plainly) / 1e6,
            "MB", limit: memory)
        add(
            "last sample of the closing silence to transcript, p95", transcript.percentile(0.95), "ms",
            limit: isAlone ? 150 : 50)
        add("the same with a free-text slot, p95", free.percentile(0.95), "ms", limit: isAlone ? 800 : nil)
        add("transcript to first audio sample, p95", audio.percentile(0.95), "ms", limit: 100)
        add("processor seconds for each spoken turn", (after.cpuSeconds - before) / Double(turns), "s")

        note("idle, 30 s …")
        _ = try await stage.client.call(CloseCall.self)
        let idleStart = try await stage.client.call(StatusCall.self).cpuSeconds
        let idleBegan = ContinuousClock.now
        try await Task.sleep(for: .seconds(30))
        let idle = try await stage.client.call(StatusCall.self).cpuSeconds - idleStart
        add(
            "idle processor, session closed", 100 * idle / idleBegan.duration(to: .now).seconds, "% of a core",
            limit: 0.5)

        // The changes that the tasks made are worked in by now.
        let rested = try await stage.client.call(StatusCall.self).residentBytes
        add(
            "resident memory after \(Self.voices.count * Self.freeSentences.count) turns with free text more, and a rest",
            Double(rested) / 1e6, "MB", limit: isAlone ? 260 : memory)

        if !quick {
            note("a conversation of 40 turns in ten minutes …")
            let start = ContinuousClock.now
            let cpu = try await stage.client.call(StatusCall.self).cpuSeconds
            for turn in 0..<40 {
                let sentence = Self.sentences[turn % Self.sentences.count]
                _ = try await stage.hear(stage.speak(sentence, voice: Self.voices[turn % Self.voices.count]))
                try await Task.sleep(until: start.advanced(by: .seconds(15 * (turn + 1))))
            }
            let end = try await stage.client.call(StatusCall.self)
            add("processor seconds for ten minutes of 40 turns", end.cpuSeconds - cpu, "s")
            add("resident memory after the conversation", Double(end.residentBytes) / 1e6, "MB", limit: memory)
        }
        try Figure.print(results, json: json)
    }
}

/// One measured figure with its limit.
struct Figure: Encodable {
    let name: String, value: Double, unit: String, limit: Double?

    private var isWithin: Bool? { limit.map { value <= $0 } }

    var line: String {
        let bound = limit.map { "  (limit \(Self.number($0)) \(unit)\(isWithin == true ? "" : ", OVER"))" } ?? ""
        return "\(name): \(Self.number(value)) \(unit)\(bound)"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : String(format: value < 1 ? "%.3f" : "%.1f", value)
    }

    /// Prints figures, a line for each or as JSON.
    static func print(_ figures: [Figure], json: Bool) throws {
        guard json else { return figures.forEach { Swift.print($0.line) } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        Swift.print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private enum Key: CodingKey { case name, value, unit, limit, within }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encodeIfPresent(limit, forKey: .limit)
        try container.encodeIfPresent(isWithin, forKey: .within)
    }
}

extension TraceRecord {
    /// The time of a stage; 0 for a stage that the turn did not have.
    func milliseconds(_ stage: String) -> Double { stages.last { $0.name == stage }?.milliseconds ?? 0 }
}

extension [Double] {
    /// The value below which `share` of the values lie (nearest rank).
    func percentile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int((share * Double(count)).rounded(.up)) - 1)]
    }

    var median: Double { percentile(0.5) }
}
