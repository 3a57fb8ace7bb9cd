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
    /// The copy on the second path; nil where there is none.
    public var second: String?
    /// Why there is no copy on the second path, though one is set; nil where there is nothing to say.
    public var notice: String?

    /// A backup.
    public init(path: String, date: Date, bytes: Int64, kept: Int, second: String? = nil, notice: String? = nil) {
        self.path = path
        self.date = date
        self.bytes = bytes
        self.kept = kept
        self.second = second
        self.notice = notice
    }
}

/// One of the backups that there are.
public struct BackupRow: Codable, Sendable, Equatable {
    /// The file, on the board.
    public var path: String
    /// When it was made.
    public var date: Date
    /// Its size.
    public var bytes: Int64

    /// A backup.
    public init(path: String, date: Date, bytes: Int64) {
        self.path = path
        self.date = date
        self.bytes = bytes
    }
}

/// The backups that there are.
public struct BackupsResult: Codable, Sendable, Equatable {
    /// Those in the data folder, newest first.
    public var backups: [BackupRow]
    /// The second path, and what is there; nil where none is set.
    public var second: String?, copies: [BackupRow]

    /// Backups.
    public init(backups: [BackupRow], second: String?, copies: [BackupRow]) {
        self.backups = backups
        self.second = second
        self.copies = copies
    }
}

/// Which backup is meant.
public struct RestoreArguments: Codable, Sendable, Equatable {
    /// A file on the board, or `newest`; with an upload, what the file is called where it came from.
    public var backup: String
    /// The file itself, where the daemon need not be able to reach it, and when it was last changed there.
    public var upload: Int?, modified: Date?

    /// This backup.
    public init(backup: String, upload: Int? = nil, modified: Date? = nil) {
        self.backup = backup
        self.upload = upload
        self.modified = modified
    }
}

/// What a restore brings, and what it takes.
public struct RestorePlan: Codable, Sendable, Equatable {
    /// The backup's file.
    public var path: String
    /// When it was made.
    public var date: Date
    /// Its size.
    public var bytes: Int64
    /// What will not be there any more, as a sentence.
    public var lost: String

    /// A plan.
    public init(path: String, date: Date, bytes: Int64, lost: String) {
        self.path = path
        self.date = date
        self.bytes = bytes
        self.lost = lost
    }
}
