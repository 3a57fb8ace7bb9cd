import Dialogue
import Foundation

/// What the kernel tells of a disk.
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
