import Foundation

/// What the lost store answers about trips.
extension LostStore {
    /// Fails.
    public func start(_ trip: Trip, insteadOfCurrent: Bool, at reading: OdometerReading?) async throws -> Trip {
        throw reason
    }
    /// Fails.
    public func setEnd(_ end: Date?, id: Int64, at reading: OdometerReading?) async throws -> Bool { throw reason }
    /// Fails.
    public func readings() async throws -> [OdometerReading] { throw reason }
    /// Fails.
    public func add(_ reading: OdometerReading) async throws -> OdometerReading { throw reason }
    /// Fails.
    public func replaceCurrent(with trip: Trip) async throws -> Trip { throw reason }
    /// Fails.
    public func addDriven(metres: Int64, at date: Date) async throws { throw reason }
    /// Fails.
    public func driven(in period: DateInterval?) async throws -> Int64? { throw reason }
    /// Fails.
    public func addStop(_ stop: Stop) async throws { throw reason }
    /// Fails.
    public func stops(in period: DateInterval?) async throws -> [Stop] { throw reason }
    /// Fails.
    public func lastStop() async throws -> Stop? { throw reason }
}
