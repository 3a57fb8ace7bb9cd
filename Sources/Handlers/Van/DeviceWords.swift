import Devices
import Language

/// A word for devices of a kind, as the phrasebook's list has it: `one light`, `all cover blind`,
/// `all cover/binary_sensor window/door`, `all any`.
package struct KindWord: Sendable, Equatable {
    /// True for the singular: one of them is meant.
    let isOne: Bool
    let kinds: [Device.Kind]
    /// What they are for, where the kind alone says too little: a blind is not a window.
    let purposes: [String]

    package init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 2, parts[0] == "one" || parts[0] == "all" else { return nil }
        isOne = parts[0] == "one"
        kinds =
            parts[1] == "any"
            ? Device.Kind.allCases : parts[1].split(separator: "/").compactMap { Device.Kind(rawValue: String($0)) }
        purposes = parts.count > 2 ? parts[2].split(separator: "/").map(String.init) : []
    }

    /// True for “things”, which are whatever the rest of the sentence says.
    var isAny: Bool { kinds.count == Device.Kind.allCases.count }

    package func includes(_ device: Device, _ words: WordRules) -> Bool {
        guard kinds.contains(device.kind) else { return false }
        guard !purposes.isEmpty, device.kind != .lock else { return true }
        return purposes.contains(device.purpose(words.deviceClass))
    }
}

/// A state that is asked for, as the phrasebook's list has it: `open`, `on`, or `on moisture` where the word belongs to
/// sensors of certain classes.
package struct DeviceCondition: Sendable, Equatable {
    /// What it is to be.
    enum Wanted: String, Sendable {
        case on, off, open, closed, locked, unlocked
    }

    let wanted: Wanted
    let classes: Set<String>
    /// As it was said: “wet”, “plugged in”.
    let spoken: String

    init?(_ name: SpokenName) {
        let parts = name.text.split(separator: " ").map(String.init)
        guard let first = parts.first, let wanted = Wanted(rawValue: first) else { return nil }
        self.wanted = wanted
        classes = parts.count > 1 ? Set(parts[1].split(separator: "/").map(String.init)) : []
        spoken = name.spoken
    }

    /// What it is where it is not that; nil where that has no word of its own.
    var opposite: Wanted? {
        guard classes.isEmpty else { return nil }
        return switch wanted {
        case .on: .off
        case .off: .on
        case .open: .closed
        case .closed: .open
        case .locked: .unlocked
        case .unlocked: .locked
        }
    }

    /// Percent; a battery with less is low.
    private static let lowCharge = 20.0
    private static let charges: Set = ["battery", "device_battery"]

    /// True where a number says whether a battery is low.
    private func isCharge(_ device: Device) -> Bool {
        device.kind == .sensor && device.unit == "%" && !classes.isDisjoint(with: Self.charges)
            && Self.charges.contains(device.deviceClass ?? "")
    }

    /// Whether a device can be so at all: no light is locked.
    /// - Parameter isNamed: true where the sentence has a word for its kind, so that “on” is asked of sensors as well.
    func concerns(_ device: Device, isNamed: Bool, _ words: WordRules) -> Bool {
        let isSensor = device.kind == .binarySensor
        switch wanted {
        case .on, .off:
            guard classes.isEmpty else {
                return isSensor && classes.contains(device.deviceClass ?? "") || isCharge(device)
            }
            return device.canSwitch || isSensor && isNamed
        case .open, .closed: return device.kind == .cover || device.isOpening(words.deviceClass)
        case .locked, .unlocked: return device.kind == .lock || isSensor && device.deviceClass == "lock"
        }
    }

    /// Whether it is so; nil where that is not known.
    func holds(_ report: DeviceReport, _ device: Device) -> Bool? {
        guard report.isKnown else { return nil }
        if isCharge(device) {
            return report.number.map { ($0 < Self.lowCharge) == (wanted == .on) }
        }
        // “On” of a contact means open, and unlocked.
        let isOn: Bool? = report.state == .on ? true : report.state == .off ? false : nil
        switch wanted {
        case .on: return isOn
        case .off: return isOn.map { !$0 }
        case .open: return isOn ?? report.position.map { $0 != .closed }
        case .closed: return isOn.map { !$0 } ?? report.position.map { $0 == .closed }
        case .unlocked: return isOn ?? report.position.map { $0 != .locked }
        case .locked: return isOn.map { !$0 } ?? report.position.map { $0 == .locked }
        }
    }
}
