import Foundation

/// The wait before a start that follows others which ended badly: none after the first, then 1, 2, 4 … seconds, at most
/// a minute, and none again after ten quiet minutes. It never gives up.
///
/// systemd could wait longer each time by itself from version 254 on (`RestartSteps`), but counts since the last start
/// by hand: a crash months after the others would wait as long.
package struct RestartBackoff: Sendable {
    /// Ends older than this count no more.
    package static let memory = Duration.seconds(600)
    /// The longest wait.
    package static let longest = Duration.seconds(60)
    /// Ends that are kept; more change nothing.
    private static let kept = 16

    private let file: String

    /// - Parameter run: the folder of what need not be kept; it survives a restart, and goes when the service is
    ///   stopped.
    package init(run: String) { file = run + "/ends" }

    /// Notes that the daemon ended badly.
    /// - Parameter now: since the board's start.
    package func note(at now: Duration) {
        let ends = (recent(at: now) + [now]).suffix(Self.kept)
        let text = ends.map { "\($0.components.seconds)\n" }.joined()
        // Without the note the next start waits less, no more than that.
        try? Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
    }

    /// The number of recent failures, and how long to wait before this start.
    /// - Parameter now: since the board's start.
    package func due(at now: Duration) -> (ends: Int, wait: Duration) {
        let count = recent(at: now).count
        guard count > 1 else { return (count, .zero) }
        return (count, min(Self.longest, .seconds(1 << min(count - 2, 10))))
    }

    private func recent(at now: Duration) -> [Duration] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { Int64($0) }.map { .seconds($0) }
            .filter { $0 <= now && now - $0 < Self.memory }
    }

    /// Whether systemd reports that the service failed (`SERVICE_RESULT`, systemd.exec(5)). Wrong settings are not
    /// tried again, and count as the owner's.
    package static func endedBadly(environment: [String: String]) -> Bool {
        guard let result = environment["SERVICE_RESULT"] else { return false }
        return result != "success" && environment["EXIT_STATUS"] != "78"
    }
}
