import Domain

/// A device of the van: what it is called, what kind it is, and the topics through which it is spoken to.
public struct Device: Sendable, Equatable {
    /// What a device is.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Something that is on or off.
        case `switch`
        /// A lamp; it may have a brightness and a colour temperature.
        case light
        /// A fan; it may have a speed.
        case fan
        /// A blind, vent, window, awning or door that is driven open and shut; it may have a position.
        case cover
        /// A lock.
        case lock
        /// An air conditioner, or a heater with several modes.
        case climate
        /// A heater.
        case heater
        /// Something that reports and takes no commands.
        case sensor
        /// Something that reports on or off and takes no commands.
        case binarySensor = "binary_sensor"
        /// A number that can be set.
        case number
        /// One of several options.
        case select
        /// Something that is pressed, and has no state.
        case button
        /// A scene that another program carries out.
        case scene
    }

    /// Commands of one word in addition to on and off.
    public enum Verb: String, Sendable, CaseIterable {
        /// Of a cover.
        case open, close, stop
        /// Of a lock.
        case lock, unlock
        /// Of a button.
        case press
    }

    /// How much a battery or a tank holds.
    public struct Capacity: Sendable, Equatable {
        /// `Ah`, `Wh` or `L`.
        public enum Unit: String, Sendable, CaseIterable {
            /// Ampere hours, watt hours, litres.
            case ampHours = "Ah", wattHours = "Wh", litres = "L"
        }
        /// How much, in the unit.
        public var amount: Double
        /// The unit.
        public var unit: Unit
    }

    /// Identifies the device; stable over restarts.
    public var id: String
    /// As the owner says it.
    public var name: String
    /// Other names.
    public var aliases: [String]
    /// What it is.
    public var kind: Kind
    /// The part of the van that it belongs to.
    public var area: String?
    /// The command topic; nil for a device without commands.
    public var commandTopic: String?
    /// The state topic; nil for a device that never reports its state (optimistic).
    public var stateTopic: String?
    /// Where it, and what it hangs on, say that they are there.
    public var availability: [Availability] = []
    /// How several of those make one answer.
    public var availabilityMode = Availability.Mode.latest
    /// What it is part of, where that has no topic for saying that it is there.
    public var pulse: Pulse?
    /// The payloads of the commands, and those of the states where they differ.
    public var payloadOn: String, payloadOff: String, stateOn: String, stateOff: String
    /// A state older than this is stale; nil for states that stay true until the next.
    public var expiresAfter: Duration?
    /// The groups that it belongs to.
    public var groups: [String] = []
    /// What it measures or closes, such as `battery`, `grey_water`, `window`.
    public var deviceClass: String?
    /// The unit of what it measures, such as `%` or `V`.
    public var unit: String?
    /// True when the owner wants to be asked before it is commanded.
    public var isRisky = false
    /// How much it holds; of a battery or tank sensor.
    public var capacity: Capacity?
    /// What of a payload the state is; nil where it is the payload.
    public var valueTemplate: ValueTemplate?
    /// The payloads of the verbs that it knows.
    public var verbs: [Verb: String] = [:]
    /// What a cover's or lock's state payloads mean.
    public var stateWords: [String: Position] = [:]
    /// Brightness, speed or position.
    public var level: Scale?
    /// A lamp's colour temperature, kelvin.
    public var colourTemperature: Scale?
    /// A lamp's colour.
    public var colour: ColourControl?
    /// The slant of a blind's slats.
    public var tilt: Scale?
    /// Whether a fan swings.
    public var oscillation: Oscillation?
    /// A heater's target, degrees Celsius unless its unit says Fahrenheit.
    public var target: Scale?
    /// The temperature that a heater measures.
    public var current: Scale?
    /// The value of a number.
    public var value: Scale?
    /// What a heater, switch or select may be set to.
    public var options: Options?
    /// Who described it: `owner`, or the name of a convention.
    public var origin = Device.ownersOrigin
    /// Who made it, and what they call it, where the device says.
    public var manufacturer: String?, model: String?
    /// True for a lamp that is turned on by its brightness alone, and has no command for it.
    public var turnsOnByLevel = false
    /// After so long, “on” is taken for off: for motion sensors that never report off.
    public var offAfter: Duration?

    /// How a fan is made to swing, and to stand still.
    public struct Oscillation: Sendable, Equatable {
        /// Where it is set, and the state topic; nil for a fan that never reports it.
        public var commandTopic: String, stateTopic: String?
        /// What of a payload it is; nil where it is the payload.
        public var template: ValueTemplate?
        /// The payloads of the commands.
        public var payloadOn: String, payloadOff: String
        /// What its states say.
        public var stateOn: String, stateOff: String
    }

    /// The origin of what the owner's file describes.
    public static let ownersOrigin = "owner"

    /// Where a cover or a lock is.
    public enum Position: String, Sendable, CaseIterable {
        /// Of a cover.
        case open, closed, opening, closing, stopped
        /// Of a lock.
        case locked, unlocked, locking, unlocking, jammed
    }

    /// True when on and off can be commanded.
    public var canSwitch: Bool {
        guard commandTopic != nil else { return false }
        return [.switch, .light, .fan, .heater, .climate].contains(kind)
    }

    /// True for what makes heat, or is set to a temperature.
    package var isHeating: Bool { kind == .heater || kind == .climate }

    /// The noun of its name: the last word, as in “bathroom blind”.
    package var noun: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// What it measures or closes: its class, or where that says nothing what its name says.
    /// - Parameter classOf: the class that a noun of the owner's language stands for.
    package func purpose(_ classOf: (String) -> String) -> String {
        guard let deviceClass else { return classOf(noun) }
        guard deviceClass == Self.anyOpening else { return deviceClass }
        let named = classOf(noun)
        return Self.openings.contains(named) ? named : deviceClass
    }

    /// True where “on” means open: an open window, not a window that is on.
    package func isOpening(_ classOf: (String) -> String) -> Bool {
        kind == .binarySensor && Self.openings.contains(purpose(classOf))
    }

    /// The class of what opens and is not said to be a door, a window or the like.
    static let anyOpening = "opening"

    /// What stands open or is shut.
    package static let openings: Set<String> = ["door", "window", anyOpening, "vent", "hatch", "garage_door"]
}

extension Device {
    /// What a sensor warns of; the raw values are the emergency handler's intents.
    package enum Alarm: String, Sendable {
        case fire, gas
        case carbonMonoxide = "carbon_monoxide"
    }

    /// Nil for what warns of nothing.
    package var alarm: Alarm? {
        guard kind == .binarySensor else { return nil }
        return switch deviceClass {
        case "smoke", "heat": .fire
        case "gas": .gas
        case "carbon_monoxide", "co": .carbonMonoxide
        default: nil
        }
    }
}
