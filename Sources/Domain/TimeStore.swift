import Foundation

/// What the board's clock shows at a moment, and how far it can be trusted.
public struct ClockReading: Sendable, Equatable {
    /// Tells this run of the kernel from all others (`/proc/sys/kernel/random/boot_id`); empty where it is unknown.
    public var boot: String
    /// Since the kernel started, standby included (`CLOCK_BOOTTIME`); it never jumps.
    public var sinceBoot: Duration
    /// What the clock shows.
    public var wall: Date
    /// True when it is known to be right.
    public var isCertain: Bool

    /// A reading.
    public init(boot: String, sinceBoot: Duration, wall: Date, isCertain: Bool) {
        self.boot = boot
        self.sinceBoot = sinceBoot
        self.wall = wall
        self.isCertain = isCertain
    }

    /// The reading of a clock that is known to be right, where the boot is irrelevant.
    public static var right: ClockReading {
        ClockReading(boot: "", sinceBoot: .zero, wall: Date(), isCertain: true)
    }
}

/// How many entries carry a date of a clock that was not known to be right.
public struct UncertainEntries: Sendable, Equatable {
    /// Made since the board started: they are repaired as soon as the clock is known.
    public var thisBoot: Int
    /// Made before: only the owner knows when.
    public var older: Int

    /// Counts of entries.
    public init(thisBoot: Int, older: Int) {
        self.thisBoot = thisBoot
        self.older = older
    }
}

/// What the owner wants of entries whose time cannot be known.
public enum TimeSettlement: Sendable {
    /// They get the present; what was dated back by so many days stays so many days back.
    case today
    /// They stay as they are.
    case asTheyAre
}

/// The dates that were taken from a clock not known to be right. The stores mark them by themselves; what is done here
/// is not a change of the owner's, and is not undone.
public protocol TimeStore: Sendable {
    /// How many there are.
    func uncertain() async throws -> UncertainEntries
    /// Sets the dates of this boot's entries right by what the clock was wrong as they were made, all or none.
    /// - Returns: how many entries were corrected; 0 while the clock is not known to be right.
    func repair() async throws -> Int
    /// Settles the entries of older boots; those of this boot are left to `repair`.
    /// - Returns: how many entries were corrected.
    func settle(_ way: TimeSettlement) async throws -> Int
}

/// Stands where nothing is ever uncertain.
public struct CertainTimes: TimeStore {
    /// Nothing to know.
    public init() {}
    /// None.
    public func uncertain() async throws -> UncertainEntries { UncertainEntries(thisBoot: 0, older: 0) }
    /// None.
    public func repair() async throws -> Int { 0 }
    /// None.
    public func settle(_ way: TimeSettlement) async throws -> Int { 0 }
}
