import Domain
import Dialogue
import CTimex
import Foundation

/// The board's clock as the kernel knows it.
enum KernelClock {
    /// Made by systemd-timesyncd when it has set the clock; it stays until the board restarts
    /// (systemd-timesyncd(8)).
    private static let synchronisedMark = "/run/systemd/timesync/synchronized"

    /// The clock of this board.
    /// - Parameter hasClockChip: whether the board keeps the time while it is off, so that it is right from the start.
    static func clock(hasClockChip: Bool) -> BoardClock {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let boot = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return BoardClock {
            ClockReading(
                boot: boot, sinceBoot: sinceBoot, wall: Date(),
                isCertain: hasClockChip || isSynchronised
                    || FileManager.default.fileExists(atPath: synchronisedMark))
        }
    }

    /// `CLOCK_BOOTTIME`: it counts while the board sleeps and never jumps (clock_gettime(2)).
    static var sinceBoot: Duration {
        var time = timespec()
        guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Whether the clock is synchronised: the kernel then clears STA_UNSYNC (adjtimex(2)).
    private static var isSynchronised: Bool {
        var state = timex()
        // modes is 0: it only asks, which needs no right.
        return adjtimex(&state) != -1 && state.status & STA_UNSYNC == 0
    }
}

/// The kernel's facts about a disk.
enum DataDisk {
    /// The space on the disk of `folder`. What is reserved for root is not counted as free.
    static func space(of folder: String) throws -> DiskSpace {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let block = Int64(facts.f_frsize)
        return DiskSpace(free: Int64(facts.f_bavail) * block, total: Int64(facts.f_blocks) * block)
    }
}
