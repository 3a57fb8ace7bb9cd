import Foundation
import Synchronization

/// The one owner of a socket's path: no second daemon can claim it, and a stale file is replaced in one step.
///
/// A lock file next to the socket decides between daemons that start in the same moment. The kernel releases it when
/// its holder dies, however it dies; the file itself stays, as removing it would let two daemons lock two files.
final class SocketFile: Sendable {
    /// Where the listener binds before it is made known.
    let temporaryPath: String
    private let path: String
    private let lock: Mutex<Int32?>

    /// Claims `path`.
    /// - Throws: `ControlServerError` when another daemon has it, something else than a socket is there, or the folder
    ///   cannot be written.
    init(claiming path: String) throws(ControlServerError) {
        self.path = path
        temporaryPath = "\(path).\(getpid())"
        lock = Mutex(try Self.openLock("\(path).lock"))
        // From here on `deinit` releases the lock.
        try Self.refuseIfInUse(path)
        unlink(temporaryPath)
    }

    deinit { release() }

    /// Makes the bound socket known under its path, with `mode`.
    func publish(mode: mode_t) throws(ControlServerError) {
        try check(chmod(temporaryPath, mode), "chmod")
        // Clients see the old file or the new one with its final permissions, never anything between.
        try check(rename(temporaryPath, path), "rename")
    }

    /// Removes the file; a client then knows at once that nobody is there.
    func remove() {
        unlink(temporaryPath)
        unlink(path)
    }

    /// Lets the next daemon claim the path. May be called again.
    func release() {
        lock.withLock { descriptor in
            guard let held = descriptor else { return }
            // Unlocked by name: a child that is about to execute something else still has the descriptor, too.
            flock(held, LOCK_UN)
            close(held)
            descriptor = nil
        }
    }

    private func check(_ result: Int32, _ call: String) throws(ControlServerError) {
        guard result != 0 else { return }
        let code = errno
        unlink(temporaryPath)
        throw ControlServerError(call: call, code: code, path: path, advice: "Check the folder's permissions.")
    }

    private static func openLock(_ path: String) throws(ControlServerError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o660)
        guard descriptor >= 0 else {
            throw ControlServerError(
                call: "open", code: errno, path: path, advice: "The folder must exist and be writable by the daemon."
            )
        }
        // Root claims it, too, to restore without the daemon; a lock of root's would keep the daemon from starting.
        // Only the empty file that was created just now changes its owner, not another of the same name.
        var folder = stat(), lock = stat()
        if geteuid() == 0, stat((path as NSString).deletingLastPathComponent, &folder) == 0,
            fstat(descriptor, &lock) == 0, lock.st_mode & S_IFMT == S_IFREG, lock.st_nlink == 1, lock.st_size == 0,
            lock.st_uid == 0
        {
            fchown(descriptor, folder.st_uid, folder.st_gid)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw ControlServerError(
                call: "flock", code: code, path: path,
                advice: "Another vanorbd is running. Stop it: sudo systemctl stop vanorb"
            )
        }
        return descriptor
    }

    private static func refuseIfInUse(_ path: String) throws(ControlServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ControlServerError(
                call: "lstat", code: 0, path: path, advice: "The file is not a socket. Move it away."
            )
        }
        guard try !answers(path) else {
            throw ControlServerError(
                call: "connect", code: 0, path: path,
                advice: "Another vanorbd is running. Stop it: sudo systemctl stop vanorb"
            )
        }
    }

    /// True unless the kernel says that nobody listens.
    private static func answers(_ path: String) throws(ControlServerError) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw ControlServerError(
                call: "connect", code: ENAMETOOLONG, path: path, advice: "At most \(room - 1) bytes are possible."
            )
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else {
            throw ControlServerError(call: "socket", code: errno, path: path, advice: "Too many files may be open.")
        }
        defer { close(probe) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 || errno != ECONNREFUSED
    }
}

/// Keeps daemons away from a socket, and with it from what they hold, while something is done that needs them ended.
public final class SocketClaim: Sendable {
    let file: SocketFile

    /// Claims the socket at `path` until the object ends.
    /// - Throws: `ControlServerError` when a daemon has it, or the folder cannot be written.
    public init(path: String) throws { file = try SocketFile(claiming: path) }

    /// Lets daemons start again.
    public func release() { file.release() }
}

/// Why the control socket could not be opened.
public struct ControlServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system call, or what was done instead of one.
    public let call: String
    /// Its error number; 0 when it was none.
    public let code: Int32
    /// The file concerned.
    public let path: String
    /// What to do about it.
    public let advice: String

    /// A failure of `call`.
    public init(call: String, code: Int32, path: String, advice: String) {
        self.call = call
        self.code = code
        self.path = path
        self.advice = advice
    }

    /// What failed, where, and what to do.
    public var description: String {
        let reason = code == 0 ? "" : ": \(String(cString: strerror(code)))"
        return "Can't open the control socket \(path)\(reason). \(advice)"
    }
}
