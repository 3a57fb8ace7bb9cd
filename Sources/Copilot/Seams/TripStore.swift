import Foundation

/// A trip, under way or over.
public struct Trip: Sendable, Equatable, Codable {
    /// The store's number for it; 0 until it is stored.
    public var id: Int64
    /// Where to.
    public var destination: String
    /// When it began.
    public var start: Date
    /// When it ended; nil while it is under way.
    public var end: Date?

    /// A trip that is not stored yet.
    public init(id: Int64 = 0, destination: String, start: Date, end: Date? = nil) {
        self.id = id
        self.destination = destination
        self.start = start
        self.end = end
    }
}

/// The trips. At most one is under way.
public protocol TripStore: Sendable {
    /// The trip under way, or nil.
    func current() async throws -> Trip?
    /// All trips, newest first.
    func trips() async throws -> [Trip]
    /// Stores a new trip.
    func start(_ trip: Trip) async throws -> Trip
    /// Ends the trip of this number, or takes its end away again (nil); false when there is none.
    func setEnd(_ end: Date?, id: Int64) async throws -> Bool
    /// Removes a trip; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool
}
