import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// What the owner says of devices that describe themselves.
    @Suite(.serialized) struct DiscoveredOwnerTests {
        static let file = """
            devices: []
            discovered:
              - {device: bed lamp, id: bunk, name: bunk light, aliases: [night light], area: bedroom}
              - {device: "home_assistant:pump01ae", id: pump, risk: true}
              - {device: kettle, hidden: true}
              - {device: stove controller, id: stove, name: stove}
            modes:
              - name: evening
                actions:
                  - {device: bunk, do: on}
              - name: guest
                checks:
                  - {device: bunk, is: off}
                actions:
                  - {device: bunk, do: on}
                  - {device: stove, do: on}

            """

        static let firstWords = [
            "is the water pump on": "The water pump is off.", "is the bunk light on": "The bunk light is off.",
            "is the toaster on": "The toaster is off.",
        ]

        @Test func ownersWord_counts_andModesSayWhatIsMissing() async throws {
            let van = try await VanUnderTest(Setup(hasDevices: false, isDiscovered: true, devices: Self.file))
            defer { van.end() }
            let broker = try #require(van.broker)
            let witness = try await broker.witness()
            defer { witness.end() }
            // Before anything has described itself, a mode says what it misses.
            #expect(
                try await van.say("switch to evening mode").reply
                    == "Switched to evening mode, but the bunk light is offline.")
            #expect(try await van.say("switch to camp mode").reply == "Switched to camp mode.")
            let program = try ChildProcess(
                "\(Workshop.products)/vanorb-lab", ["simulate-discovered", "--port", "\(broker.port)"])
            defer { program.end() }
            try await program.printed("devices on")
            try await van.knowsDiscovered(Self.firstWords)

            // Name, alias, area and id are the owner's; the discovered name is no more.
            let bunk = try await #require(van.device("bunk light"))
            #expect(bunk.id == "bunk")
            #expect(bunk.area == "bedroom")
            #expect(try await van.device("bed lamp") == nil)
            #expect(try await van.say("turn on the night light").reply == "The bunk light is on.")
            try await witness.sees(#"zigbee2mqtt/bed lamp/set {"state":"ON"}"#)
            #expect(try await van.say("turn off the bedroom lights").reply == "The bunk light is off.")

            // What is hidden is not spoken of.
            #expect(try await van.device("kettle") == nil)
            var seen = witness.messages.count
            #expect(try await van.say("turn on the kettle").outcome == .failed)

            // What the owner marked is asked for.
            #expect(try await van.say("turn on the water pump").reply == "Shall I turn on the water pump?")
            #expect(try await van.say("no").outcome == .cancelled)
            #expect(!witness.messages.dropFirst(seen).contains { DiscoveredCommandTests.isCommand($0) })

            // A mode does what it says, and says what it cannot do.
            seen = witness.messages.count
            #expect(try await van.say("switch to evening mode").reply == "Switched to evening mode. Everything is set.")
            try await witness.sees(#"zigbee2mqtt/bed lamp/set {"state":"ON"}"#, after: seen)
            let question = try await van.say("switch to guest mode").reply
            #expect(question == "The bunk light is on at 50%. Switch to guest mode anyway?")
            #expect(try await van.say("yes").reply == "Switched to guest mode, but the stove is offline.")
            try await van.has("bed_lamp", "gone", witness)
            try await eventually("the bunk light to be gone") { try await van.device("bunk light") == nil }
            #expect(
                try await van.say("switch to evening mode").reply
                    == "Switched to evening mode, but the bunk light is offline.")
        }
    }
}
