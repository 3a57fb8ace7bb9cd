import Foundation

/// A file in memory, as the system pages it in: shared with whoever else reads it, and given back under pressure.
final class MappedFile: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let count: Int

    /// - Throws: `MoonshineError` when it cannot be read or is empty.
    init(path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_size > 0 else {
            throw MoonshineError(call: "open", detail: "\(path) is empty. Get it with deploy/second-ear")
        }
        count = Int(facts.st_size)
        // The library may adjust what it was given; the file itself is never written.
        guard let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
            throw Self.failure("mmap", path)
        }
        self.start = start
    }

    deinit { munmap(start, count) }

    private static func failure(_ call: String, _ path: String) -> MoonshineError {
        MoonshineError(
            call: call, detail: "\(path): \(String(cString: strerror(errno))). Get it with deploy/second-ear")
    }
}
