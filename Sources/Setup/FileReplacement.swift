import Foundation

/// Why a file was not replaced; it is as it was.
package struct FileReplacementError: Error, Sendable, CustomStringConvertible {
    package let path: String, call: String, code: Int32
    /// What to do.
    package let advice: String?

    package var description: String {
        "Can't write \(path): \(String(cString: strerror(code)))" + (advice.map { ". \($0)" } ?? "")
    }
}

/// Replaces a file atomically: after a power cut there is the old one or the new one.
package struct FileReplacement {
    /// Where the file is, with links followed.
    private let path: String
    private let folder: String
    private let mode: mode_t
    /// The system's write(2); tests replace it.
    var writing: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = { Foundation.write($0, $1, $2) }

    /// - Parameter mode: of a file that is not there yet.
    package init(path: String, mode: mode_t) {
        let real = realpath(path, nil)
        defer { free(real) }
        self.path = real.map { String(cString: $0) } ?? path
        folder = (self.path as NSString).deletingLastPathComponent
        self.mode = mode
    }

    private func failure(_ call: String, _ code: Int32 = errno) -> FileReplacementError {
        let advice: String? =
            switch code {
            case ENOSPC, EDQUOT: "Free disk space"
            case EROFS: "Its file system is read-only for VanOrb"
            case EACCES, EPERM: "Let VanOrb's user write to the folder \(folder)"
            default: nil
            }
        return FileReplacementError(path: path, call: call, code: code, advice: advice)
    }

    /// Replaces the file.
    /// - Parameter known: the content that it must still have; a missing file counts as empty.
    /// - Returns: false where it says something else by now; then nothing was done.
    /// - Throws: `FileReplacementError`; then nothing was done.
    package func replace(_ known: String, by text: String) throws -> Bool {
        var facts = stat()
        let isThere = stat(path, &facts) == 0
        if isThere, facts.st_mode & 0o222 == 0 {
            throw FileReplacementError(
                path: path, call: "stat", code: EACCES,
                advice: "It is read-only. To allow changes: chmod u+w \(path)")
        }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure("open") }
        defer { close(directory) }
        // One at a time. Who holds it for long is not waited for.
        guard flock(directory, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw failure("flock") }
            usleep(20_000)
            return false
        }
        let temporary = folder + "/." + (path as NSString).lastPathComponent + ".new"
        unlink(temporary)
        try write(text, to: temporary, like: isThere ? facts : nil)
        guard says(known, isThere) else {
            unlink(temporary)
            return false
        }
        guard rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure("rename", code)
        }
        // The new one is in place; that it stays so after a power cut is the disk's matter from here on.
        fsync(directory)
        return true
    }

    private func says(_ known: String, _ isThere: Bool) -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else { return !isThere && access(path, F_OK) != 0 }
        return data == Data(known.utf8)
    }

    private func write(_ text: String, to temporary: String, like facts: stat?) throws {
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("open") }
        var isDone = false
        defer {
            close(file)
            if !isDone { unlink(temporary) }
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writing(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw failure("write") }
            rest = rest.dropFirst(max(count, 0))
        }
        guard fchmod(file, try rights(file, facts)) == 0 else { throw failure("fchmod") }
        guard fsync(file) == 0 else { throw failure("fsync") }
        isDone = true
    }

    /// The mode of the new file, whose owner and group are those of the old one where this process may set them.
    /// Where it may not, the old owner keeps access through the group.
    private func rights(_ file: Int32, _ facts: stat?) throws -> mode_t {
        guard let facts else { return mode }
        var own = stat()
        guard fstat(file, &own) == 0 else { throw failure("fstat") }
        let rights = facts.st_mode & 0o777
        if own.st_uid == facts.st_uid, own.st_gid == facts.st_gid { return rights }
        if fchown(file, facts.st_uid, facts.st_gid) == 0 { return rights }
        if own.st_gid != facts.st_gid { _ = fchown(file, uid_t.max, facts.st_gid) }
        return rights | (rights & 0o600) >> 3
    }
}
