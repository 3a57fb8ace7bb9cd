import ArgumentParser
import Control
import Foundation

/// Measures the daemon on this machine against its limits.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the daemon on this machine: times, memory, processor.",
        discussion: """
            Starts a broker, a simulated van of 38 devices and 200 items, and the daemon on the virtual board with \
            audio in real time. Needs mosquitto and flite. Build with -c release first. Figures over their limits are \
            marked; the exit status is 0 even then, since this is a measurement, not a test.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Flag(help: "Skip the ten-minute conversation.")
    var quick = false
    @Flag(help: "Only measure presses during replies.")
    var presses = false
    @Option(help: "The folder with deploy/ and board/.")
    var project = "."
    @Option(help: "Fill the van with made-up names to this many items, and a tenth as many devices.")
    var crowd = 0
    @Option(help: "The recognisers: auto (both if the constrained one is installed), pocketsphinx or moonshine.")
    var recogniser = "auto"
    @Option(help: "The folder that deploy/second-ear filled.")
    var constrainedRecogniser = ShippedFiles.builtConstrainedRecogniser ?? "/var/lib/vanorb/second-ear"
    @Option(help: "The folder that deploy/encoder filled; by default the one beside the build, if it is there.")
    var encoder: String?

    func run() async throws {
        let stage = try Stage(
            project: URL(filePath: project).path, crowd: crowd, encoder: encoder ?? ShippedFiles.builtEncoder,
            recognisers: ["recogniser.engine=\(recogniser)", "paths.second_ear=\(constrainedRecogniser)"])
        defer { stage.close() }
        let session = BenchSession(stage: stage, isStreamingOnly: recogniser == "pocketsphinx")
        if presses {
            _ = try await stage.startDaemon()
            return try Figure.print(await session.presses(50), json: json)
        }
        Notes.say("starting the daemon, three times …")
        var figures = try await session.starts()
        Notes.say("typed commands …")
        figures += try await session.typedCommands()
        stage.stopDaemon()

        _ = try await stage.startDaemon()
        try await stage.waitForDevices()
        Notes.say("presses during a reply …")
        figures += try await session.presses(50)
        Notes.say("spoken turns, in real time …")
        figures += try await session.spokenTurns()
        Notes.say("idle, 30 s …")
        figures += try await session.idle()
        if !quick {
            Notes.say("a conversation of 40 turns in ten minutes …")
            figures += try await session.conversation()
        }
        try Figure.print(figures, json: json)
    }
}

/// One measured figure with its limit.
struct Figure: Encodable {
    let name: String, value: Double, unit: String
    var limit: Double?

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
