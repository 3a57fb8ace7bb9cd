import Domain

/// What is asked about travelling.
package enum TravelIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case startTrip = "start_trip", endTrip = "end_trip", currentTrip = "current_trip"
        case logOdometer = "log_odometer", distance, nights, countries, listTrips = "list_trips"
        case tripStats = "trip_stats", fuelUse = "fuel_use", whereAmI = "where_am_i"
    }

    package enum Slot: String, Sendable {
        case destination, place, date, odometer, reading, trip, which, period, unit
    }

    case start(Start)
    case end(SaidReading?)
    case currentTrip
    case logOdometer(SaidReading?)
    case distance(ExtentReference)
    case nights(ExtentReference)
    case countries(ExtentReference)
    case list(ExtentReference)
    case stats(ExtentReference)
    case fuelUse(ExtentReference)
    case whereAmI

    package static let handler = TravelHandler.name
    package static let lookUps: [Name] = [
        .currentTrip, .distance, .nights, .countries, .listTrips, .tripStats, .fuelUse, .whereAmI,
    ]

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        let extent = ExtentReference(slots), reading = SaidReading(slots)
        self =
            switch name {
            case .startTrip: .start(Start(slots))
            case .endTrip: .end(reading)
            case .currentTrip: .currentTrip
            case .logOdometer: .logOdometer(reading)
            case .distance: .distance(extent)
            case .nights: .nights(extent)
            case .countries: .countries(extent)
            case .listTrips: .list(extent)
            case .tripStats: .stats(extent)
            case .fuelUse: .fuelUse(extent)
            case .whereAmI: .whereAmI
            }
    }

    /// The command to start a trip without the destination that was heard.
    static func withoutDestination(_ command: Command) -> Command {
        changed(command, [.destination: nil, .place: nil])
    }

    /// What the odometer reads.
    package enum SaidReading: Sendable, Equatable {
        case kilometres(Double)
        /// A number without a unit: the odometer's own.
        case bare(Double)

        init?(_ slots: SlotReader<Slot>) {
            if let kilometres = slots.number(.odometer) {
                self = .kilometres(kilometres)
            } else if let number = slots.number(.reading) {
                self = .bare(number)
            } else {
                return nil
            }
        }
    }

    /// A trip that begins.
    package struct Start: Sendable, Equatable {
        let destination: String
        let date: Period?
        let reading: SaidReading?

        init(_ slots: SlotReader<Slot>) {
            destination = slots.text(.destination) ?? slots.text(.place) ?? ""
            date = slots.period(.date)
            reading = SaidReading(slots)
        }
    }

    /// What a question is about: a trip, a stretch of time, or everything.
    package struct ExtentReference: Sendable, Equatable {
        enum Which: String { case last, current, ever }

        /// A trip of the owner's by its destination.
        var trip: SpokenName?
        /// A place that may be a trip's destination.
        let destination: String?
        let which: Which?
        /// A stretch of time, and the words for it.
        let period: SlotValue?
        /// The unit that a distance was asked for in; nil where none was said.
        let unit: DistanceUnit?

        init(_ slots: SlotReader<Slot>) {
            trip = slots.name(.trip)
            destination = slots.text(.destination)
            which = slots.text(.which).flatMap(Which.init(rawValue:))
            period = slots[.period]
            unit = slots.text(.unit).flatMap(DistanceUnit.init(rawValue:))
        }
    }
}
