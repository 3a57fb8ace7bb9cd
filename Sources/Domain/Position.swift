import Foundation

/// Where the van was at a moment.
public struct Position: Sendable, Equatable, Codable {
    /// Degrees, north positive, −90…90.
    public var latitude: Double
    /// Degrees, east positive, −180…180.
    public var longitude: Double
    /// Radius in metres within which it probably is; nil when unknown.
    public var uncertainty: Double?
    /// When, by the receiver's clock.
    public var time: Date

    /// A position.
    public init(latitude: Double, longitude: Double, uncertainty: Double? = nil, time: Date) {
        self.latitude = latitude
        self.longitude = longitude
        self.uncertainty = uncertainty
        self.time = time
    }

    /// Metres to another position along the great circle, on a sphere of 6 371 009 m (the mean radius of the WGS 84
    /// ellipsoid, IUGG), by the haversine formula.
    public func metres(to other: Position) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let height = sin(radians(other.latitude - latitude) / 2), width = sin(radians(other.longitude - longitude) / 2)
        let chord = height * height + cos(radians(latitude)) * cos(radians(other.latitude)) * width * width
        return 2 * 6_371_009 * asin(min(1, chord.squareRoot()))
    }
}

/// What is known of where the van is.
public struct PositionFix: Sendable, Equatable {
    /// The place, good to its uncertainty as it was found.
    public var position: Position
    /// How long ago it was found, at least 0; counted by the machine, so that an unset clock does not matter.
    public var age: Duration
    /// True while the receiver still sees its satellites; else it is the last that was known.
    public var isCurrent: Bool

    /// A fix.
    public init(position: Position, age: Duration, isCurrent: Bool) {
        self.position = position
        self.age = age
        self.isCurrent = isCurrent
    }
}

/// Tells where the van is.
public protocol PositionSource: Sendable {
    /// The latest fix, however old; nil when there was none since the start.
    func latest() async -> PositionFix?
    /// Metres driven since the source was started, standing still and jumps left out.
    func distance() async -> Double
}

/// The unit of the owner's odometer and of spoken distances.
public enum DistanceUnit: String, Sendable, CaseIterable {
    /// 1000 m.
    case kilometres
    /// 1609.344 m (international yard and pound agreement, 1959).
    case miles

    /// Metres in one of it.
    public var metres: Double { self == .kilometres ? 1_000 : 1_609.344 }
}
