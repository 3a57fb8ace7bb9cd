import Foundation

/// Deletes large files piece by piece. A file system that frees a gigabyte at once delays every other
/// program's flush until it is done, and with it the reply to a command that is logged at that moment.
enum IncrementalDeletion {
    /// Bytes that are freed at a time.
    static let lot = 4 << 20
    // Of the system's headers (asm-generic/fcntl.h, linux/fcntl.h), where Swift does not see them.
    private static let setSignal: Int32 = 10, setLease: Int32 = 1_024

    /// Takes the file at `path` away. Whoever reads it at this moment, or knows it by a second name, keeps it whole.
    /// - Parameter pause: called between two lots.
    static func remove(_ path: String, pause: () -> Void = { usleep(2_000) }) {
        shrink(path, pause)
        unlink(path)
    }

    private static func shrink(_ path: String, _ pause: () -> Void) {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1, isOursAlone(file)
        else { return }
        var size = Int(facts.st_size)
        while size > lot {
            size -= lot
            guard ftruncate(file, off_t(size)) == 0 else { return }
            pause()
        }
    }

    /// Whether no other process has the file open: only then does the system grant the lease (fcntl(2), “Leases”).
    /// False where leases are not supported.
    private static func isOursAlone(_ file: Int32) -> Bool {
        // Whoever opens it while the lease lasts makes the system send this signal, and the usual one ends the program.
        guard fcntl(file, setSignal, SIGURG) == 0, fcntl(file, setLease, F_WRLCK) == 0 else { return false }
        _ = fcntl(file, setLease, F_UNLCK)
        return true
    }
}
