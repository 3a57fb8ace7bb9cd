import ArgumentParser
import BusMosquitto
import Control
import Foundation
import Logging

/// Measures the limits of the bus and of device discovery: many devices, a flood of states, a broker that comes and
/// goes.
struct BenchBus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-bus", abstract: "Measure discovery, a flood of states, commands, and reconnections.",
        discussion: """
            Starts brokers and the daemon. Build with -c release first. A figure over its limit is marked; the exit \
            status is 0 all the same, since this is a measurement and no test.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Option(help: "The folder with deploy/ and board/.")
    var project = "."
    @Option(help: "How many devices describe themselves.")
    var devices = 1_000
    @Option(help: "State messages per second in the flood.")
    var rate = 10_000
    @Option(help: "Seconds of flood.")
    var seconds = 30
    @Option(help: "How often the broker is killed.")
    var reconnections = 100

    func run() async throws {
        guard devices > 0, rate >= 100, seconds > 0 else {
            throw ValidationError("--devices and --seconds must be above zero, --rate at least 100")
        }
        var figures: [Figure] = []
        Notes.say("load: \(Self.load)")

        Notes.say("\(devices) devices …")
        try await DeviceCrowd.measure(devices, into: &figures)
        Notes.say("commands …")
        try await BusTimes.commands(2_000, into: &figures)
        Notes.say("the daemon, and a flood of \(rate) states a second for \(seconds) s …")
        try await Flood(project: project, devices: devices, rate: rate, seconds: seconds).measure(into: &figures)
        Notes.say("\(reconnections) reconnections …")
        try await BusTimes.reconnections(reconnections, into: &figures)
        Notes.say("load: \(Self.load)")
        try Figure.print(figures, json: json)
    }

    private static var load: String {
        (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
            ?? "unknown"
    }
}

/// A broker for a measurement, which can be killed and started again on its port.
final class BenchBroker {
    let port: Int
    private let log: String
    private var process: Child?

    /// - Parameter isVerbose: true has it log every message that it receives.
    init(isVerbose: Bool = false) throws {
        port = try Stage.freePort()
        log = "\(NSTemporaryDirectory())/vanorb-bench-broker-\(getpid())-\(port).log"
        self.isVerbose = isVerbose
        try start()
    }

    private let isVerbose: Bool

    deinit {
        process?.end()
        try? FileManager.default.removeItem(atPath: log)
    }

    /// Starts it (again), and returns once it listens.
    func start() throws {
        process = try Child(
            Stage.find("mosquitto"), ["-p", "\(port)"] + (isVerbose ? ["-v"] : []), log: log)
        let limit = ContinuousClock.now + .seconds(10)
        while !WireClient.listens(port) {
            guard ContinuousClock.now < limit else { throw Stage.Failure(description: "mosquitto does not listen") }
            usleep(1_000)
        }
    }

    /// Ends it the hard way.
    func kill() {
        guard let process else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.end()
    }

    /// What it logged since its last start.
    var lines: [Substring] {
        ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}
