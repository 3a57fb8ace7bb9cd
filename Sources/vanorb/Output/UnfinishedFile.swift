import Control
import Foundation

/// A file being written: under a temporary name, renamed when complete. A partial file never has the name, and
/// a signal that ends the program leaves nothing behind.
final class UnfinishedFile {
    private let path: String, unfinished: String
    private let handle: FileHandle
    private let signals: [any DispatchSourceSignal]
    private var isDone = false

    /// - Throws: `ControlError` where it cannot be made.
    init(_ path: String) throws {
        self.path = path
        let unfinished = "\(path).unfinished-\(getpid())"
        self.unfinished = unfinished
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, String(cString: strerror(errno))) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        signals = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            // What is ignored already, as by nohup, stays so.
            let before = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
            guard before != unsafeBitCast(SIG_IGN, to: Int.self) else { return nil }
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                unlink(unfinished)
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in signals {
            source.cancel()
            signal(Int32(source.handle), SIG_DFL)
        }
        if !isDone { unlink(unfinished) }
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
