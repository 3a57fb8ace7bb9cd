import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The broker goes and comes back.
    @Suite(.serialized) struct BrokerTests {
        static let apology = "I can't reach the van's devices."

        @Test func brokerKilled_isSaidAtOnce_andNothingFiresLater() async throws {
            let van = try await VanUnderTest()
            defer { van.end() }
            let broker = try #require(van.broker)
            let watcher = try await van.watch()
            #expect(try await van.say("turn on the water pump").reply == "The water pump is on.")

            broker.kill()
            // Without waiting until the loss has been noticed: whichever comes first, nothing may be promised.
            try van.clearSpoken()
            let first = try await van.hear("turn on the fridge")
            #expect(first.reply == Self.apology)
            #expect(first.intent == "turn_on")
            try await watcher.spoken(first.turn)
            #expect(try await RoundTripTests.seconds(try #require(van.spokenFiles.last)) > 0.5)
            try await eventually("the loss to be noticed") { try await !van.status().bus.connected }
            for command in ["turn on the inverter", "is the fridge on", "what's on"] {
                let asked = ContinuousClock.now
                #expect(try await van.say(command).reply == Self.apology)
                // At once: no time for a confirmation (2 s) has passed.
                #expect(asked.duration(to: .now) < .seconds(2))
            }
            #expect(try await van.part("broker")?.state == .failed)
            let sick = try await van.vanorb("doctor")
            #expect(sick.status == 1)
            #expect(sick.lines.contains { $0.contains("FAILED") && $0.contains("broker") }, "\(sick.lines)")

            try await broker.start()
            let witness = try await broker.witness()
            defer { witness.end() }
            try await eventually("the broker to be found again") { try await van.status().bus.connected }
            try await van.knowsItsDevices()
            #expect(try await van.part("broker")?.state == .ok)
            let well = try await van.vanorb("doctor")
            #expect(well.status == 0, "\(well.lines)")
            #expect(well.lines.contains { $0.contains("pass") && $0.contains("broker") }, "\(well.lines)")
            #expect(well.lines.contains { $0.contains("constrained recogniser") })
            #expect(well.lines.contains { $0.contains("topics") })
            #expect(try await van.say("turn on the router").reply == "The router is on.")
            try await witness.sees("van/router/set ON")
            // What came before the router's command on the same connection would have been seen before it.
            #expect(witness.messages.filter { $0.contains("/set ") } == ["van/router/set ON"])
        }

        @Test func brokerDownAtStart_isFoundWhenItComes() async throws {
            let van = try await VanUnderTest(Setup(hasDevices: false))
            defer { van.end() }
            let broker = try #require(van.broker)
            try await van.stop()
            broker.kill()
            try await van.restart()
            #expect(try await van.say("turn on the fridge").reply == Self.apology)
            #expect(try await van.part("broker")?.state != .ok)
            #expect(try await van.say("where is the tow rope").reply == "The tow rope is in the garage.")
            try await broker.start()
            let witness = try await broker.witness()
            defer { witness.end() }
            try await eventually("the broker to be found") { try await van.status().bus.connected }
            _ = try await van.say("turn on the step")
            try await witness.sees("van/step/set ON")
            #expect(!witness.messages.contains("van/fridge/set ON"))
        }
    }
}
