/// The limits of the control socket.
public enum ControlLimits {
    /// The protocol's version, as the greeting names it.
    public static let protocolVersion = 1
    /// The longest line, in bytes without its newline, either way: 1 MiB.
    public static let lineBytes = 1 << 20
    /// Connections at a time, of one user, and how many of all are for root alone.
    public static let connections = 256, connectionsPerUser = 128, connectionsForRoot = 16
    /// How long a connection may be open before its first line is complete, in seconds.
    public static let silentSeconds = 10
    /// Calls and streams under way at a time on one connection.
    public static let callsPerConnection = 8
    /// Events that wait for one watcher before it counts as too slow.
    public static let waitingEvents = 512
    /// The largest piece of a file, in bytes before base64: 512 KiB.
    public static let pieceBytes = 512 << 10
    /// All files on their way at one time, in bytes: 64 MiB.
    public static let uploadBytes = 64 << 20
    /// The longest name of such a file, in characters: as long as Linux allows.
    public static let nameCharacters = 255
    /// Files on their way at one time, and of one user.
    public static let uploads = 16, uploadsPerUser = 4
    /// The most bad lines of a table that are named, and the most characters of an export's piece.
    public static let badLines = 200, exportPiece = 96 << 10
    /// The most entries that a list answers with.
    public static let listEntries = 1_000
    /// The most traces that are kept and asked for.
    public static let traces = 50
    /// Newest turns that may be left out of them.
    public static let skippedTraces = 1_000_000
    /// The longest hold of the button, in seconds.
    public static let holdSeconds = 120.0
    /// The longest word whose pronunciation is asked for or set, in characters.
    public static let wordCharacters = 40
    /// The most words asked for by name, and the most spellings of one word.
    public static let askedWords = 100, spellings = 6
    /// The longest typed command, in characters.
    public static let sayCharacters = 2_000
    /// The longest text in one field of the owner's data, in characters.
    public static let fieldCharacters = 500

    /// - Throws: `ControlError` that names the `field` where its text is empty or too long.
    static func check(_ text: String, _ field: String) throws(ControlError) {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .badArguments("arguments.\(field): a text is expected, not an empty one")
        }
        guard text.count <= fieldCharacters else {
            throw .badArguments(
                "arguments.\(field): at most \(fieldCharacters) characters are expected, not \(text.count)")
        }
    }
}

/// How the owner writes times and amounts, as the daemon's settings have it. It is said once a connection, in its
/// greeting.
public struct OwnerLocale: Codable, Sendable, Equatable {
    /// The time zone's name, such as `Europe/London`.
    public var timeZone: String
    /// The language's code, such as `en`.
    public var language: String
    /// The country, ISO 3166, such as `GB`.
    public var country: String
    /// The owner's currency, ISO 4217, such as `GBP`.
    public var currency: String

    /// An owner's ways.
    public init(timeZone: String, language: String, country: String, currency: String) {
        self.timeZone = timeZone
        self.language = language
        self.country = country
        self.currency = currency
    }
}
