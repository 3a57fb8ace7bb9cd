import Domain
import Foundation

/// VanOrb as a device in Home Assistant: one description of the whole device, its state as one JSON object, and, where
/// the owner lets other programs in, a text input, a listen button and a choice of the mode. Source: Home Assistant's
/// documentation of MQTT discovery.
public struct HubPresence: Sendable {
    /// A retained message.
    public struct Message: Sendable, Equatable {
        /// Topic and payload.
        public let topic: String, payload: String
    }

    /// Reports that VanOrb is online.
    public static let birth = Message(topic: status, payload: "online")

    /// What another program asks for.
    public enum Input: Sendable, Equatable {
        /// A command in words; that the button is pressed; a mode by its name.
        case text(String), listen, mode(String)
    }

    /// The availability topic; the will reports offline there.
    public static let status = "vanorb/status"
    private static let state = "vanorb/state", text = "vanorb/text/set", listen = "vanorb/listen/set"
    private static let mode = "vanorb/mode/set"
    /// Characters; Home Assistant's longest text.
    private static let textLimit = 255

    /// The topic under which devices describe themselves, the program's version, and whether others may ask for
    /// something.
    public let prefix: String, version: String, takesInputs: Bool

    /// A presence.
    public init(prefix: String, version: String, takesInputs: Bool) {
        (self.prefix, self.version, self.takesInputs) = (prefix, version, takesInputs)
    }

    /// The topic of its description.
    public var descriptionTopic: String { "\(prefix)/device/vanorb/config" }
    /// The topic on which Home Assistant reports that it has restarted and needs the description again.
    public var birthTopic: String { "\(prefix)/status" }
    /// The topics to subscribe to.
    public var topics: [String] { [birthTopic] + (takesInputs ? [Self.text, Self.listen, Self.mode] : []) }

    /// What another program asks for; nil for messages on other topics, and for retained, too long and empty ones: a
    /// retained message would be carried out again after every connect.
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

/// What VanOrb reports to other programs.
public struct HubFacts: Sendable, Equatable {
    /// The session's state, such as `ready`; the van's mode; what was understood last.
    public var state: String, mode: String?, lastCommand: String?
    /// The home currency, the balance in it, and the daily expenses over the last thirty days; nil while nothing is
    /// entered.
    public var currency: String, balance: Decimal?, burnRate: Decimal?
    /// Kilograms that may still be loaded, negative where the van is too heavy; nil while a mass is unknown.
    public var weightMargin: Double?
    /// Tasks that are not done.
    public var openTasks: Int?

    /// The state alone; nothing else is known.
    package init(state: String, lastCommand: String?, currency: String) {
        (self.state, self.lastCommand, self.currency) = (state, lastCommand, currency)
    }
}
