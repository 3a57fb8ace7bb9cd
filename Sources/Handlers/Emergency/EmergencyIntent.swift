import Devices
import Domain

/// What is asked in an emergency.
package enum EmergencyIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case emergency, fire, gas, carbonMonoxide = "carbon_monoxide", medical, emergencyNumber = "emergency_number"
        case location, firstAid = "first_aid", falseAlarm = "false_alarm"
    }

    package enum Slot: String, Sendable {
        case country, injury
        /// What an alarm was told by: the sound of one.
        case sign
        /// Filled where the air is asked about, and nothing is reported.
        case asked
    }

    /// What has happened, which is also published on the bus. The raw values are those of replies and messages.
    package enum Alarm: String, Sendable {
        case emergency, fire, gas, medical
        case carbonMonoxide = "carbon_monoxide"

        /// What a sensor warns of.
        init(_ kind: Device.Alarm) {
            self =
                switch kind {
                case .fire: .fire
                case .gas: .gas
                case .carbonMonoxide: .carbonMonoxide
                }
        }
    }

    /// - Parameter sign: what is the matter, by which the steps are chosen; a value of the phrasebook's lists.
    case alarm(Alarm, sign: String?)
    /// Takes an alarm back.
    case falseAlarm
    /// Whether a sensor reports this.
    case air(Device.Alarm)
    /// - Parameter country: by its name; nil for the one that the van is in.
    case numbers(country: String?)
    case location
    /// - Parameter injury: a value of the phrasebook's list.
    case firstAid(injury: String?)

    package static let handler = EmergencyHandler.name

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        self =
            switch name {
            case .emergency: .alarm(.emergency, sign: slots.text(.sign))
            case .fire: Self.alarm(.fire, slots)
            case .gas: Self.alarm(.gas, slots)
            case .carbonMonoxide: Self.alarm(.carbonMonoxide, slots)
            case .medical: .alarm(.medical, sign: slots.text(.injury))
            case .falseAlarm: .falseAlarm
            case .emergencyNumber: .numbers(country: slots.text(.country))
            case .location: .location
            case .firstAid: .firstAid(injury: slots.text(.injury))
            }
    }

    /// What a sensor can know of is asked about as well.
    private static func alarm(_ kind: Device.Alarm, _ slots: SlotReader<Slot>) -> EmergencyIntent {
        if slots.text(.asked) != nil { return .air(kind) }
        return .alarm(Alarm(kind), sign: nil)
    }
}
