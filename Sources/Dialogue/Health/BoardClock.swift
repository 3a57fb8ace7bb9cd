import Domain
import Foundation
import Synchronization

/// The board's clock, and whether it is known to be right. Once known, it stays so until the board starts anew: a clock
/// that was set keeps going, whatever the kernel thinks of it after hours without a network.
public final class BoardClock: Sendable {
    /// 1 January 2026, 00:00 UTC: this program is younger, so a clock that shows less is wrong whoever vouches for it.
    public static let earliest = Date(timeIntervalSince1970: 1_767_225_600)

    private let read: @Sendable () -> ClockReading
    private let isKnown = Mutex(false)

    /// A clock that is read by `read`.
    public init(read: @escaping @Sendable () -> ClockReading) { self.read = read }

    /// What it shows now.
    public var reading: ClockReading {
        var reading = read()
        reading.isCertain = isKnown.withLock { isKnown in
            isKnown = isKnown || (reading.isCertain && reading.wall >= Self.earliest)
            return isKnown
        }
        return reading
    }

    /// True when it is known to be right.
    public var isCertain: Bool { isKnown.withLock { $0 } || reading.isCertain }

    /// Takes somebody's word that it was set since the board started.
    func vouch() { isKnown.withLock { $0 = true } }
}
