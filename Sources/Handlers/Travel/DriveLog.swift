import Domain
import Foundation
import Logging

/// Writes down what the position receiver tells: the distance, so that a restart does not lose it, and the stops, from
/// which countries are counted and where the van was last is known.
public actor DriveLog {
    private let source: any PositionSource
    private let trips: any TripStore
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let places: Places?

    /// The pause between two looks at the receiver.
    public static let pause = Duration.seconds(15)
    /// Metres that are written at once; fewer wait for `patience` looks, which are a minute.
    private static let enough = 500.0, patience = 4
    /// Standing still for 80 looks, 20 minutes, within 200 m is a stop; another only 1000 m from the last.
    private static let stillLooks = 80, stillRadius = 200.0, apart = 1_000.0

    private var written = 0.0
    private var looksSinceWrite = 0
    private var anchor: Position?
    private var looksAtAnchor = 0
    private var last: Stop?
    private var hasReadLast = false

    /// A log of what `source` tells.
    /// - Parameter places: by which countries are told; without them the stops have none.
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

    /// Looks again and again until the task is cancelled, and writes down what is left at the end.
    public func run(clock: any Clock<Duration> = ContinuousClock()) async {
        while !Task.isCancelled {
            await look()
            guard (try? await clock.sleep(for: Self.pause)) != nil else { break }
        }
        // In a task of its own: a store refuses to write for one that was cancelled.
        await Task { await write(await source.distance()) }.value
    }

    /// One look; writes at most what became due. A store that fails is tried again at the next look.
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
            logger.error("the distance cannot be written: \(error)")
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
        } catch { logger.error("the stop cannot be written: \(error)") }
    }
}
