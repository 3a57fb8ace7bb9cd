import Domain
import Foundation
import Logging
import Synchronization
import SystemTestKit
import Testing

@testable import BusMosquitto

/// The bus against a real broker that is killed, frozen and brought back.
@Suite(.serialized) struct MosquittoBusTests {
    @Test func publish_returnsAfterAcknowledgement_andAnIndependentSubscriberHasIt() async throws {
        let broker = try await Broker()
        let witness = try await broker.witness("van/#")
        try await withBus(broker) { bus, _ in
            let start = ContinuousClock.now
            for number in 1...200 { try await bus.publish(topic: "van/lamp", payload: "\(number)", retain: false) }
            let mean = start.duration(to: .now) / 200
            print("publish to acknowledgement, mean of 200: \(mean)")
            #expect(mean < .milliseconds(250))
            try await witness.sees("van/lamp 200")
            #expect(witness.messages.filter { $0.hasPrefix("van/lamp ") }.count == 200)
        }
    }

    @Test func publishWhileBrokerIsDown_throwsAtOnce_andNothingIsDeliveredLater() async throws {
        let broker = try await Broker()
        try await withBus(broker) { bus, events in
            broker.kill()
            try await events.disconnected()
            let start = ContinuousClock.now
            await #expect(throws: BusFailure.self) {
                try await bus.publish(topic: "van/roof", payload: "OPEN", retain: false)
            }
            #expect(start.duration(to: .now) < .seconds(1))
            try await broker.start()
            let witness = try await broker.witness("van/#")
            try await events.connected(times: 2)
            try await bus.publish(topic: "van/marker", payload: "after", retain: false)
            try await witness.sees("van/marker after")
            #expect(!witness.messages.contains { $0.hasPrefix("van/roof") })
        }
    }

    @Test func brokerKilledBeforeAcknowledging_failsThePublish_andNothingIsDeliveredLater() async throws {
        let broker = try await Broker()
        try await withBus(broker) { bus, events in
            try await broker.freeze()
            async let outcome = failure { try await bus.publish(topic: "van/roof", payload: "OPEN", retain: true) }
            async let second = failure { try await bus.publish(topic: "van/roof", payload: "STOP", retain: true) }
            try await broker.hasUnreadBytes()
            try await eventually("both to wait") { bus.state.withLock { $0.publications.count } == 2 }
            broker.kill()
            let words = await [outcome, second]
            #expect(!words.contains(nil), "every publication fails: \(words)")
            try await broker.start()
            let witness = try await broker.witness("van/#")
            try await events.connected(times: 2)
            try await bus.publish(topic: "van/marker", payload: "after", retain: false)
            try await witness.sees("van/marker after")
            #expect(!witness.messages.contains { $0.hasPrefix("van/roof") })
        }
    }

    @Test func brokerThatNeverAcknowledges_failsThePublishAfterTwoSeconds_andIsLeft() async throws {
        let broker = try await Broker()
        try await withBus(broker) { bus, events in
            try await broker.freeze()
            let start = ContinuousClock.now
            let words = await failure { try await bus.publish(topic: "van/roof", payload: "OPEN", retain: false) }
            let waited = start.duration(to: .now)
            #expect(words != nil)
            #expect(waited >= .milliseconds(1_900) && waited < .seconds(10), "\(waited)")
            try await events.disconnected()
            #expect(!bus.isConnected)
            broker.thaw()
            try await events.connected(times: 2)
        }
    }

    @Test func reconnect_restoresSubscriptions_andSpeaksOfBoth() async throws {
        let broker = try await Broker()
        try await withBus(broker, subscriptions: ["van/state/#", "other/+"]) { bus, events in
            for round in 1...3 {
                try await broker.publish("van/state/lamp", "round \(round)")
                try await events.message("van/state/lamp", "round \(round)")
                try await broker.publish("other/x", "round \(round)")
                try await events.message("other/x", "round \(round)")
                broker.kill()
                try await events.disconnected(times: round)
                #expect(!bus.isConnected)
                try await broker.start()
                let start = ContinuousClock.now
                try await events.connected(times: round + 1)
                print("broker back to subscriptions standing: \(start.duration(to: .now))")
            }
        }
    }

    @Test func filterThatComesLater_isSubscribedToAtOnce_andAfterEveryReconnect() async throws {
        let broker = try await Broker()
        try await broker.publish("late/roof", "open", arguments: ["-r"])
        try await withBus(broker, subscriptions: ["van/#"]) { bus, events in
            bus.subscribe(["late/+", "not/#/a filter", ""])
            try await events.message("late/roof", "open")
            bus.subscribe(["late/+"])
            broker.kill()
            try await events.disconnected()
            bus.subscribe(["later/+"])
            try await broker.start()
            try await events.connected(times: 2)
            for topic in ["van/x", "late/x", "later/x"] {
                try await broker.publish(topic, "again")
                try await events.message(topic, "again")
            }
        }
    }

    @Test func thousandsOfFilters_areTakenInPacketsThatABrokerTakes() async throws {
        let broker = try await Broker()
        try await withBus(broker) { bus, events in
            bus.subscribe((0..<3_000).map { "van/device/\($0)/state" })
            // The broker answers in order: who gets the last one's message has all.
            try await eventually("the last to be subscribed to") {
                broker.log.contains { $0.contains("van/device/2999/state") }
            }
            for number in [0, 499, 500, 2_999] {
                try await broker.publish("van/device/\(number)/state", "on")
                try await events.message("van/device/\(number)/state", "on")
            }
        }
    }

    @Test func retainedState_isSeenAsRetained_andFollowsConnected() async throws {
        let broker = try await Broker()
        try await broker.publish("van/state/roof", "open", arguments: ["-r"])
        try await withBus(broker, subscriptions: ["van/state/#"]) { _, events in
            try await events.message("van/state/roof", "open")
            try await broker.publish("van/state/roof", "closed", arguments: ["-r"])
            try await events.message("van/state/roof", "closed")
            let seen = events.all
            #expect(seen.first == .connected)
            let retained = seen.compactMap { if case .message(let message) = $0 { message.isRetained } else { nil } }
            #expect(retained == [true, false])
        }
    }

    @Test func wrongPassword_isAClearMessage_andIsTriedAgain() async throws {
        let broker = try await Broker(users: ["vanorb": "right"])
        let bus = try MosquittoBus(
            configuration: MosquittoConfiguration(
                host: "127.0.0.1", port: broker.port, clientID: "vanorb",
                credentials: .init(username: "vanorb", password: "wrong")),
            logger: Logger(label: "test"))
        try await running(bus) { events in
            try await events.disconnected()
            guard case .disconnected(let reason)? = events.all.first else { return }
            #expect(reason.contains("refuses the user name or the password"), "\(reason)")
            #expect(reason.contains("127.0.0.1:\(broker.port)"), "\(reason)")
            try await eventually("another attempt") {
                broker.log.filter { $0.contains("New connection") }.count >= 2
            }
        }
        try await withBus(broker, username: "vanorb", password: "right") { bus, _ in #expect(bus.isConnected) }
    }

    @Test func brokerThatIsAwayFromTheStart_isTold_toWhoListensLater() async throws {
        let broker = try await Broker()
        broker.kill()
        let bus = try MosquittoBus(
            configuration: MosquittoConfiguration(host: "127.0.0.1", port: broker.port, clientID: "vanorb"),
            logger: Logger(label: "test"))
        try await running(bus) { events in
            try await events.disconnected()
            let later = Events()
            async let collected: Void = later.collect(bus.events())
            try await later.disconnected()
            bus.shutdown()
            await collected
        }
    }

    @Test func retainedMessages_areKept_forAConsumerThatComesLaterThanTheConnection() async throws {
        let broker = try await Broker()
        try await broker.publish("van/lamp", "ON", arguments: ["-r"])
        let bus = try MosquittoBus(
            configuration: MosquittoConfiguration(
                host: "127.0.0.1", port: broker.port, clientID: "vanorb",
                session: .init(subscriptions: ["van/+"])),
            logger: Logger(label: "test"))
        async let run: Void = bus.run()
        try await eventually("the connection") { bus.isConnected }
        // Behind the retained message: the broker acknowledges in order.
        try await bus.publish(topic: "other", payload: "", retain: false)
        let events = Events()
        async let collected: Void = events.collect(bus.events())
        try await events.message("van/lamp", "ON")
        #expect(events.all.first == .connected, "\(events.all)")
        bus.shutdown()
        try await run
        await collected
    }

    @Test func passwordThatIsCorrected_countsWithTheNextAttempt() async throws {
        let broker = try await Broker(users: ["vanorb": "right"])
        let file = broker.folder.file("secret")
        try "wrong".write(toFile: file, atomically: true, encoding: .utf8)
        var configuration = MosquittoConfiguration(
            host: "127.0.0.1", port: broker.port, clientID: "vanorb",
            credentials: .init(username: "vanorb", password: "wrong"))
        configuration.credentials.reader = .init(file) { try? String(contentsOfFile: file, encoding: .utf8) }
        let bus = try MosquittoBus(configuration: configuration, logger: Logger(label: "test"))
        try await running(bus) { events in
            try await events.disconnected()
            try "right".write(toFile: file, atomically: true, encoding: .utf8)
            try await events.connected(times: 1)
            // One that cannot be read just now leaves the connection, and the next attempt, to the one of the start.
            try FileManager.default.removeItem(atPath: file)
            #expect(bus.isConnected)
        }
    }

    @Test func encryptedBroker_isTrustedByItsAuthority_andByNoOther() async throws {
        let broker = try await Broker(usesTLS: true)
        try await Broker.makeCertificate(broker.folder, name: "stranger")
        func bus(_ file: String) throws -> MosquittoBus {
            try MosquittoBus(
                configuration: MosquittoConfiguration(
                    host: "127.0.0.1", port: broker.port, clientID: "vanorb",
                    tls: .init(caFile: broker.folder.file(file))),
                logger: Logger(label: "test"))
        }
        let trusting = try bus("cert.pem")
        try await running(trusting) { events in
            try await events.connected()
            try await trusting.publish(topic: "van/lamp", payload: "ON", retain: false)
        }
        for (file, words) in [("stranger.pem", "certificate verify failed"), ("none.pem", "none.pem cannot be read")] {
            try await running(try bus(file)) { events in
                try await events.disconnected()
                #expect("\(events.all)".contains(words), "\(events.all)")
            }
        }
    }

    @Test func brokerThatIsNotThere_isWaitedFor_andSaidOnce() async throws {
        let broker = try await Broker()
        broker.kill()
        let bus = try MosquittoBus(
            configuration: MosquittoConfiguration(host: "127.0.0.1", port: broker.port, clientID: "vanorb"),
            logger: Logger(label: "test"))
        try await running(bus) { events in
            try await events.disconnected()
            try await broker.start()
            try await events.connected()
            #expect(events.all.count == 2, "\(events.all)")
        }
    }

    @Test func will_isPublished_whenTheBusIsLost_andWhenItEnds() async throws {
        let broker = try await Broker()
        let witness = try await broker.witness("vanorb/status")
        try await withBus(
            broker, will: .init(topic: "vanorb/status", payload: "offline", retain: true)
        ) { bus, _ in
            try await bus.publish(topic: "vanorb/status", payload: "online", retain: true)
            try await witness.sees("vanorb/status online")
        }
        try await witness.sees("vanorb/status offline")
        // The broker tells the witness first and its log afterwards.
        try await eventually("the broker to note the farewell") {
            broker.log.contains { $0.contains("Received DISCONNECT from vanorb") }
        }
    }

    @Test func oversizedMessages_areSkipped_andTheNextOneArrives() async throws {
        let broker = try await Broker()
        let folder = try TemporaryFolder()
        try await withBus(broker, subscriptions: ["van/#"]) { bus, events in
            let large = folder.file("large")
            try Data(count: 1_000_000).write(to: URL(fileURLWithPath: large))
            try await run(
                "/usr/bin/mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "van/large", "-f", large])
            try await broker.publish("van/" + String(repeating: "x", count: 1_024), "long topic")
            try await broker.publish("van/marker", "after")
            try await events.message("van/marker", "after")
            #expect(events.all.count == 2, "connected and the marker")
            #expect(bus.isConnected)
        }
    }

    @Test(arguments: ["van/#", "van/+/set", "", "van/\0x", String(repeating: "x", count: 1_025)])
    func topicThatCannotBePublishedTo_isRefused_andTheConnectionStays(topic: String) async throws {
        let broker = try await Broker()
        try await withBus(broker) { bus, _ in
            await #expect(throws: BusFailure.self) {
                try await bus.publish(topic: topic, payload: "x", retain: false)
            }
            try await bus.publish(topic: "van/ok", payload: "x", retain: false)
        }
    }

    @Test func emptyAndBinarySafePayloads_passUnchanged() async throws {
        let broker = try await Broker()
        try await withBus(broker, subscriptions: ["van/#"]) { bus, events in
            try await bus.publish(topic: "van/empty", payload: "", retain: false)
            try await events.message("van/empty", "")
            try await bus.publish(topic: "van/text", payload: "a\0b € \n", retain: false)
            try await events.message("van/text", "a\0b € \n")
        }
    }

    @Test func manyPublishersAtOnce_areAllAcknowledged() async throws {
        let broker = try await Broker()
        try await withBus(broker) { bus, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask { try await bus.publish(topic: "van/\(number)", payload: "x", retain: false) }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func createAndDestroy_fiftyTimes_survives() async throws {
        let broker = try await Broker()
        for round in 0..<50 {
            try await withBus(broker, subscriptions: ["van/#"]) { bus, _ in
                // Every second round ends with publications under way.
                if round.isMultiple(of: 2) {
                    Task { try? await bus.publish(topic: "van/x", payload: "x", retain: false) }
                }
            }
        }
        // A thread has said that it is done a moment before the kernel has done with it.
        try await eventually("the end of all threads") {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return !threads.contains {
                let name = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                return name?.hasPrefix("vanorb-mqtt") == true
            }
        }
    }

    @Test func shutdownWhileTheBrokerIsAway_returns() async throws {
        let broker = try await Broker()
        broker.kill()
        let bus = try MosquittoBus(
            configuration: MosquittoConfiguration(host: "127.0.0.1", port: broker.port, clientID: "vanorb"),
            logger: Logger(label: "test"))
        async let ended: Void = bus.run()
        bus.shutdown()
        try await ended
        await #expect(throws: BusFailure.self) { try await bus.run() }
    }
}

// MARK: - Helpers

/// Collects the bus's events.
private final class Events: Sendable {
    private let seen = Mutex<[BusEvent]>([])

    var all: [BusEvent] { seen.withLock { $0 } }

    func collect(_ stream: AsyncStream<BusEvent>) async {
        for await event in stream { seen.withLock { $0.append(event) } }
    }

    func connected(times: Int = 1) async throws {
        try await eventually("connected × \(times), got \(all)") { self.all.filter { $0 == .connected }.count >= times }
    }

    func disconnected(times: Int = 1) async throws {
        try await eventually("disconnected × \(times), got \(all)") {
            self.all.filter { if case .disconnected = $0 { true } else { false } }.count >= times
        }
    }

    func message(_ topic: String, _ text: String) async throws {
        try await eventually("\(topic) \(text), got \(all)") {
            self.all.contains {
                if case .message(let message) = $0 { message.topic == topic && message.text == text } else { false }
            }
        }
    }
}

private func failure(_ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// Runs the bus while `body` works, and ends it.
private func running(_ bus: MosquittoBus, _ body: (Events) async throws -> Void) async throws {
    let events = Events()
    let stream = bus.events()
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await bus.run() }
        group.addTask { await events.collect(stream) }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(events))
        } catch {
            outcome = .failure(error)
        }
        bus.shutdown()
        try await group.waitForAll()
        try outcome.get()
    }
}

/// A connected bus.
private func withBus(
    _ broker: Broker, subscriptions: [String] = [], username: String? = nil, password: String? = nil,
    will: MosquittoConfiguration.Will? = nil, _ body: (MosquittoBus, Events) async throws -> Void
) async throws {
    let bus = try MosquittoBus(
        configuration: MosquittoConfiguration(
            host: "127.0.0.1", port: broker.port, clientID: "vanorb",
            credentials: .init(username: username, password: password),
            session: .init(will: will, subscriptions: subscriptions)),
        logger: Logger(label: "test"))
    try await running(bus) { events in
        try await events.connected()
        try await body(bus, events)
    }
}
