import Control
import Foundation
import SystemTestKit
import Testing

/// What tests of devices that describe themselves do with the simulation.
extension VanUnderTest {
    /// A sentence for each convention, with its answer once the names are in the vocabulary and the states are there.
    static let firstWords = [
        "is the water pump on": "The water pump is off.", "is the bed lamp on": "The bed lamp is off.",
        "is the toaster on": "The toaster is off.",
        "how full is the grey water tank": "The grey water tank is at 35%, about 21 litres.",
    ]

    /// Waits until the devices of every convention are known, by name and with their states.
    func knowsDiscovered(_ words: [String: String] = firstWords) async throws {
        for (sentence, answer) in words.sorted(by: { $0.key < $1.key }) {
            var last = ""
            try await eventually("“\(answer)”, the answer was “\(last)”") {
                last = try await self.say(sentence).reply
                return last == answer
            }
        }
    }

    /// A device of the list, by its name.
    func device(_ name: String) async throws -> DeviceRow? {
        try await client.call(DevicesListCall.self).devices.first { $0.name == name }
    }

    /// Publishes a message as a program of another maker would.
    func publish(_ topic: String, _ payload: String) async throws {
        let broker = try #require(broker)
        try await broker.publish(topic, payload)
    }

    /// Has a simulated device behave so from now on, and returns once it does.
    func has(_ gadget: String, _ behaviour: String, _ witness: Witness) async throws {
        let seen = witness.messages.count
        try await publish("simulation/\(gadget)/behaviour", behaviour)
        try await witness.sees("simulation/\(gadget)/done \(behaviour)", after: seen)
    }

    /// Has a simulated device begin again, and returns once it has.
    func resets(_ gadget: String, _ witness: Witness) async throws {
        let seen = witness.messages.count
        try await publish("simulation/\(gadget)/reset", "again")
        try await witness.sees("simulation/\(gadget)/done again", after: seen)
    }

    /// Changes what a simulated device has noticed.
    func notices(_ gadget: String, _ value: String, _ text: String, _ witness: Witness) async throws {
        let seen = witness.messages.count
        try await publish("simulation/\(gadget)/value/\(value)", text)
        try await witness.sees("simulation/\(gadget)/done \(text)", after: seen)
    }
}
