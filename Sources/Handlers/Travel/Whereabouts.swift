import Domain
import Language
import Foundation

/// Where the van is: by the receiver, else the last stop that was stored before the restart.
struct Whereabouts: Sendable {
    /// The place.
    let position: Position
    /// How long ago the van was there, in seconds, at least 0.
    let age: TimeInterval
    /// True while the receiver sees its satellites.
    let isCurrent: Bool
    /// The country there; nil where no town is near, and where the towns are not known.
    let country: CountryGuess?
    /// True where the towns are known and none is near, so that the country is uncertain.
    let isRemote: Bool

    /// What is known now; nil where nothing is. Never waits longer than `limit` for the receiver or the store.
    static func find(
        _ location: LocationSources, _ trips: any TripStore, _ environment: HandlerEnvironment,
        within limit: Duration = .seconds(1)
    ) async -> Whereabouts? {
        if let receiver = location.receiver,
            let fix = await environment.read(within: limit, { await receiver.latest() })
        {
            let age = Double(fix.age.components.seconds)
            return Whereabouts(fix.position, age: age, isCurrent: fix.isCurrent, location.places)
        }
        guard let stop = await environment.read(within: limit, { try await trips.lastStop() }) else { return nil }
        let age = max(0, environment.time.now().timeIntervalSince(stop.date))
        return Whereabouts(stop.position, age: age, isCurrent: false, location.places)
    }

    private init(_ position: Position, age: TimeInterval, isCurrent: Bool, _ places: Places?) {
        self.position = position
        self.age = age
        self.isCurrent = isCurrent
        country = places?.country(at: position)
        isRemote = places != nil && country == nil
    }

    /// “12 kilometres north of Perpignan, in France or perhaps Spain”; or why there is no name for it.
    func place(_ places: Places?, _ environment: HandlerEnvironment) -> Wording {
        let replies = environment.replies, spoken = environment.spoken
        guard let places else { return replies("place.nameless") }
        guard let town = places.nearest(to: position), let country else { return replies("place.unknown") }
        let distance = spoken.distance(metres: town.metres, environment.region.distanceUnit)
        // A town's place is its centre's, to 1 km.
        let key = town.metres < 2_500 ? "place.at_town" : "place.near_town"
        let values: [String: any Worded] = [
            "town": town.name, "distance": distance, "direction": replies("place.direction\(town.octant)"),
        ]
        let others = spoken.choice(country.near.map { replies.country($0) })
        return replies(
            others.isEmpty ? "place.town_in" : "place.town_in_doubt",
            [
                "near": replies(key, values), "country": replies.country(country.code), "others": others,
            ])
    }

    /// “42.7001 north, 2.8900 east”.
    /// - Parameter spelled: true to say “4 2 point 7 0 0 1”, to be read to a dispatcher.
    func coordinates(decimals: Int, spelled: Bool, _ replies: Replies) -> Wording {
        func number(_ degrees: Double) -> Wording {
            let text = String(format: "%.\(decimals)f", abs(degrees))
            guard spelled else { return Wording(text) }
            let point = replies("place.point").spoken
            return Wording(
                spoken: text.map { $0 == "." ? point : String($0) }.joined(separator: " "), written: text)
        }
        return replies(
            spelled ? "place.coordinates_spelled" : "place.coordinates",
            [
                "latitude": number(position.latitude), "longitude": number(position.longitude),
                "north": replies(position.latitude < 0 ? "place.south" : "place.north"),
                "east": replies(position.longitude < 0 ? "place.west" : "place.east"),
            ])
    }

    /// “12 minutes ago”; nil while it is current.
    func ago(_ replies: Replies) -> Wording? {
        guard !isCurrent else { return nil }
        let minutes = Int(age / 60)
        if minutes < 1 { return replies("place.just_now") }
        if minutes < 120 { return replies("place.minutes_ago", ["number": "\(minutes)"]) }
        if minutes < 2_880 { return replies("place.hours_ago", ["number": "\(minutes / 60)"]) }
        return replies("place.days_ago", ["number": "\(minutes / 1_440)"])
    }
}

extension Replies {
    /// A country's name; its code where the language has none.
    package func country(_ code: String) -> String {
        let name = self("country.\(code)").written
        return name == "country.\(code)" ? code : name
    }

    /// The country that a destination lies in: by its own name, or by the region's (`regions` in
    /// `replies/places.yaml`).
    package func country(of destination: String) -> String? {
        let said = destination.lowercased()
        for key in keys where key.hasPrefix("country.") && self(key).written.lowercased() == said {
            return String(key.dropFirst("country.".count))
        }
        for key in keys where key.hasPrefix("regions.") {
            let names = self(key).written.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            if names.contains(said) { return String(key.dropFirst("regions.".count)) }
        }
        return nil
    }
}

extension SpokenForms {
    /// “12 kilometres”, “3.4 miles”: whole from ten on.
    package func distance(metres: Double, _ unit: DistanceUnit) -> Wording {
        let value = metres / unit.metres
        let number = value < 9.95 ? String(format: "%.1f", value) : "\(Int(value.rounded()))"
        return replies(
            "place.\(unit.rawValue)", ["number": number.hasSuffix(".0") ? String(number.dropLast(2)) : number])
    }
}
