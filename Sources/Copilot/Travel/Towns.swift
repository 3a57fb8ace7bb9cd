import Foundation

/// A town and how it lies.
struct NearTown: Sendable, Equatable {
    /// Its name in its own country.
    let name: String
    /// Metres from it to the van.
    let metres: Double
    /// The direction from it to the van: 0 is north, 1 north-east, and so on clockwise to 7.
    let octant: Int
}

/// Towns, from `towns.txt`: places are good to 1 km.
struct Towns: Sendable {
    private struct Town: Sendable {
        let name: String
        let latitude: Double, longitude: Double
    }

    private let towns: [Town]
    /// Further away than this a town says nothing.
    static let reach = 100_000.0

    /// The shipped ones; read once, when first asked for.
    static let shipped = Towns(lines: ShippedData.lines("towns.txt"))

    /// Reads the lines of a towns file; a line that is none is left out.
    init(lines: [ArraySlice<UInt8>]) {
        towns = lines.compactMap { line in
            let fields = line.split(separator: 9).map { String(decoding: $0, as: UTF8.self) }
            guard fields.count == 3, let latitude = Int(fields[1]), let longitude = Int(fields[2]) else { return nil }
            return Town(name: fields[0], latitude: Double(latitude) / 100, longitude: Double(longitude) / 100)
        }
    }

    /// The nearest town within reach.
    func nearest(to position: Position) -> NearTown? {
        let shrink = cos(position.latitude * .pi / 180)
        func offsets(_ town: Town) -> (north: Double, east: Double) {
            ((position.latitude - town.latitude), (position.longitude - town.longitude) * shrink)
        }
        func square(_ town: Town) -> Double {
            let offset = offsets(town)
            return offset.north * offset.north + offset.east * offset.east
        }
        guard let town = towns.min(by: { square($0) < square($1) }) else { return nil }
        let metres = Position(latitude: town.latitude, longitude: town.longitude, time: position.time)
            .metres(to: position)
        guard metres <= Self.reach else { return nil }
        let offset = offsets(town)
        let turn = atan2(offset.east, offset.north) / (.pi / 4)
        return NearTown(name: town.name, metres: metres, octant: (Int(turn.rounded()) + 8) % 8)
    }
}
