import Foundation
import SystemTestKit
import Testing

/// A small disk of a test's own, which it fills and frees.
struct SmallDisk: Sendable {
    /// Only root may mount one.
    static let canMount = geteuid() == 0 && FileManager.default.fileExists(atPath: "/usr/bin/mount")
    static let missing: Comment = "a small disk is mounted, which only root may"

    /// Where it is mounted.
    let path: String

    /// A data folder on it, filled like the demonstration van's.
    var data: String { "\(path)/data" }
    private var ballast: String { "\(path)/ballast" }

    /// Takes all the room that is left.
    func fill() async throws {
        // Ends with an error, which is what it is for.
        _ = try? await run("/usr/bin/dd", ["if=/dev/zero", "of=\(ballast)", "bs=4k"])
    }

    /// Lets it be read only, as Linux does after a fault, or be written again. Nothing may be open for writing.
    func remount(readOnly: Bool) async throws {
        try await run("/usr/bin/mount", ["-o", "remount,\(readOnly ? "ro" : "rw")", path])
    }

    /// Gives it back.
    func free() throws { try FileManager.default.removeItem(atPath: ballast) }
}

/// Mounts a small disk with a seeded data folder on it while `body` runs.
/// - Parameter room: kilobytes beside the data.
func withSmallDisk(room: Int, _ body: (SmallDisk) async throws -> Void) async throws {
    let folder = try TemporaryFolder(), disk = SmallDisk(path: folder.file("disk"))
    let seeded = try Workshop.shared().seededData
    let used = try #require(
        Int(try await run("/usr/bin/du", ["-sk", seeded]).first?.split(separator: "\t").first ?? ""))
    try FileManager.default.createDirectory(atPath: disk.path, withIntermediateDirectories: true)
    try await run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(used + room)k", "tmpfs", disk.path])
    let outcome: Result<Void, any Error>
    do {
        try FileManager.default.copyItem(atPath: seeded, toPath: disk.data)
        outcome = .success(try await body(disk))
    } catch { outcome = .failure(error) }
    try await run("/usr/bin/umount", ["-l", disk.path])
    try outcome.get()
}
