import Control
import Logging
import Synchronization

/// The log level in force, which can change while the daemon runs.
final class LogLevel: Sendable {
    static let shared = LogLevel()
    private let level = Mutex(Logger.Level.info)

    var current: Logger.Level { level.withLock { $0 } }

    func set(_ name: String) {
        if let level = Logger.Level(rawValue: name) { self.level.withLock { $0 = level } }
    }
}

/// Writes to standard error, where the journal takes it, at the level in force at that moment.
struct AdjustableLog: LogHandler {
    private var stream: StreamLogHandler
    var metadata: Logger.Metadata {
        get { stream.metadata }
        set { stream.metadata = newValue }
    }
    var logLevel: Logger.Level {
        get { LogLevel.shared.current }
        set {}
    }

    init(label: String) { stream = StreamLogHandler.standardError(label: label) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { stream[metadataKey: key] }
        set { stream[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        // Messages quote payloads and names from outside, which must not control the terminal that shows the journal.
        var harmless = event
        harmless.message = Logger.Message(stringLiteral: TerminalText.harmless("\(event.message)"))
        stream.log(event: harmless)
    }
}
