import Foundation

/// A message of a simulated device.
struct GadgetMessage: Sendable, Equatable {
    let topic: String, payload: String
    var isRetained = false

    init(_ topic: String, _ payload: String, retained isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}

/// What a simulated device makes of its commands.
enum GadgetBehaviour: String, Sendable, CaseIterable {
    /// It obeys, and reports its state.
    case obey
    /// It ignores commands, and reports its unchanged state.
    case refuse
    /// It obeys five seconds later.
    case late
    /// It reports the opposite of the command.
    case lie
    /// It is offline, also by its availability topic where it has one.
    case offline
    /// It obeys, and no longer reports its state.
    case silent
    /// It removes its description.
    case gone
}

/// A device that describes itself on the bus. Its payloads are written out as the documentation of its convention has
/// them, and are independent of VanOrb's readers.
struct Gadget: Sendable {
    /// Its state, by the names of its values.
    typealias Values = [String: String]

    /// How it is discovered.
    enum Description: Sendable {
        /// By its own retained messages.
        case own([GadgetMessage])
        /// By an element of Zigbee2MQTT's one list.
        case zigbee(String)
        /// By its values alone, as Venus OS does.
        case values
    }

    /// Its availability topic.
    struct Presence: Sendable {
        let topic: String, there: String, away: String
    }

    /// In the control topics: lower case, with underscores.
    let name: String
    let description: Description
    var presence: Presence?
    /// What it is at the beginning.
    let beginning: Values
    /// The topics, or filters, on which it takes commands.
    let commands: [String]
    /// The states that a command leads to, step by step: a cover moves before it is open. Nil for what it does
    /// not understand; empty for a question.
    let effect: @Sendable (GadgetMessage, Values) -> [Values]?
    /// Its description.
    let report: @Sendable (Values) -> [GadgetMessage]
    /// What it reports instead of a value when it lies; on and off, open and closed, and numbers need none.
    var lies: Values = [:]

    /// The opposite of what a value should become.
    func lie(_ value: String) -> String {
        if let lie = lies[value] ?? Self.opposites[value] { return lie }
        guard let number = Double(value) else { return value }
        // Far off, and within the range of whatever it is: ten instead of twenty, eighty instead of forty.
        return number == 0 ? "100" : number > 50 ? "\(Int(number / 2))" : "\(Int(number * 2))"
    }

    private static let opposites = [
        "ON": "OFF", "OFF": "ON", "open": "closed", "closed": "open", "LOCKED": "UNLOCKED", "UNLOCKED": "LOCKED",
        "heat": "off", "off": "heat",
    ]
}

extension Gadget {
    /// A device of Home Assistant's convention with a topic for each value; its states are retained.
    /// - Parameters:
    ///   - states: the topic of each value.
    ///   - commands: the value that a command's payload becomes, by the command's topic.
    ///   - reads: the payloads that mean something else than themselves, with the steps that follow.
    static func plain(
        _ name: String, _ description: [GadgetMessage], presence: String? = nil, beginning: Values,
        states: [String: String], commands: [String: String] = [:], reads: [String: [Values]] = [:],
        lies: Values = [:]
    ) -> Gadget {
        Gadget(
            name: name, description: .own(description),
            presence: presence.map { Presence(topic: $0, there: "online", away: "offline") }, beginning: beginning,
            commands: commands.keys.sorted(),
            effect: { message, _ in
                if let steps = reads[message.payload] { return steps }
                return commands[message.topic].map { [[$0: message.payload]] }
            },
            report: { values in
                states.sorted { $0.key < $1.key }.compactMap { value, topic in
                    values[value].map { GadgetMessage(topic, $0, retained: true) }
                }
            }, lies: lies)
    }

    /// A retained description under Home Assistant's prefix.
    static func config(_ place: String, _ json: String) -> [GadgetMessage] {
        [GadgetMessage("homeassistant/\(place)/config", json, retained: true)]
    }
}

/// A command's flat JSON object, as texts, as a device with a few kilobytes of memory parses it.
struct FlatJSON {
    let values: Gadget.Values

    /// Nil for what is not a JSON object.
    init?(_ text: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return nil
        }
        values = object.compactMapValues { value in
            (value as? String) ?? (value as? NSNumber)?.stringValue
        }
    }
}
