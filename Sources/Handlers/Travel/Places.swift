import Domain
import Foundation

/// In which country a position probably lies.
package struct CountryGuess: Sendable, Equatable {
    /// ISO 3166 alpha-2, the nearest town's.
    package let code: String
    /// Other countries that have a town nearly as near, the nearest first: the van may be there instead.
    package let near: [String]
}

/// A town and how the van lies from it.
package struct NearTown: Sendable, Equatable {
    /// Its name as its own country writes it, or the usual English one.
    package let name: String
    /// Metres from it to the van.
    package let metres: Double
    /// The direction from it to the van: 0 is north, 1 north-east, and so on clockwise to 7.
    let octant: Int
}

/// The world's towns of 15 000 people and more. A position is named after the nearest town, and taken to be in that
/// town's country.
///
/// Borders are not known, so it is wrong close to some: in a village across a border from a town, it gives the town's
/// country. Where a town of another country is nearly as near, both countries are given. Of 80 positions picked
/// to be hard, most of them close to a border, some remote, four at sea, 65 get the right answer first, 6 as the other
/// possibility, 5 remote ones none, and 4 a wrong one; `InstalledPlacesTests` has them.
public struct Places: Sendable {
    package struct Town: Sendable, Equatable {
        package let name: String
        /// ISO 3166 alpha-2.
        package let country: String
        /// Degrees, north and east positive.
        package let latitude: Double, longitude: Double
    }

    /// Metres; a town further away names neither place nor country.
    package static let reach = 100_000.0
    /// A town of another country puts the country in doubt when it is up to so many times as far as the nearest, or up
    /// to so many metres further.
    static let doubtFactor = 1.5, doubtMargin = 20_000.0
    /// Metres; nothing further away matters.
    private static let horizon = max(reach * doubtFactor, reach + doubtMargin)
    /// Metres to a degree of latitude are no fewer than this (WGS 84, at the equator).
    private static let degree = 110_500.0

    private let towns: [Town]

    /// How many towns there are.
    public var count: Int { towns.count }

    package init(towns: [Town]) { self.towns = towns }

    /// The nearest town within reach; nil where there is none.
    package func nearest(to position: Position) -> NearTown? {
        guard let (town, metres) = around(position).first, metres <= Self.reach else { return nil }
        let north = position.latitude - town.latitude
        let east = (position.longitude - town.longitude).remainder(dividingBy: 360) * cos(town.latitude * .pi / 180)
        let turn = atan2(east, north) / (.pi / 4)
        return NearTown(name: town.name, metres: metres, octant: (Int(turn.rounded()) + 8) % 8)
    }

    /// The country at a position; nil where no town is within reach, as at sea and in the wilds.
    package func country(at position: Position) -> CountryGuess? {
        let around = around(position)
        guard let (town, metres) = around.first, metres <= Self.reach else { return nil }
        let limit = max(metres * Self.doubtFactor, metres + Self.doubtMargin)
        var near: [String] = []
        for (other, metres) in around where metres <= limit && other.country != town.country {
            if !near.contains(other.country) { near.append(other.country) }
        }
        return CountryGuess(code: town.country, near: near)
    }

    /// The towns within the horizon, the nearest first.
    private func around(_ position: Position) -> [(town: Town, metres: Double)] {
        let span = Self.horizon / Self.degree
        var found: [(town: Town, metres: Double)] = []
        for town in towns where abs(town.latitude - position.latitude) <= span {
            let metres = Position(latitude: town.latitude, longitude: town.longitude, time: position.time)
                .metres(to: position)
            if metres <= Self.horizon { found.append((town, metres)) }
        }
        return found.sorted { $0.metres < $1.metres }
    }
}
