@testable import Handlers
import Foundation

extension Places {
    /// Some towns that the tests drive to.
    static let few = Places(towns: [
        Town(name: "Lyon", country: "FR", latitude: 45.75, longitude: 4.85),
        Town(name: "Mâcon", country: "FR", latitude: 46.31, longitude: 4.83),
        Town(name: "Perpignan", country: "FR", latitude: 42.70, longitude: 2.90),
        Town(name: "Figueres", country: "ES", latitude: 42.27, longitude: 2.96),
        Town(name: "Girona", country: "ES", latitude: 41.98, longitude: 2.82),
        Town(name: "Lucerne", country: "CH", latitude: 47.05, longitude: 8.31),
        Town(name: "Oslo", country: "NO", latitude: 59.91, longitude: 10.75),
        Town(name: "Labasa", country: "FJ", latitude: -16.43, longitude: 179.36),
    ])
}

extension CompiledCities {
    /// The towns as `cities.compiled` has them.
    static func file(_ towns: [Places.Town]) -> [UInt8] {
        var rows: [UInt8] = [], ends: [Int] = []
        for town in towns {
            pad(&rows, 8)
            rows += row(town)
            ends.append(rows.count)
        }
        return framed(rows, ends)
    }

    private static func row(_ town: Places.Town) -> [UInt8] {
        var row: [UInt8] = [], ends: [Int] = []
        for text in ["1", town.name, "07", "Region", town.country, "Country", "Europe/Somewhere"] {
            row += Array(text.utf8) + [0]
            ends.append(row.count)
        }
        pad(&row, 4)
        append(20_000, 4, to: &row)
        pad(&row, 8)
        append(town.latitude.bitPattern, 8, to: &row)
        append(town.longitude.bitPattern, 8, to: &row)
        return framed(row, ends.reversed())
    }

    /// The ends are as wide as the whole, themselves included, needs.
    private static func framed(_ content: [UInt8], _ ends: [Int]) -> [UInt8] {
        var result = content
        let width = content.count + ends.count <= 0xff ? 1 : content.count + 2 * ends.count <= 0xffff ? 2 : 4
        for end in ends { append(UInt64(end), width, to: &result) }
        return result
    }

    private static func pad(_ bytes: inout [UInt8], _ alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    private static func append(_ value: UInt64, _ width: Int, to bytes: inout [UInt8]) {
        for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}
