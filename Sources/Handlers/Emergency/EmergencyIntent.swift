import Domain

/// What is asked in an emergency.
package enum EmergencyIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case emergency, fire, gas, carbonMonoxide = "carbon_monoxide", medical, emergencyNumber = "emergency_number"
        case location, firstAid = "first_aid"
    }

    package enum Slot: String, Sendable {
        case country, injury
    }

    /// What has happened, which is also published on the bus. The raw values are those of replies and messages.
    package enum Alarm: String, Sendable {
        case emergency, fire, gas, medical
        case carbonMonoxide = "carbon_monoxide"
    }

    case alarm(Alarm)
    /// - Parameter country: by its name; nil for the one that the van is in.
    case numbers(country: String?)
    case location
    /// - Parameter injury: a value of the phrasebook's list.
    case firstAid(injury: String?)

    package static let handler = EmergencyHandler.name

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        self =
            switch name {
            case .emergency: .alarm(.emergency)
            case .fire: .alarm(.fire)
            case .gas: .alarm(.gas)
            case .carbonMonoxide: .alarm(.carbonMonoxide)
            case .medical: .alarm(.medical)
            case .emergencyNumber: .numbers(country: slots.text(.country))
            case .location: .location
            case .firstAid: .firstAid(injury: slots.text(.injury))
            }
    }
}
