import Domain
import Foundation
import Logging

/// How much of a disk is left.
public struct DiskSpace: Sendable, Equatable {
    /// Bytes that may still be written, and bytes in all.
    public var free: Int64, total: Int64

    /// A disk.
    public init(free: Int64, total: Int64) {
        self.free = free
        self.total = total
    }

    /// True with less than a twentieth, or less than 200 MB.
    var isNearlyFull: Bool { free < 200_000_000 || Double(free) < 0.05 * Double(total) }
}

/// Watches the disk that the data are on, and says in good time when it is nearly full.
public struct DiskMonitor: Sendable {
    /// The part's name among the others.
    public static let part = "disk"
    /// Between two looks.
    package static let pause = Duration.seconds(60)

    private let folder: String
    private let health: Health
    private let logger: Logger
    private let reading: @Sendable (String) throws -> DiskSpace

    /// A keeper of the disk that holds `folder`.
    /// - Parameter reading: tells how much of a folder's disk is left.
    public init(
        folder: String, health: Health, logger: Logger, reading: @escaping @Sendable (String) throws -> DiskSpace
    ) {
        self.folder = folder
        self.health = health
        self.logger = logger
        self.reading = reading
    }

    /// Looks once a minute, until the task is cancelled.
    public func run(clock: any Clock<Duration> = ContinuousClock()) async {
        while (try? await clock.sleep(for: Self.pause)) != nil { look() }
    }

    /// One look.
    public func look() {
        let space: DiskSpace
        do { space = try reading(folder) } catch {
            // Whether the data can be written the store will tell; this is no reason to show trouble.
            logger.debug("the space in \(folder) is not known: \(error)")
            return health.report(Self.part, .ok, "the space in \(folder) is not known")
        }
        let percent = space.total > 0 ? Int(space.free * 100 / space.total) : 0
        let detail = "\(space.free / 1_000_000) MB free, \(percent) %"
        guard space.isNearlyFull else { return health.report(Self.part, .ok, detail) }
        health.report(
            Self.part, .warning, "nearly full: \(detail)",
            advice: "make room on the disk of \(folder): what is not VanOrb's first, then old backups")
    }
}
