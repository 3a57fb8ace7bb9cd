import Foundation
import GRDB
import Synchronization

/// The database as far as it is available: what could not be opened for writing is read for now, where it can be, and
/// opened again when the cause has gone.
final class DatabaseSlot: Sendable {
    /// A database that was opened for writing.
    struct Opened {
        let writer: any DatabaseWriter
        /// True when the whole file was read and found good before anything was written.
        var isChecked = true
        /// The copy from before a migration, when this opening has migrated the database.
        var former: String?
        /// The database that a restore has just replaced.
        var replaced: String?
    }

    /// How far it is available.
    private enum State {
        case open(Opened)
        /// It can only be read, for this reason.
        case readable(any DatabaseWriter, StoreError)
        /// It can not even be read, for this reason.
        case closed(StoreError)
    }

    private let state: Mutex<State>
    /// False where it could not be written from the start.
    let wasOpenAtOnce: Bool
    private let file: String
    private let reopen: @Sendable () throws -> Opened
    /// Told when it could be opened for writing after all.
    private let onOpen: @Sendable () -> Void

    /// A database that is open, and stays so.
    init(_ opened: Opened, file: String) {
        state = Mutex(.open(opened))
        wasOpenAtOnce = true
        self.file = file
        (reopen, onOpen) = ({ opened }, {})
    }

    /// A database that could not be opened for writing.
    /// - Parameters:
    ///   - error: why.
    ///   - reopen: tries it again; throws `StoreError`.
    ///   - onOpen: called when that has succeeded; from any thread.
    init(
        file: String, error: StoreError, reopen: @escaping @Sendable () throws -> Opened,
        onOpen: @escaping @Sendable () -> Void
    ) {
        state = Mutex(Self.readable(file, error))
        wasOpenAtOnce = false
        self.file = file
        (self.reopen, self.onOpen) = (reopen, onOpen)
    }

    /// What is open for writing, and what was found as it was opened; nil where it is not.
    var opened: Opened? {
        state.withLock { if case .open(let opened) = $0 { opened } else { nil } }
    }

    /// Why it cannot be written; nil where it can.
    var obstacle: StoreError? {
        state.withLock {
            switch $0 {
            case .open: nil
            case .readable(_, let error), .closed(let error): error
            }
        }
    }

    /// True where it can be read at least.
    var isReadable: Bool {
        state.withLock { if case .closed = $0 { false } else { true } }
    }

    /// What can be read.
    /// - Throws: `StoreError`, why nothing can.
    func forReading() throws -> any DatabaseWriter {
        try state.withLock { state in
            switch state {
            case .open(let opened): return opened.writer
            case .readable(let reader, _): return reader
            case .closed(let error): throw error
            }
        }
    }

    /// What can be written; where it could not be before, it is tried again.
    /// - Throws: `StoreError`, why nothing can.
    func forWriting() throws -> any DatabaseWriter {
        if let opened { return opened.writer }
        // A few milliseconds each time, while the disk is full.
        if let error = Self.hindrance(file) {
            guard let known = obstacle, known.reason == error.reason else { throw error }
            throw known
        }
        var isNews = false
        let writer = try state.withLock { state in
            if case .open(let opened) = state { return opened.writer }
            // Two independent handles of one file must not coexist; the earlier readers are done.
            if case .readable(let reader, let error) = state {
                try? reader.close()
                state = .closed(error)
            }
            do {
                let opened = try reopen()
                state = .open(opened)
                isNews = true
                return opened.writer
            } catch let error as StoreError {
                state = Self.readable(file, error)
                throw error
            }
        }
        if isNews { onOpen() }
        return writer
    }

    /// Opens it for reading where it cannot be written. A damaged, another program's or a newer database is not opened.
    private static func readable(_ file: String, _ error: StoreError) -> State {
        guard ReadOnlyDatabase.isWorthTrying(after: error), let reader = try? ReadOnlyDatabase.open(file) else {
            return .closed(error)
        }
        return .readable(reader, error)
    }

    /// Why nothing can be written next to `file`; nil where it can. Where SQLite only reports an I/O error, this has
    /// the cause.
    static func hindrance(_ file: String) -> StoreError? {
        let probe = file + ".probe"
        let descriptor = Foundation.open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return failure(file) }
        defer {
            close(descriptor)
            unlink(probe)
        }
        // What SQLite needs at least: the index of its log and a page of each.
        let block = [UInt8](repeating: 0, count: 64 << 10)
        var done = 0
        while done < block.count {
            let left = block.count - done
            let count = block.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, left) }
            guard count > 0 else { return failure(file) }
            done += count
        }
        // Some file systems report a full disk only now.
        return fsync(descriptor) == 0 ? nil : failure(file)
    }

    private static func failure(_ file: String) -> StoreError {
        let isReadOnly = errno == EROFS, cause = FileCopy.failure("open", file)
        switch cause.reason {
        case .diskFull:
            return StoreError(call: "open", file: file, reason: .diskFull, problem: "no space is left on the disk")
        case .notWritable where isReadOnly: return FileCheck.readOnlyDisk(file)
        default: return cause
        }
    }
}
