import Foundation

/// Why the towns cannot be read.
public struct PlacesFileError: Error, Equatable, CustomStringConvertible {
    /// The file and what is wrong with it.
    public let description: String
}

extension Places {
    /// Bytes; a longer file is not a list of towns.
    private static let largest = 64 << 20

    /// Reads `cities.compiled`, GeoNames' towns as Debian's libgeonames0 carries them: a serialised GVariant of type
    /// `a(sssssssudd)`, little-endian, a row a town. It is read once and whole, so that a file that is replaced or
    /// damaged later does no harm; what is kept takes some 2 MB.
    /// - Throws: `PlacesFileError` where the file is missing, cannot be read or is anything else.
    public init(contentsOf path: String) throws {
        func failure(_ problem: String) -> PlacesFileError { PlacesFileError(description: "\(path): \(problem)") }
        let attributes = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        guard let attributes else { throw failure("no such file") }
        guard attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? Int, size <= Self.largest,
            let data = FileManager.default.contents(atPath: path)
        else { throw failure("cannot be read") }
        do { self.init(towns: try CompiledCities(bytes: Array(data)).towns()) } catch {
            throw failure(error.problem)
        }
    }
}

/// The layout of `cities.compiled`, after the GVariant specification (“GVariant Serialised Format”, A. Lortie, 2010):
/// members follow each other at multiples of their alignment; behind them stands where each one of variable size ends,
/// in as many bytes as the container's size takes; an array's ends are in order, a tuple's in reverse.
struct CompiledCities {
    struct Damage: Error {
        let problem: String
    }

    /// Seven texts stand in a row: identity, name, region's code and name, country's code and name, time zone. Behind
    /// them follow the population as UInt32, latitude and longitude as Double.
    private static let texts = 7, name = 1, country = 4

    let bytes: [UInt8]

    /// All towns.
    func towns() throws(Damage) -> [Places.Town] {
        let width = Self.width(bytes.count)
        guard let first = number(at: bytes.count - width, width), first <= bytes.count - width,
            (bytes.count - first) % width == 0
        else { throw Damage(problem: "not a list of towns, or truncated") }
        let count = (bytes.count - first) / width
        var towns: [Places.Town] = [], start = 0
        towns.reserveCapacity(count)
        for row in 0..<count {
            guard let end = number(at: first + row * width, width), end > start, end <= first,
                let town = town(start, end)
            else { throw Damage(problem: "row \(row + 1) is damaged") }
            towns.append(town)
            start = Self.aligned(end, 8)
        }
        return towns
    }

    private func town(_ start: Int, _ end: Int) -> Places.Town? {
        let width = Self.width(end - start)
        func textEnd(_ index: Int) -> Int? {
            number(at: end - (index + 1) * width, width).map { start + $0 }
        }
        func text(_ index: Int) -> String? {
            guard let from = textEnd(index - 1), let to = textEnd(index), from >= start, from < to, to <= end,
                bytes[to - 1] == 0
            else { return nil }
            return String(validating: bytes[from..<(to - 1)], as: UTF8.self)
        }
        guard let name = text(Self.name), !name.isEmpty, let country = text(Self.country), country.utf8.count == 2,
            let population = textEnd(Self.texts - 1)
        else { return nil }
        let latitudeAt = Self.aligned(Self.aligned(population, 4) + 4, 8), longitudeAt = latitudeAt + 8
        guard longitudeAt + 8 == end - Self.texts * width, let latitude = real(at: latitudeAt),
            let longitude = real(at: longitudeAt), abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        return Places.Town(name: name, country: country, latitude: latitude, longitude: longitude)
    }

    /// Bytes of an end's position in a container of so many bytes.
    private static func width(_ size: Int) -> Int { size <= 0xff ? 1 : size <= 0xffff ? 2 : 4 }

    private static func aligned(_ place: Int, _ alignment: Int) -> Int {
        (place + alignment - 1) / alignment * alignment
    }

    private func number(at place: Int, _ width: Int) -> Int? {
        guard place >= 0, place + width <= bytes.count else { return nil }
        var value = 0
        for index in (place..<(place + width)).reversed() { value = value << 8 | Int(bytes[index]) }
        return value
    }

    private func real(at place: Int) -> Double? {
        guard place >= 0, place + 8 <= bytes.count else { return nil }
        var bits: UInt64 = 0
        for index in (place..<(place + 8)).reversed() { bits = bits << 8 | UInt64(bytes[index]) }
        return Double(bitPattern: bits)
    }
}
