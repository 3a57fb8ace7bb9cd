import Foundation
import GRDB

/// Why the store cannot be opened, read or written: what happened to which file, and what the owner can do.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, for callers that handle them.
    public enum Reason: String, Sendable, Codable {
        /// The file's content is broken.
        case damaged
        /// The file is something else than a store of this program.
        case foreign
        /// A newer version of the program has written it.
        case tooNew
        /// No space is left.
        case diskFull
        /// The file or its folder cannot be written.
        case notWritable
        /// The folder does not exist, or the file cannot be opened in it.
        case unreachable
        /// Another program has it locked.
        case busy
        /// A value breaks a rule of the store; nothing was written.
        case invalidValue
        /// Anything else.
        case failed
    }

    /// What we were doing, such as `open` or `ledger.add`.
    public let call: String
    /// SQLite's extended result code; 0 where SQLite was not asked.
    public let code: Int32
    /// The file, or `memory`.
    public let file: String
    /// The kind of failure.
    public let reason: Reason
    /// What is wrong.
    public let problem: String
    /// What to do about it, as a sentence.
    public let remedy: String

    /// File, problem and remedy, then call and code.
    public var description: String {
        "\(file): \(problem). \(remedy) (\(call), SQLite code \(code))"
    }

    init(call: String, code: Int32 = 0, file: String, reason: Reason, problem: String, remedy: String? = nil) {
        self.call = call
        self.code = code
        self.file = file
        self.reason = reason
        self.problem = problem
        self.remedy = remedy ?? Self.remedy(for: reason)
    }

    /// What SQLite reported, in the owner's terms.
    init(_ error: DatabaseError, call: String, file: String) {
        let words = error.message ?? "no further words"
        let (reason, problem): (Reason, String) =
            switch error.resultCode {
            case .SQLITE_CORRUPT: (.damaged, "the database is damaged (\(words))")
            case .SQLITE_NOTADB: (.damaged, "this is not a database, or its beginning is damaged (\(words))")
            case .SQLITE_FULL: (.diskFull, "no space is left on the disk")
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: (.notWritable, "it cannot be written (\(words))")
            case .SQLITE_CANTOPEN: (.unreachable, "it cannot be opened (\(words))")
            case .SQLITE_BUSY, .SQLITE_LOCKED: (.busy, "another program holds it (\(words))")
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE:
                (.invalidValue, "a value was refused (\(words))")
            case .SQLITE_IOERR: (.failed, "the disk gives errors (\(words))")
            default: (.failed, words)
            }
        let remedy =
            error.resultCode == .SQLITE_IOERR
            ? "It may be worn out, or have turned read-only: see `journalctl -k`, and back up to another disk."
            : nil
        self.init(
            call: call, code: error.extendedResultCode.rawValue, file: file, reason: reason, problem: problem,
            remedy: remedy)
    }

    private static func remedy(for reason: Reason) -> String {
        switch reason {
        case .damaged: "Keep the file aside and run `vanorb restore` to bring back the newest good backup."
        case .foreign: "Move that file away, or name another one in the settings."
        case .tooNew: "Install the newer VanOrb again, or restore a backup made by this one."
        case .diskFull: "Free some space on the disk."
        case .notWritable: "Give the user that runs vanorbd the right to write to the file and its folder."
        case .unreachable: "Check that the folder exists and that the user that runs vanorbd may write to it."
        case .busy: "End the other program and try again."
        case .invalidValue: "Nothing was written; correct the value and try again."
        case .failed: "Run `vanorb doctor`."
        }
    }
}
