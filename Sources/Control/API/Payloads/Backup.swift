import Foundation

/// A backup that was made and verified.
public struct BackupResult: Codable, Sendable, Equatable {
    /// The file, on the board.
    public var path: String
    /// When it was made; whole seconds on the wire.
    public var date: Date
    /// Its size.
    public var bytes: Int64
    /// How many backups there are now.
    public var kept: Int

    /// A backup.
    public init(path: String, date: Date, bytes: Int64, kept: Int) {
        self.path = path
        self.date = date
        self.bytes = bytes
        self.kept = kept
    }
}
