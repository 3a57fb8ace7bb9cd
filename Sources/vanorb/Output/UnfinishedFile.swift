import Control
import Foundation

/// A file being written: under a temporary name, renamed when complete. A partial file never has the name, and
/// a signal that ends the program leaves nothing behind. One at a time.
final class UnfinishedFile {
    private let path: String, unfinished: String
    private let handle: FileHandle
    private let signals: [Int32]
    private var isDone = false

    /// What a signal removes. Guarded by order: set before the handlers are there, and freed after they are gone.
    nonisolated(unsafe) private static var removed: UnsafeMutablePointer<CChar>?

    /// - Throws: `ControlError` where it cannot be made.
    init(_ path: String) throws {
        self.path = path
        let unfinished = "\(path).unfinished-\(getpid())"
        self.unfinished = unfinished
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Self.removed = strdup(unfinished)
        // Handlers of the system's: a dispatch source is registered a moment later, and a signal before that is lost.
        signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
            let before = signal(number) { number in
                if let path = UnfinishedFile.removed { unlink(path) }
                _exit(128 + number)
            }
            // What is ignored already, as by nohup, stays so.
            guard unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) else { return true }
            signal(number, SIG_IGN)
            return false
        }
    }

    deinit {
        // While the handlers are still there: a signal in between finds nothing left to remove.
        if !isDone { unlink(unfinished) }
        for number in signals { signal(number, SIG_DFL) }
        free(Self.removed)
        Self.removed = nil
    }

    /// Adds to it.
    /// - Throws: `ControlError` where it cannot be written.
    func write(_ text: String) throws {
        do { try handle.write(contentsOf: Data(text.utf8)) } catch {
            throw Self.failure(path, error.localizedDescription)
        }
    }

    /// Gives it its name, once it is on the disk.
    /// - Throws: `ControlError` where it cannot be written.
    func finish() throws {
        guard fsync(handle.fileDescriptor) == 0, rename(unfinished, path) == 0 else {
            throw Self.failure(path, String(cString: strerror(errno)))
        }
        isDone = true
    }

    private static func failure(_ path: String, _ reason: String) -> ControlError {
        ControlError(code: "file", message: "Can't write \(path): \(reason)")
    }
}
