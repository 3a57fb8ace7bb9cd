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
    /// Its state stays as it is, and it says so.
    case refuse
    /// It obeys five seconds later.
    case late
    /// It says that it did the opposite.
    case lie
    /// It is away, and its availability says so where it has one.
    case offline
    /// It obeys, and no longer reports its state.
    case silent
    /// It takes its description back.
    case gone
}

/// A device that describes itself on the bus. Its payloads are written out as the documentation of its convention has
/// them: nothing that reads them in VanOrb has made them.
struct Gadget: Sendable {
    /// What it is, each value under a name of its own.
    typealias Values = [String: String]

    /// How it makes itself known.
    enum Description: Sendable {
        /// By retained messages of its own.
        case own([GadgetMessage])
        /// By an element of Zigbee2MQTT's one list.
        case zigbee(String)
        /// By its values alone, as Venus OS does.
        case values
    }

    /// Where it says that it is there.
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
    /// What becomes of it by a command, step by step: a cover is on its way before it is there. Nil for what it does
    /// not understand; empty for a question.
    let effect: @Sendable (GadgetMessage, Values) -> [Values]?
    /// What it says about itself.
    let report: @Sendable (Values) -> [GadgetMessage]
    /// What it says instead of a value when it lies; on and off, open and closed, and numbers need none.
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
    /// A device of Home Assistant's convention whose values have topics of their own; its states are retained.
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

/// A command's JSON object without objects in it, as texts: what a device in a few kilobytes of memory makes of it.
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
