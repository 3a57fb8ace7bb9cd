import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// Devices that describe themselves: listed, asked, lost and found again.
    @Suite(.serialized) struct DiscoveredVanTests {
        /// All devices of the simulation, as they are called and what they are.
        static let expected = [
            "water pump": "switch", "ceiling light": "light", "reading light": "light", "roof fan": "fan",
            "heater": "climate", "galley socket": "switch", "galley humidity": "sensor", "awning": "cover",
            "bedroom blind": "cover", "side door": "lock", "charge limit": "number", "inverter mode": "select",
            "router restart": "button", "film night": "scene", "fridge temperature": "sensor",
            "rear door": "binary_sensor", "smoke alarm": "binary_sensor", "gas alarm": "binary_sensor",
            "bed lamp": "light", "step motion occupancy": "binary_sensor", "step motion illuminance": "sensor",
            "step motion battery": "sensor", "outside temperature": "sensor", "outside humidity": "sensor",
            "kettle": "switch", "toaster": "switch", "sockets temperature": "sensor", "leisure battery": "sensor",
            "battery voltage": "sensor", "battery power": "sensor", "fresh water tank": "sensor",
            "grey water tank": "sensor",
        ]

        static let questions = [
            "is the water pump on": "The water pump is off.",
            "how bright is the ceiling light": "The ceiling light is off.",
            "is the rear door open": "The rear door is closed.",
            "is the side door locked": "The side door is locked.",
            "is the smoke alarm on":
                "The smoke alarm reports no smoke. If you see smoke or flames, everybody out. The emergency number here is 999.",
            "what is the fridge temperature": "The fridge temperature is 4.3 °C.",
            "what is the galley humidity": "The galley humidity is 58%.",
            // It sleeps, and told its state before anybody listened.
            "what is the outside temperature": "The outside temperature hasn't reported anything yet.",
            "how much battery is left": "The leisure battery is at 82%.",
            "what is the battery voltage": "The battery voltage is 13.1 volts.",
            "how full is the fresh water tank": "The fresh water tank is at 64%, about 64 litres.",
            "how full is the grey water": "The grey water tank is at 35%, about 21 litres.",
            "what is the inverter mode": "The inverter mode is normal.",
            "is the bedroom blind open": "The bedroom blind is open.",
        ]

        @Test func devices_areListed_areAnsweredFor_andGoWhenTheySaySo() async throws {
            let van = try await VanUnderTest(Setup(isDiscovered: true))
            defer { van.end() }
            let witness = try await #require(van.broker).witness()
            defer { witness.end() }
            let rows = try await van.client.call(DevicesListCall.self).devices
            #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.kind) }) == Self.expected)
            for (question, answer) in Self.questions {
                let reply = try await van.say(question).reply
                #expect(reply == answer, "\(question)")
            }
            #expect(rows.first { $0.name == "water pump" }?.area == "galley")
            for (name, source) in [
                ("water pump", "home_assistant"), ("bed lamp", "zigbee2mqtt"), ("kettle", "tasmota"),
                ("leisure battery", "victron"),
            ] {
                #expect(rows.first { $0.name == name }?.source == source)
            }

            try await van.notices("thermometer", "temperature", "8.5", witness)
            try await eventually("the outside temperature") {
                try await van.device("outside temperature")?.state == "8.5 °C"
            }

            // What is invalid now is said so, and so is what comes back.
            try await van.notices("battery", "system/0/Dc/Battery/Soc", "null", witness)
            let charge = "how much battery is left"
            try await eventually("the loss") { try await van.device("leisure battery")?.state == "invalid" }
            #expect(try await van.say(charge).reply == "The leisure battery reports no valid state.")
            try await van.notices("battery", "system/0/Dc/Battery/Soc", "81", witness)
            try await eventually("the charge") { try await van.device("leisure battery")?.state == "81 %" }
            try await van.notices("gas_alarm", "state", "ON", witness)
            try await eventually("the alarm") { try await van.device("gas alarm")?.state == "on" }
            // It speaks by itself, and would again while it goes on.
            try await eventually("the warning") {
                try await van.client.call(TraceCall.self, TraceArguments(count: 1)).turns.first?.reply
                    .hasPrefix("Alarm! The gas alarm reports gas.") == true
            }
            try await van.notices("gas_alarm", "state", "OFF", witness)
            try await eventually("the end of the alarm") { try await van.device("gas alarm")?.state == "off" }

            // Each convention has its own way to go: an empty description, a shorter list, empty values.
            for (gadget, name, question) in [
                ("pump", "water pump", "turn on the water pump"), ("bed_lamp", "bed lamp", "turn on the bed lamp"),
                ("socket", "kettle", "turn on the kettle"),
                ("fresh_tank", "fresh water tank", "what is the fresh water tank"),
            ] {
                let seen = witness.messages.count
                try await van.has(gadget, "gone", witness)
                try await eventually("\(name) to be gone") { try await van.device(name) == nil }
                try await eventually("\(name) to be out of the vocabulary") {
                    let turn = try await van.say(question)
                    return !turn.reply.lowercased().contains("the \(name)")
                }
                let sent = witness.messages.dropFirst(seen).filter { DiscoveredCommandTests.isCommand($0) }
                #expect(!sent.contains { $0.contains("pump/set") || $0.contains("bed lamp/set") }, "\(name)")
                // And comes back.
                try await van.resets(gadget, witness)
                try await eventually("\(name) to be back") { try await van.device(name)?.state != nil }
            }
            try await van.knowsDiscovered()
        }

        @Test func brokerAway_nothingIsSentLater_andAllIsFoundAgain() async throws {
            let van = try await VanUnderTest(Setup(isDiscovered: true))
            defer { van.end() }
            let broker = try #require(van.broker)
            broker.kill()
            for command in ["turn on the water pump", "turn on the bed lamp", "turn on the kettle", "is the heater on"]
            {
                #expect(try await van.say(command).reply == BrokerTests.apology)
            }
            try await broker.start()
            let witness = try await broker.witness()
            defer { witness.end() }
            try await eventually("the broker to be found again") { try await van.status().bus.connected }
            try await van.knowsDiscovered()
            #expect(try await van.say("turn on the ceiling light").reply == "The ceiling light is on.")
            try await witness.sees(#"esp/ceiling/command {"state":"ON"}"#)
            #expect(
                witness.messages.filter { DiscoveredCommandTests.isCommand($0) } == [
                    #"esp/ceiling/command {"state":"ON"}"#
                ])
        }
    }
}
