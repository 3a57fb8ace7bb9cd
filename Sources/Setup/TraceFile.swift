import Foundation

/// Lines of JSON on disk, the newest last, bounded in size: what turns leave behind where the owner wants them kept.
/// Two files of half the size each; the older one is dropped when the newer one is full. Not for use from two threads.
package struct TraceFile: Sendable {
    /// Why lines could not be written or read.
    package struct Failure: Error, CustomStringConvertible {
        package let path: String, code: Int32
        package var description: String { "\(path): \(String(cString: strerror(code)))" }
    }

    /// The newer file, and the one before it.
    package let path: String
    package var former: String { path + ".1" }

    /// Read and compared at once, so that memory stays bounded whatever a file holds.
    private static let pieceBytes = 64 * 1_024

    /// Lines kept at `path`.
    package init(path: String) { self.path = path }

    /// Adds a line, all of it or nothing.
    /// - Parameter line: without a line break at its end.
    /// - Parameter limit: bytes of both files together. A line of more than half of it is left out.
    /// - Throws: `Failure`.
    package func append(_ line: Data, limit: Int) throws {
        guard line.count + 2 <= limit / 2 else { return }
        if try size(of: path) + line.count + 2 > limit / 2 { try check(rename(path, former), path) }
        // Also where the limit was lowered since.
        if try size(of: former) > limit / 2 { try check(unlink(former), former) }
        let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        try check(file, path)
        defer { close(file) }
        try check(fchmod(file, 0o600), path)
        let end = lseek(file, 0, SEEK_END)
        var last: UInt8 = 10
        if end > 0 { _ = pread(file, &last, 1, end - 1) }
        // A power cut may have left half a line: it stays one of its own, which nobody can read.
        let bytes = (last == 10 ? Data() : Data([10])) + line + Data([10])
        let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard written == bytes.count else {
            let code = written < 0 ? errno : ENOSPC
            if written > 0 { _ = ftruncate(file, end) }
            throw Failure(path: path, code: code)
        }
    }

    /// Goes through the lines, newest first, until `body` returns false.
    /// - Throws: `Failure`, or what `body` throws; a file that is not there has no lines.
    package func newestFirst(_ body: (Data) throws -> Bool) throws {
        for path in [path, former] where try !read(path, body) { return }
    }

    /// Removes all lines.
    /// - Throws: `Failure`.
    package func remove() throws {
        for path in [path, former] where unlink(path) != 0 && errno != ENOENT {
            throw Failure(path: path, code: errno)
        }
    }

    /// - Returns: false where `body` has enough.
    private func read(_ path: String, _ body: (Data) throws -> Bool) throws -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if file < 0, errno == ENOENT { return true }
        try check(file, path)
        defer { close(file) }
        var end = lseek(file, 0, SEEK_END), rest = Data()
        while end > 0 {
            let count = min(Int(end), Self.pieceBytes)
            var piece = Data(count: count)
            let start = end - off_t(count)
            let got = piece.withUnsafeMutableBytes { pread(file, $0.baseAddress, count, start) }
            guard got == count else { throw Failure(path: path, code: got < 0 ? errno : EIO) }
            end = start
            var lines = (piece + rest).split(separator: 10, omittingEmptySubsequences: false)
            // The first one may begin in the piece before.
            rest = end > 0 ? Data(lines.removeFirst()) : Data()
            for line in lines.reversed() where !line.isEmpty {
                guard try body(Data(line)) else { return false }
            }
        }
        return true
    }

    private func size(of path: String) throws -> Int {
        var facts = stat()
        if lstat(path, &facts) == 0 { return Int(facts.st_size) }
        guard errno == ENOENT else { throw Failure(path: path, code: errno) }
        return 0
    }

    private func check(_ result: Int32, _ path: String) throws {
        if result < 0 { throw Failure(path: path, code: errno) }
    }
}
