import Domain
import Devices
import Language

/// What is asked of the devices.
package enum VanIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case turnOn = "turn_on", turnOff = "turn_off", setLevel = "set_level", adjustLevel = "adjust_level"
        case setTemperature = "set_temperature", adjustTemperature = "adjust_temperature", setOption = "set_option"
        case setColour = "set_colour", toggle
        case open, close, stop, lock, unlock, press, runScene = "run_scene", getState = "get_state"
        case getValue = "get_value", listOn = "list_on", listOpen = "list_open", listOffline = "list_offline"
        case timeLeft = "time_left"
    }

    package enum Slot: String, Sendable {
        case device, area, kinds, everything, except, unknown, level, amount, direction, temperature, option, scene,
            what, only, rest, colour, white, step, tilt, swing, scope, state, goal
        case exceptArea = "except_area"
    }

    case request(DeviceRequest, TargetReference)
    /// A request that lacks the value of this slot.
    case incomplete(Slot)
    /// One lit, and the other lights off.
    case only(TargetReference)
    case runScene(SpokenName?, area: String?)
    case state(StateQuestion)
    case value(Measurement)
    case listOn(TargetReference)
    case listOpen(TargetReference)
    case listOffline
    case timeLeft(toFull: Bool)

    package static let handler = VanHandler.name

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        let target = TargetReference(slots)
        func request(_ request: DeviceRequest?, lacking slot: Slot = .level) -> VanIntent {
            request.map { .request($0, target) } ?? .incomplete(slot)
        }
        let isUp = slots.text(.direction) != "down"
        let amount = slots.number(.amount) ?? slots.text(.amount).flatMap { Double($0) }
        self =
            switch name {
            case .turnOn:
                slots.has(.only)
                    ? .only(target) : request(slots.has(.swing) ? .oscillation(true) : .turn(true))
            case .turnOff: request(slots.has(.swing) ? .oscillation(false) : .turn(false))
            case .toggle: request(.toggle)
            case .setColour: request(Self.colour(slots), lacking: .colour)
            case .open: request(.verb(.open))
            case .close: request(.verb(.close))
            case .stop: request(.verb(.stop))
            case .lock: request(.verb(.lock))
            case .unlock: request(.verb(.unlock))
            case .press: request(.verb(.press))
            case .setLevel: request(Self.level(slots))
            case .adjustLevel: request(.adjust(amount, isUp: isUp))
            case .setTemperature: request(slots.number(.temperature).map { .temperature($0) }, lacking: .temperature)
            case .adjustTemperature: request(.adjustTemperature(amount, isUp: isUp))
            case .setOption: request(slots.name(.option).map { .option($0.ownName) }, lacking: .option)
            case .runScene: .runScene(slots.name(.scene), area: slots.ownerName(.area))
            case .getState: .state(StateQuestion(slots))
            case .getValue: .value(Measurement(slots))
            case .listOn: .listOn(target)
            case .listOpen: .listOpen(target)
            case .listOffline: .listOffline
            case .timeLeft: .timeLeft(toFull: slots.has(.goal))
            }
    }

    /// “Half” and “full” are values of a list; their numbers stand in the phrasebook. So do the kelvin of “warm white”:
    /// no percentage has a word for thousands.
    private static func level(_ slots: SlotReader<Slot>) -> DeviceRequest? {
        if let number = slots.number(.step) { return .step(number) }
        guard let slot = slots[.level] else { return nil }
        // “Fan to two”: a number by itself may be that of a step.
        if let number = slot.number, number < 10, !slot.spoken.contains(" ") { return .bare(number) }
        let number = slot.number ?? Double(slot.text)
        if slots.has(.tilt) { return (number ?? extremes[slot.text].map { $0 ? 100 : 0 }).map { .tilt($0) } }
        if slot.number == nil, let number { return number >= 1_000 ? .white(number) : .set(number) }
        return number.map { .set($0) } ?? extremes[slot.text].map { .extreme(isHigh: $0) }
    }

    /// What the phrasebook calls as high as it goes, and as low.
    private static let extremes = ["highest": true, "lowest": false]

    /// The phrasebook has the colours of CSS, `red ff0000`, and shades of white in kelvin.
    private static func colour(_ slots: SlotReader<Slot>) -> DeviceRequest? {
        if let kelvin = slots.text(.white).flatMap({ Double($0) }) { return .white(kelvin) }
        guard let words = slots.text(.colour)?.split(separator: " "), let hex = words.last else { return nil }
        return Colour(name: words.dropLast().joined(separator: " "), hex: hex).map { .colour($0) }
    }

    /// The slots that name a device.
    static func slots(naming device: Device) -> [Slot: SlotValue] {
        let name = OwnerName(name: device.name, aliases: device.aliases, id: device.id)
        return [.device: SlotValue(text: device.name, content: .names([name]))]
    }

    /// A device as the subject of a reply.
    static func subject(_ device: Device) -> [String: SlotValue] {
        Dictionary(uniqueKeysWithValues: slots(naming: device).map { ($0.key.rawValue, $0.value) })
    }

    /// Which devices are meant.
    package struct TargetReference: Sendable, Equatable {
        /// A device or a group by its name.
        let device: SpokenName?
        /// The owner's name of a part of the van.
        let area: String?
        /// All of a kind, or the only one.
        let kind: KindReference?
        let isEverything: Bool
        /// The identities of devices that are left out.
        let excepted: Set<String>
        /// The area that is left out.
        let exceptedArea: String?
        /// True for all that are not left out, whatever they are.
        let isRest: Bool
        /// Words for a device that is none of the owner's.
        let unknown: String?

        init(_ slots: SlotReader<Slot>) {
            device = slots.name(.device)
            area = slots.ownerName(.area)
            kind = slots.name(.kinds).flatMap(KindReference.init)
            isEverything = slots.has(.everything)
            excepted = slots.name(.except)?.ids ?? []
            exceptedArea = slots.ownerName(.exceptArea)
            isRest = slots.has(.rest)
            unknown = slots.text(.unknown)
        }

        /// True for what is left out.
        func leavesOut(_ device: Device) -> Bool {
            excepted.contains(device.id) || exceptedArea != nil && device.area == exceptedArea
                || device.groups.contains { excepted.contains(DeviceResolver.groupID($0)) }
        }
    }

    /// A word for devices of a kind, and how it was said.
    package struct KindReference: Sendable, Equatable {
        let word: KindWord
        let spoken: String

        init?(_ name: SpokenName) {
            guard let word = KindWord(name.text) else { return nil }
            self.word = word
            spoken = name.spoken
        }
    }

    /// A question about states: of one device, or of a set.
    package struct StateQuestion: Sendable, Equatable {
        /// How the devices of a set are asked about.
        enum Scope: String, Sendable {
            case any, all, which, many
        }
        let target: TargetReference
        /// What was asked for; nil for “how is it”.
        let condition: DeviceCondition?
        let scope: Scope?

        init(_ slots: SlotReader<Slot>) {
            target = TargetReference(slots)
            condition = slots.name(.state).flatMap(DeviceCondition.init)
            scope = slots.text(.scope).flatMap(Scope.init)
        }
    }

    /// What is to be measured.
    package struct Measurement: Sendable, Equatable {
        /// By which device; its area alone where no device is named.
        let target: TargetReference
        /// The device classes that a word stands for, the likeliest first.
        let classes: [String]?

        init(_ slots: SlotReader<Slot>) {
            target = TargetReference(slots)
            classes = slots.text(.what).map { $0.split(separator: " ").map(String.init) }
        }
    }
}
