import Domain
import BusMosquitto
import Foundation
import Logging

/// How long commands and reconnections take.
enum BusTimes {
    private static func bus(_ port: Int) throws -> MosquittoBus {
        var configuration = MosquittoConfiguration(host: "127.0.0.1", port: port, clientID: "bench")
        configuration.session.subscriptions = ["bench/fixed/state"]
        let logger = Logger(label: "bench-bus") { _ in SwiftLogNoOpLogHandler() }
        return try MosquittoBus(configuration: configuration, logger: logger)
    }

    private static func wait(_ what: String, _ condition: () async -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while await !condition() {
            guard ContinuousClock.now < limit else { throw Stage.Failure(description: "\(what) never came") }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// From the command to the broker's acknowledgement.
    static func commands(_ count: Int, into figures: inout [Figure]) async throws {
        let broker = try BenchBroker()
        let bus = try bus(broker.port)
        let running = Task { try await bus.run() }
        defer { running.cancel() }
        try await wait("the connection") { bus.isConnected }
        var times: [Double] = []
        for number in 0..<count {
            let start = ContinuousClock.now
            try await bus.publish(topic: "bench/set", payload: "\(number)", retain: false)
            times.append(start.duration(to: .now).seconds * 1_000)
        }
        figures.append(
            Figure(name: "command to the broker's acknowledgement, p50", value: times.median, unit: "ms", limit: nil))
        figures.append(
            Figure(
                name: "command to the broker's acknowledgement, p99", value: times.percentile(0.99), unit: "ms",
                limit: 5))
    }

    /// The messages of the bus.
    private actor Heard {
        private(set) var payloads: [String: String] = [:]
        func note(_ message: BusMessage) { payloads[message.topic] = message.text }
    }

    /// A broker that is killed and comes back: how long until it is found, whether anything that was published while it
    /// was away comes after all, and whether what was subscribed to still arrives.
    static func reconnections(_ count: Int, into figures: inout [Figure]) async throws {
        let broker = try BenchBroker(isVerbose: true)
        let bus = try bus(broker.port), heard = Heard()
        // One filter is in the configuration, the other was added while connected.
        bus.subscribe(["bench/added/+"])
        let events = bus.events()
        let running = Task { try await bus.run() }
        let following = Task {
            for await event in events { if case .message(let message) = event { await heard.note(message) } }
        }
        defer {
            running.cancel()
            following.cancel()
        }
        var times: [Double] = [], refused = 0, late = 0, lost = 0
        try await wait("the connection") { bus.isConnected }
        for round in 0..<count {
            // Some of these are on their way when the broker dies, and some come when it is gone.
            let publishing = Task {
                var refused = 0
                for number in 0..<50 {
                    do {
                        try await bus.publish(topic: "bench/late/\(round)", payload: "\(number)", retain: false)
                    } catch { refused += 1 }
                }
                return refused
            }
            broker.kill()
            refused += await publishing.value
            try await wait("the loss") { !bus.isConnected }
            let isTaken = (try? await bus.publish(topic: "bench/late/\(round)", payload: "gone", retain: false)) != nil
            if isTaken { late += 1 }
            try broker.start()
            let back = ContinuousClock.now
            try await wait("the broker") { bus.isConnected }
            times.append(back.duration(to: .now).seconds)
            let client = try WireClient(port: broker.port, clientID: "teller")
            try client.publish([("bench/fixed/state", "\(round)"), ("bench/added/state", "\(round)")])
            do {
                try await wait("a state") {
                    let payloads = await heard.payloads
                    return payloads["bench/fixed/state"] == "\(round)" && payloads["bench/added/state"] == "\(round)"
                }
            } catch is Stage.Failure { lost += 1 }
            // The log was restarted with the broker: it must not have anything published before.
            late += broker.lines.count { $0.contains("Received PUBLISH") && $0.contains("bench/late/") }
        }
        let last = times.max() ?? 0
        figures += [
            Figure(
                name: "broker back to connected, \(count) times, median", value: times.median, unit: "s", limit: nil),
            Figure(name: "broker back to connected, longest", value: last, unit: "s", limit: 2),
            Figure(name: "commands refused while it was away", value: Double(refused), unit: "", limit: nil),
            Figure(name: "messages delivered late", value: Double(late), unit: "", limit: 0),
            Figure(name: "subscriptions lost", value: Double(lost), unit: "", limit: 0),
        ]
    }
}
