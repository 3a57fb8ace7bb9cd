import Foundation
import SystemTestKit

#if canImport(Glibc)
    import Glibc
#endif

/// Debian's gpsfake (gpsfake(1)): it starts a gpsd on a free port of the loopback interface and plays a recorded track
/// to it once, as from a receiver on a serial line.
final class GPSFakeFixture: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    private static let program = "/usr/bin/gpsfake"
    static var isInstalled: Bool {
        [program, "/usr/sbin/gpsd"].allSatisfy(FileManager.default.isExecutableFile)
    }

    let port: Int
    private let folder: TemporaryFolder
    private let player: ChildProcess
    private var daemon: Int32?

    /// Plays `track`, a sentence each hundredth of a second, and returns once its gpsd listens.
    init(track: String) async throws {
        folder = try TemporaryFolder()
        port = try Port.free()
        let file = folder.file("track.nmea")
        try track.write(toFile: file, atomically: true, encoding: .utf8)
        player = try ChildProcess(
            Self.program, ["--quiet", "--singleshot", "--nowait", "--cycle", "0.01", "--port", "\(port)", file])
        do {
            try await eventually("gpsfake's gpsd to listen on \(port), it printed \(player.lines)") {
                self.daemon = self.daemon ?? self.daemons.first
                return self.daemon != nil && Port.listens(self.port)
            }
        } catch {
            end()
            throw error
        }
    }

    /// Ends the gpsd that gpsfake has started, and gpsfake, which ended by force would leave it, and its socket,
    /// behind.
    func end() {
        for daemon in Set(daemons + [daemon].compactMap { $0 }) where Self.name(daemon) == "gpsd" {
            kill(daemon, SIGKILL)
        }
        daemon = nil
        player.end()
        try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "gpsfake-\(player.pid).sock")
    }

    /// Those of gpsfake's children that have become a gpsd (proc(5)).
    private var daemons: [Int32] {
        let file = "/proc/\(player.pid)/task/\(player.pid)/children"
        let children = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return children.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
            .filter { Self.name($0) == "gpsd" }
    }

    private static func name(_ process: Int32) -> String? {
        (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
