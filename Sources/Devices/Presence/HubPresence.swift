import Domain
import Foundation

/// VanOrb as a device in Home Assistant: one description of the whole device, its state as one JSON object, and, where
/// the owner lets other programs in, a text input, a listen button and a choice of the mode. Source: Home Assistant's
/// documentation of MQTT discovery.
public struct HubPresence: Sendable {
    /// A message to be kept by the broker.
    public struct Message: Sendable, Equatable {
        /// Topic and payload.
        public let topic: String, payload: String
    }

    /// That it is there.
    public static let birth = Message(topic: status, payload: "online")

    /// What another program wants.
    public enum Input: Sendable, Equatable {
        /// A command in words; that the button is pressed; a mode by its name.
        case text(String), listen, mode(String)
    }

    /// Where it says that it is there, as its will says that it is not.
    public static let status = "vanorb/status"
    private static let state = "vanorb/state", text = "vanorb/text/set", listen = "vanorb/listen/set"
    private static let mode = "vanorb/mode/set"
    /// Home Assistant's longest text.
    private static let textLimit = 255

    /// The topic under which devices describe themselves, the program's version, and whether others may ask for
    /// something.
    public let prefix: String, version: String, takesInputs: Bool

    /// A presence.
    public init(prefix: String, version: String, takesInputs: Bool) {
        (self.prefix, self.version, self.takesInputs) = (prefix, version, takesInputs)
    }

    /// Where it describes itself.
    public var descriptionTopic: String { "\(prefix)/device/vanorb/config" }
    /// Where Home Assistant says that it has begun anew, and wants to be told again.
    public var birthTopic: String { "\(prefix)/status" }
    /// What to listen to.
    public var topics: [String] { [birthTopic] + (takesInputs ? [Self.text, Self.listen, Self.mode] : []) }

    /// What another program wants; nil for what is none of it, kept by the broker, too long or empty: a message that
    /// was kept would be carried out again after every connect.
    public func input(_ message: BusMessage) -> Input? {
        guard takesInputs, !message.isRetained, let words = message.text, words.count <= Self.textLimit else {
            return nil
        }
        let text = words.trimmingCharacters(in: .whitespacesAndNewlines)
        switch message.topic {
        case Self.text: return text.isEmpty ? nil : .text(text)
        case Self.listen: return .listen
        case Self.mode: return text.isEmpty ? nil : .mode(text)
        default: return nil
        }
    }

    /// The description of the device.
    public func description(currency: String, modes: [String]) -> Message {
        var components: [String: Any] = [
            "state": sensor("State", "state", ["icon": "mdi:microphone-message"]),
            "last_command": sensor("Last command", "last_command"),
            "balance": sensor("Balance", "balance", ["unit_of_meas": currency, "dev_cla": "monetary"]),
            "burn_rate": sensor("Burn rate", "burn_rate", ["unit_of_meas": "\(currency)/d"]),
            "weight_margin": sensor("Weight margin", "weight_margin", ["unit_of_meas": "kg", "dev_cla": "weight"]),
            "open_tasks": sensor("Open tasks", "open_tasks"),
        ]
        if takesInputs {
            components["text"] = entity("text", "Command", ["cmd_t": Self.text, "max": Self.textLimit])
            components["listen"] = entity("button", "Listen", ["cmd_t": Self.listen])
            components["mode"] = entity(
                "select", "Mode",
                [
                    "cmd_t": Self.mode, "stat_t": Self.state, "val_tpl": "{{ value_json.mode }}", "ops": modes,
                ])
        } else {
            components["mode"] = sensor("Mode", "mode")
        }
        let root: [String: Any] = [
            "dev": ["ids": ["vanorb"], "name": "VanOrb", "mf": "VanOrb", "sw": version],
            "o": ["name": "vanorb", "sw": version], "cmps": components, "avty_t": Self.status,
        ]
        return Message(topic: descriptionTopic, payload: Self.json(root))
    }

    private func sensor(_ name: String, _ key: String, _ more: [String: Any] = [:]) -> [String: Any] {
        let own: [String: Any] = ["stat_t": Self.state, "val_tpl": "{{ value_json.\(key) }}"]
        return entity("sensor", name, own.merging(more) { $1 }, id: key)
    }

    private func entity(
        _ platform: String, _ name: String, _ own: [String: Any], id: String? = nil
    ) -> [String: Any] {
        own.merging(["p": platform, "name": name, "uniq_id": "vanorb_\(id ?? platform)"]) { $1 }
    }

    /// The facts as they are now.
    public func state(_ facts: HubFacts) -> Message {
        let values: [String: Any?] = [
            "state": facts.state, "mode": facts.mode, "last_command": facts.lastCommand.map { String($0.prefix(255)) },
            "balance": facts.balance.map { NSDecimalNumber(decimal: $0) },
            "burn_rate": facts.burnRate.map { NSDecimalNumber(decimal: $0) },
            "weight_margin": facts.weightMargin, "open_tasks": facts.openTasks,
        ]
        return Message(topic: Self.state, payload: Self.json(values.mapValues { $0 ?? NSNull() }))
    }

    private static func json(_ value: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
