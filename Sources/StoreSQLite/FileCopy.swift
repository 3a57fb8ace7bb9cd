import Foundation

/// Files, copied and on the disk for sure.
enum FileCopy {
    /// Copies a file to one that is new, and waits until it is on the disk.
    /// - Throws: `StoreError` naming the file.
    static func copy(_ source: String, to target: String) throws {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw failure("open", source) }
        defer { close(input) }
        unlink(target)
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard output >= 0 else { throw failure("open", target) }
        defer { close(output) }
        let writer = ThrottledWriter(path: target)
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(input, &buffer, buffer.count)
            guard count >= 0 else { throw failure("read", source) }
            if count == 0 { break }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { write(output, $0.baseAddress.map { $0 + done }, count - done) }
                guard written > 0 else { throw failure("write", target) }
                done += written
            }
            writer.wrote(count)
        }
        guard fsync(output) == 0 else { throw failure("fsync", target) }
    }

    /// Changes a file's owner to the folder's, where the process may do so: root restores what the daemon
    /// reads.
    static func belong(_ file: String, to folder: String) throws {
        var facts = stat()
        guard geteuid() == 0 else { return }
        guard stat(folder, &facts) == 0 else { throw failure("stat", folder) }
        guard chown(file, facts.st_uid, facts.st_gid) == 0 else { throw failure("chown", file) }
    }

    /// Waits until a file, or a folder's entries, are on the disk.
    static func flush(_ file: String) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", file) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("fsync", file) }
    }

    /// The system's present error for a file.
    static func failure(_ call: String, _ file: String) -> StoreError {
        let code = errno
        let reason: StoreError.Reason =
            switch code {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .notWritable
            case ENOENT: .unreachable
            default: .failed
            }
        return StoreError(
            call: call, file: file, reason: reason, problem: "\(String(cString: strerror(code))) (errno \(code))")
    }
}
