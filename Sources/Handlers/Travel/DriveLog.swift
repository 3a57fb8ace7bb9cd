import Domain
import Foundation
import Logging

/// Stores what the position receiver reports: the distance, so that a restart does not lose it, and the stops, from
/// which the countries visited and the last position are known.
public actor DriveLog {
    private let source: any PositionSource
    private let trips: any TripStore
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let places: Places?

    /// The pause between two readings of the receiver.
    public static let pause = Duration.seconds(15)
    /// Metres that are stored at once; fewer wait for `patience` readings, which are a minute.
    private static let enough = 500.0, patience = 4
    /// 80 readings, 20 minutes, within 200 m are a stop; the next one is at least 1000 m away.
    private static let stillLooks = 80, stillRadius = 200.0, apart = 1_000.0

    private var written = 0.0
    private var looksSinceWrite = 0
    private var anchor: Position?
    private var looksAtAnchor = 0
    private var last: Stop?
    private var hasReadLast = false

    /// A log of what `source` reports.
    /// - Parameter places: the towns that countries are found by; without them the stops have no country.
    public init(
        source: any PositionSource, trips: any TripStore, places: Places?, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.source = source
        self.trips = trips
        self.logger = logger
        self.now = now
        self.places = places
    }

    /// Reads the receiver until the task is cancelled, and stores what is left at the end.
    public func run(clock: any Clock<Duration> = ContinuousClock()) async {
        while !Task.isCancelled {
            await look()
            guard (try? await clock.sleep(for: Self.pause)) != nil else { break }
        }
        // In a task of its own: a store refuses to write for one that was cancelled.
        await Task { await write(await source.distance()) }.value
    }

    /// Reads the receiver once, and stores what is due. After a failure of the store the next reading tries again.
    public func look() async {
        let total = await source.distance()
        looksSinceWrite += 1
        if total - written >= Self.enough || looksSinceWrite >= Self.patience { await write(total) }
        guard let fix = await source.latest(), fix.isCurrent else { return }
        await consider(fix.position)
    }

    private func write(_ total: Double) async {
        let metres = Int64(total - written)
        guard metres > 0 else { return }
        // Taken before the wait: a second look must not write the same metres again.
        written += Double(metres)
        do {
            try await trips.addDriven(metres: metres, at: now())
            looksSinceWrite = 0
        } catch {
            written -= Double(metres)
            logger.error("Can't store the distance driven; trying again in 15 s: \(error)")
        }
    }

    private func consider(_ position: Position) async {
        if !hasReadLast {
            last = try? await trips.lastStop()
            hasReadLast = true
        }
        if let anchor, anchor.metres(to: position) <= Self.stillRadius {
            looksAtAnchor += 1
        } else {
            (anchor, looksAtAnchor) = (position, 0)
        }
        let hasStood = looksAtAnchor >= Self.stillLooks
        let isApart = last.map { $0.position.metres(to: position) > Self.apart } ?? true
        // Far from the last stop, or never seen before: only there the towns need asking.
        guard isApart else { return }
        let guess = places?.country(at: position)
        let hasCrossed = guess.map { $0.near.isEmpty && $0.code != last?.country } ?? false
        guard hasStood || hasCrossed else { return }
        // In doubt, the van has not left the country that it was in.
        let stayed = last?.country.flatMap { guess?.near.contains($0) == true ? $0 : nil }
        let stop = Stop(position: position, country: stayed ?? guess?.code, date: now())
        do {
            try await trips.addStop(stop)
            last = stop
        } catch { logger.error("Can't store the stop; trying again in 15 s: \(error)") }
    }
}
