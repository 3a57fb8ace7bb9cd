import Foundation

/// A folder that is removed with the object. Its path is short: a socket's path has at most 107 bytes.
package final class TemporaryFolder: Sendable {
    /// The folder's path.
    package let path: String

    /// Makes a folder of its own among the system's temporary ones.
    package init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("vanorb-\(UUID().uuidString.prefix(13))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { remove() }

    /// Removes it now.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it, which need not exist.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of what is in it, sorted.
    package var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// Runs `body` with the path of a folder of its own, which is removed at the end.
package func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await body(folder.path)
}
