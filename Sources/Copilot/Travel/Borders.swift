import Foundation

/// In which country a position lies, and which others are near.
struct CountryGuess: Sendable, Equatable {
    /// ISO 3166 alpha-2.
    let code: String
    /// Countries whose border is within `Borders.doubt`: the van may as well be there.
    let near: [String]
}

/// The countries' borders, from `borders.txt`: good to 2 km as a rule, here and there to 5 (see the file's head).
struct Borders: Sendable {
    /// Metres from a border within which the data cannot tell the side.
    static let doubt = 5_000.0
    /// Metres from the nearest land up to which a place counts as its country's: coasts and islets are simplified.
    static let offshore = 25_000.0

    private struct Ring: Sendable {
        /// Hundredths of a degree.
        var x: [Int32] = [], y: [Int32] = []
    }
    private struct Country: Sendable {
        let code: String
        var rings: [Ring] = []
        var west = Double.infinity, east = -Double.infinity, south = Double.infinity, north = -Double.infinity
    }

    private let countries: [Country]

    /// The shipped ones; read once, when first asked for.
    static let shipped = Borders(lines: ShippedData.lines("borders.txt"))

    /// Reads the lines of a borders file; a line that is none is left out.
    init(lines: [ArraySlice<UInt8>]) {
        var countries: [Country] = []
        for line in lines {
            if line.first == UInt8(ascii: "@") {
                countries.append(Country(code: String(decoding: line.dropFirst(), as: UTF8.self)))
            } else if let last = countries.indices.last, let ring = Self.ring(line) {
                countries[last].rings.append(ring)
                for (x, y) in zip(ring.x, ring.y) {
                    countries[last].west = min(countries[last].west, Double(x))
                    countries[last].east = max(countries[last].east, Double(x))
                    countries[last].south = min(countries[last].south, Double(y))
                    countries[last].north = max(countries[last].north, Double(y))
                }
            }
        }
        self.countries = countries
    }

    /// “x y dx dy dx dy …”; nil for anything else.
    private static func ring(_ line: ArraySlice<UInt8>) -> Ring? {
        var ring = Ring(), number: Int32 = 0, isNegative = false, hasDigit = false, isX = true
        var x: Int32 = 0, y: Int32 = 0
        func isPlausible(_ value: Int32) -> Bool { abs(value) <= 40_000 }
        for byte in line + [UInt8(ascii: " ")] {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number * 10 + Int32(byte - UInt8(ascii: "0"))
                hasDigit = true
                guard isPlausible(number) else { return nil }
            case UInt8(ascii: " ") where hasDigit:
                let value = isNegative ? -number : number
                if isX { x += value } else { y += value }
                guard isPlausible(x), isPlausible(y) else { return nil }
                if !isX {
                    ring.x.append(x)
                    ring.y.append(y)
                }
                isX.toggle()
                (number, isNegative, hasDigit) = (0, false, false)
            default: return nil
            }
        }
        return ring.x.count >= 3 && isX ? ring : nil
    }

    /// The country at a position; nil on the high seas.
    func country(at position: Position) -> CountryGuess? {
        let x = position.longitude * 100, y = position.latitude * 100
        // On this scale a step north is 1112 m; a step east shrinks with the cosine of the latitude.
        let step = 1_111.95, shrink = max(0.05, cos(position.latitude * .pi / 180))
        let margin = Self.offshore / step
        var inside: String?, distances: [(code: String, metres: Double)] = []
        for country in countries {
            guard y >= country.south - margin, y <= country.north + margin, x >= country.west - margin / shrink,
                x <= country.east + margin / shrink
            else { continue }
            var isInside = false, nearest = Double.infinity
            for ring in country.rings {
                let found = Self.look(ring, x, y, shrink)
                if found.isInside { isInside.toggle() }
                nearest = min(nearest, found.distance)
            }
            if isInside, inside == nil { inside = country.code }
            distances.append((country.code, nearest * step))
        }
        distances.sort { ($0.metres, $0.code) < ($1.metres, $1.code) }
        let ashore = distances.first.flatMap { $0.metres <= Self.offshore ? $0.code : nil }
        guard let code = inside ?? ashore else { return nil }
        return CountryGuess(
            code: code, near: distances.filter { $0.metres <= Self.doubt && $0.code != code }.map(\.code))
    }

    /// Whether a ray to the east crosses the ring an odd number of times, and the distance to it in steps north.
    private static func look(_ ring: Ring, _ x: Double, _ y: Double, _ shrink: Double) -> (
        isInside: Bool, distance: Double
    ) {
        var isInside = false, nearest = Double.infinity
        var fromX = Double(ring.x[ring.x.count - 1]), fromY = Double(ring.y[ring.y.count - 1])
        for index in ring.x.indices {
            let toX = Double(ring.x[index]), toY = Double(ring.y[index])
            if (fromY > y) != (toY > y), x < fromX + (toX - fromX) * (y - fromY) / (toY - fromY) { isInside.toggle() }
            let alongX = (toX - fromX) * shrink, alongY = toY - fromY
            let awayX = (x - fromX) * shrink, awayY = y - fromY
            let length = alongX * alongX + alongY * alongY
            let share = length > 0 ? min(1, max(0, (awayX * alongX + awayY * alongY) / length)) : 0
            let restX = awayX - share * alongX, restY = awayY - share * alongY
            nearest = min(nearest, restX * restX + restY * restY)
            (fromX, fromY) = (toX, toY)
        }
        return (isInside, nearest.squareRoot())
    }
}
