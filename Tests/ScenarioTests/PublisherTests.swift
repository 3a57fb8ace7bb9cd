import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// Devices that a library describes which knows nothing of VanOrb.
    @Suite(.serialized) struct PublisherTests {
        /// What is said, what the library's callback receives, and the answer.
        static let commands = [
            ("turn on the workbench bilge pump", "Bilge-pump ON", "The workbench bilge pump is on."),
            ("turn off the bilge pump", "Bilge-pump OFF", "The workbench bilge pump is off."),
            ("turn on the vice lamp", #"Vice-lamp {"state":"ON"}"#, "The vice lamp is on."),
            (
                "set the vice lamp to forty percent", #"Vice-lamp {"state":"ON","brightness":102}"#,
                "The vice lamp is at 40%."
            ),
            ("set the current limit to 20", "Current-limit 20", "The current limit is set to 20 amps."),
            ("set the pump profile to strong", "Pump-profile Strong", "The pump profile is set to strong."),
            ("press the bench bell", "Bench-bell PRESS", "I've pressed the bench bell."),
            ("close the roof hatch", "", "The roof hatch is already closed."),
        ]

        @Test(
            .enabled(
                if: Publisher.python != nil,
                "no environment with ha-mqtt-discoverable: deploy/test makes one (python3-venv, and the registry)"))
        func devicesOfAnotherMakersLibrary_areFound_commanded_andBelieved() async throws {
            let python = try #require(Publisher.python)
            let van = try await VanUnderTest(Setup(hasDevices: false, isDiscovered: true))
            defer { van.end() }
            let broker = try #require(van.broker)
            let program = try ChildProcess(python, ["-c", Publisher.script, "\(broker.port)"])
            defer { program.end() }
            try await program.printed("published")
            try await van.knowsDiscovered([
                "is the vice lamp on": "The vice lamp is off.",
                "what is the oven temperature": "The oven temperature is 81.5 °C.",
                "is the roof hatch open": "The roof hatch is closed.",
                "is the bilge leak on": "The bilge leak is dry.",
            ])
            for (sentence, received, answer) in Self.commands {
                #expect(try await van.say(sentence).reply == answer, "\(program.lines)")
                if !received.isEmpty { try await program.printed("received \(received)") }
            }
            #expect(try await van.say("open the roof hatch").reply == "Shall I open the roof hatch?")
            #expect(try await van.say("yes").reply == "The roof hatch is open.")
            try await program.printed("received Roof-hatch OPEN")
            let kinds = try await van.client.call(DevicesListCall.self).devices.map { "\($0.kind) \($0.name)" }.sorted()
            #expect(
                kinds == [
                    "binary_sensor bilge leak", "button bench bell", "cover roof hatch", "light vice lamp",
                    "number current limit", "select pump profile", "sensor oven temperature",
                    "switch workbench bilge pump",
                ])
        }
    }
}
