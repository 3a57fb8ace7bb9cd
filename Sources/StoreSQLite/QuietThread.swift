import Foundation

/// Long work on whole files: on a thread of its own, which gives way to every other.
enum QuietThread {
    /// Runs `body` to its end, whatever becomes of the caller.
    static func run<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let outcome = await withCheckedContinuation { (done: CheckedContinuation<Result<Value, any Error>, Never>) in
            let thread = Thread {
                // On Linux the 0 means this thread alone (setpriority(2)).
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
                done.resume(returning: Result { try body() })
            }
            thread.name = name
            thread.stackSize = 1 << 20
            thread.start()
        }
        return try outcome.get()
    }
}

/// Flushes a large file to the disk piece by piece while it is written. All at once at the end it would hold
/// up every other program's flush, and with it the reply to a command that is logged at that moment.
final class ThrottledWriter {
    private let file: Int32
    private var waiting = 0
    /// Bytes that may be on their way to the disk: what a slow card writes in a few hundredths of a second.
    private static let most = 512 << 10
    /// Between two lots, in microseconds.
    private static let pause: UInt32 = 2_000

    /// A second writer of the file at `path`, which must exist.
    init(path: String) { file = open(path, O_RDONLY | O_CLOEXEC) }

    deinit { if file >= 0 { close(file) } }

    /// Tells of bytes that were written.
    func wrote(_ bytes: Int) {
        waiting += bytes
        guard waiting >= Self.most else { return }
        waiting = 0
        flush()
        usleep(Self.pause)
    }

    /// Waits for the disk, and gives the memory back in which the system keeps the file.
    func flush() {
        guard file >= 0 else { return }
        // What fails here fails at the end as well, where it is reported.
        _ = fdatasync(file)
        _ = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
    }
}
