import Foundation

/// Keeps a second daemon off the data, whatever its socket: SQLite would let it in, and it would finish the
/// other's restore, name the other's changes, and take its backups for half-made ones.
///
/// The folder itself is locked, so that it works where nothing can be written. The kernel lets the lock go when its
/// holder dies, however it dies.
package final class DataClaim: Sendable {
    private let descriptor: Int32

    /// Claims the folder until the object ends, or the program does.
    /// - Returns: nil where there is no such folder, or it may not be entered: no data are in use there then.
    /// - Throws: `DataInUse`.
    package init?(folder: String) throws {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            close(descriptor)
            guard isTaken else { return nil }
            throw DataInUse(folder: folder)
        }
    }

    deinit {
        // By name, as a child about to execute something else still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// Another daemon works on these data.
package struct DataInUse: Error, CustomStringConvertible {
    /// The folder.
    package let folder: String

    package var description: String {
        "Another vanorbd uses the data in \(folder). Stop it (sudo systemctl stop vanorb), or set another folder in "
            + "paths.data."
    }
}
