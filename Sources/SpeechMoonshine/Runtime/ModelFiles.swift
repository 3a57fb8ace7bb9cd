import Domain
import Foundation

/// The hashes of the model's files.
enum ModelFiles {
    static let sums = [
        (name: MoonshineModel.files.encoder, sum: "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221"),
        (name: MoonshineModel.files.decoder, sum: "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"),
        (name: MoonshineModel.files.tokeniser, sum: "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d"),
    ]

    /// The hash of the library that `deploy/second-ear` installs, by architecture: a damaged one ends the process that
    /// loads it, and another version may compute other numbers. `deploy/prepare.sh` has the same hashes; a test
    /// compares them.
    static let librarySums = [
        "x86_64": "c0995ae1102b871426e7bddf625451d6c19f12d0b6d79786218cbb77c2de865c",
        "aarch64": "2723a421531e984cf053ead965b8ea00c88a0353dce17b622bc82e752ef6752f",
    ]

    /// This machine's; nil for an unsupported processor.
    private static var librarySum: String? {
        #if arch(x86_64)
            librarySums["x86_64"]
        #elseif arch(arm64)
            librarySums["aarch64"]
        #else
            nil
        #endif
    }

    /// The first file that is missing; nil where none is.
    static func missing(in folder: String) -> String? {
        FileSums(sums + [(name: MoonshineModel.files.library, sum: "")]).missing(in: folder)
    }

    /// Compares the files with their hashes, which takes 0.2 s.
    /// - Throws: `MoonshineError` that names a file that is missing or damaged.
    static func check(_ folder: String) throws {
        let advice = "Get it with deploy/second-ear"
        if let name = missing(in: folder) {
            throw MoonshineError(call: "constrained recogniser", detail: "\(folder)/\(name) is missing. \(advice)")
        }
        guard let librarySum else {
            throw MoonshineError(
                call: "constrained recogniser", detail: "ONNX Runtime is not supported on this processor")
        }
        let all = FileSums(sums + [(name: MoonshineModel.files.library, sum: librarySum)])
        if let damage = try all.damage(in: folder) {
            throw MoonshineError(
                call: "constrained recogniser", detail: "damaged files in \(folder): \(damage). \(advice)")
        }
    }
}

/// The constrained recogniser is unavailable, or failed. The streaming recogniser is then used alone.
public struct MoonshineError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The step that failed: a function of ONNX Runtime, a file, a phase.
    public let call: String
    /// The cause, and the fix where one is known.
    public let detail: String

    /// A failure of `call`.
    public init(call: String, detail: String) {
        self.call = call
        self.detail = detail
    }

    /// Call and detail on one line.
    public var description: String { "\(call): \(detail)" }
}

/// A memory-mapped file: its pages are shared with other readers, and reclaimed under memory pressure.
final class MappedFile: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let count: Int

    /// - Throws: `MoonshineError` when the file cannot be read or is empty.
    init(path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_size > 0 else {
            throw MoonshineError(call: "open", detail: "\(path) is empty. Get it with deploy/second-ear")
        }
        count = Int(facts.st_size)
        // The library may modify its input; the file itself is never written.
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
