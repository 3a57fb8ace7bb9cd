import Domain
import Devices
import Language

/// What is asked of the devices.
package enum VanIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case turnOn = "turn_on", turnOff = "turn_off", setLevel = "set_level", adjustLevel = "adjust_level"
        case setTemperature = "set_temperature", adjustTemperature = "adjust_temperature", setOption = "set_option"
        case open, close, stop, lock, unlock, press, runScene = "run_scene", getState = "get_state"
        case getValue = "get_value", listOn = "list_on", listOpen = "list_open", listOffline = "list_offline"
        case timeLeft = "time_left"
    }

    package enum Slot: String, Sendable {
        case device, area, kinds, everything, except, unknown, level, amount, direction, temperature, option, scene,
            what
    }

    case request(DeviceRequest, TargetReference)
    /// A request that lacks the value of this slot.
    case incomplete(Slot)
    case runScene(SpokenName?)
    case state(TargetReference)
    case value(Measurement)
    case listOn(TargetReference)
    case listOpen(TargetReference)
    case listOffline
    case timeLeft

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
            case .turnOn: request(.turn(true))
            case .turnOff: request(.turn(false))
            case .open: request(.verb(.open))
            case .close: request(.verb(.close))
            case .stop: request(.verb(.stop))
            case .lock: request(.verb(.lock))
            case .unlock: request(.verb(.unlock))
            case .press: request(.verb(.press))
            case .setLevel: request(slots[.level].flatMap(Self.level))
            case .adjustLevel: request(.adjust(amount, isUp: isUp))
            case .setTemperature: request(slots.number(.temperature).map { .temperature($0) }, lacking: .temperature)
            case .adjustTemperature: request(.adjustTemperature(amount, isUp: isUp))
            case .setOption: request(slots.name(.option).map { .option($0.ownName) }, lacking: .option)
            case .runScene: .runScene(slots.name(.scene))
            case .getState: .state(target)
            case .getValue: .value(Measurement(slots))
            case .listOn: .listOn(target)
            case .listOpen: .listOpen(target)
            case .listOffline: .listOffline
            case .timeLeft: .timeLeft
            }
    }

    /// “Half” and “full” are values of a list; their numbers stand in the phrasebook. So do the kelvin of “warm white”:
    /// no percentage has a word for thousands.
    private static func level(_ slot: SlotValue) -> DeviceRequest? {
        if let number = slot.number { return .set(number) }
        return Double(slot.text).map { $0 >= 1_000 ? .white($0) : .set($0) }
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
        /// Words for a device that is none of the owner's.
        let unknown: String?

        init(_ slots: SlotReader<Slot>) {
            device = slots.name(.device)
            area = slots.ownerName(.area)
            kind = slots.name(.kinds).flatMap(KindReference.init)
            isEverything = slots.has(.everything)
            excepted = slots.name(.except)?.ids ?? []
            unknown = slots.text(.unknown)
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

/// A word for devices of a kind, as the phrasebook's list has it: `one light`, `all cover blind`,
/// `all cover/binary_sensor window`.
package struct KindWord: Sendable, Equatable {
    /// True for the singular: one of them is meant.
    let isOne: Bool
    let kinds: [Device.Kind]
    /// What it is for, where the kind alone says too little: a blind is not a window.
    let purpose: String?

    init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 2, parts[0] == "one" || parts[0] == "all" else { return nil }
        isOne = parts[0] == "one"
        kinds = parts[1].split(separator: "/").compactMap { Device.Kind(rawValue: String($0)) }
        purpose = parts.count > 2 ? parts[2] : nil
    }

    func includes(_ device: Device, _ words: WordRules) -> Bool {
        guard kinds.contains(device.kind) else { return false }
        guard let purpose, device.kind != .lock else { return true }
        return device.purpose(words.deviceClass) == purpose
    }
}
