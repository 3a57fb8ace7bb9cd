import Foundation
import SystemTestKit

/// A guest's disk with the log of what reached it since it was booted, by which a power cut is played.
///
/// A killed QEMU loses nothing that it was given, as the machine keeps it. A disk that loses its power keeps what was
/// written before the last flush that it has confirmed, and of what came later any part: a write whole, not at all, or
/// cut off. So that is what the next boot gets. The log is QEMU's `blklogwrites`, in the kernel's dm-log-writes format
/// (https://docs.kernel.org/admin-guide/device-mapper/log-writes.html).
struct LoggedDisk {
    /// What a power cut has left of the writes.
    struct Cut: CustomStringConvertible {
        var flushed = 0, kept = 0, torn = 0, lost = 0
        var description: String {
            "\(flushed) writes were safe; of the others \(kept) kept, \(torn) torn, \(lost) lost"
        }
    }

    private struct Entry {
        let sector: UInt64, sectors: UInt64, flags: UInt64
        /// Where its bytes begin in the log.
        let place: UInt64
        var isFlush: Bool { flags & 1 != 0 }
        /// Written through, whatever is flushed when.
        var isForced: Bool { flags & 2 != 0 }
        var hasBytes: Bool { flags & 12 == 0 && sectors > 0 }
    }

    private static let sector: UInt64 = 512, magic: UInt64 = 0x6A_7366_7773_6872
    /// A request is never larger than this, in sectors: what looks larger is no entry.
    private static let largest: UInt64 = 1 << 20

    let folder: String

    /// Returns as soon as so many more requests have reached the disk, or the time is up.
    func pass(_ requests: Int, within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        func size() -> Int64 {
            var facts = stat()
            return stat(folder + "/writes.log", &facts) == 0 ? Int64(facts.st_size) : -1
        }
        for _ in 0..<requests {
            let before = size()
            while size() == before, ContinuousClock.now < deadline { await Task.yield() }
        }
    }

    /// Leaves on the guest's disk what a power cut may have left.
    func cutPower(_ random: inout SeededRandom) throws -> Cut {
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/writes.log"))
        let disk = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/disk"))
        let entries = try entries(of: log)
        let lastFlush = entries.lastIndex(where: \.isFlush) ?? -1
        var cut = Cut()
        for (number, entry) in entries.enumerated() where entry.hasBytes {
            var sectors = entry.sectors
            if number <= lastFlush || entry.isForced {
                cut.flushed += 1
            } else {
                switch random.next(3) {
                case 0: cut.kept += 1
                case 1:
                    sectors = UInt64(random.next(Int(sectors)))
                    cut.torn += 1
                default:
                    cut.lost += 1
                    continue
                }
            }
            guard sectors > 0 else { continue }
            try log.seek(toOffset: entry.place)
            guard let bytes = try log.read(upToCount: Int(sectors * Self.sector)), !bytes.isEmpty else { break }
            try disk.seek(toOffset: entry.sector * Self.sector)
            try disk.write(contentsOf: bytes)
        }
        try FileManager.default.removeItem(atPath: folder + "/written")
        return cut
    }

    private func entries(of log: FileHandle) throws -> [Entry] {
        let size = try log.seekToEnd()
        let head = try words(of: log, at: 0)
        guard head[0] == Self.magic, head[1] == 1, head[3] & 0xFFFF_FFFF == Self.sector else {
            throw NotInTime(description: "\(folder)/writes.log is no log of writes: \(head)")
        }
        var found: [Entry] = [], place = Self.sector
        while place + Self.sector <= size {
            let words = try words(of: log, at: place)
            let entry = Entry(sector: words[0], sectors: words[1], flags: words[2], place: place + Self.sector)
            guard entry.flags < 16, entry.sectors < Self.largest, entry.sectors > 0 || entry.flags > 0 else { break }
            found.append(entry)
            place = entry.place + (entry.hasBytes ? entry.sectors * Self.sector : 0)
        }
        // A write under way at the kill may have left a gap, behind which flushes would not be seen.
        guard found.count >= head[2] else {
            throw NotInTime(description: "\(folder)/writes.log has a gap: \(found.count) entries of \(head[2])")
        }
        return found
    }

    private func words(of log: FileHandle, at place: UInt64) throws -> [UInt64] {
        try log.seek(toOffset: place)
        guard let bytes = try log.read(upToCount: 32), bytes.count == 32 else { return [0, 0, 0, 0] }
        return stride(from: 0, to: 32, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

/// Numbers that come again with the same seed.
struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// From 0 to below `limit`.
    mutating func next(_ limit: Int) -> Int {
        // SplitMix64: neighbouring seeds have nothing in common.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) >> 1) % max(1, limit)
    }
}
