import Foundation

/// Looks at a file before SQLite does, because SQLite would turn another program's database to WAL, or report an
/// empty folder and another program's file with the same message.
enum FileCheck {
    /// What is at the path.
    enum Finding: Equatable {
        /// Nothing yet, or an empty file.
        case new
        /// A store of ours, as far as its first 100 bytes show.
        case ours
    }

    /// Reads the header (https://www.sqlite.org/fileformat.html, section 1.3).
    /// - Throws: `StoreError` for a folder that is missing or not writable, and for a file that is not ours.
    static func inspect(_ path: String, forWriting: Bool = true) throws -> Finding {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw failure(path, .unreachable, "the folder \(folder) does not exist")
        }
        guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
            guard forWriting else { throw failure(path, .unreachable, "the file does not exist") }
            try requireWritable(folder, for: path)
            return .new
        }
        if isFolder.boolValue { throw failure(path, .foreign, "this is a folder, not a database file") }
        guard files.isReadableFile(atPath: path), let handle = FileHandle(forReadingAtPath: path) else {
            throw failure(path, .notWritable, "the file cannot be read by this user")
        }
        defer { try? handle.close() }
        let header = [UInt8]((try? handle.read(upToCount: 100)) ?? Data())
        if !header.isEmpty { try requireOurs(header, path) }
        guard forWriting else { return header.isEmpty ? .new : .ours }
        guard access(path, W_OK) == 0 else {
            if errno == EROFS { throw readOnlyDisk(path) }
            throw failure(path, .notWritable, "the file cannot be written by this user")
        }
        // SQLite keeps its journal next to the file: a folder that cannot be written is as bad as the file itself.
        try requireWritable(folder, for: path)
        return header.isEmpty ? .new : .ours
    }

    private static func requireOurs(_ header: [UInt8], _ path: String) throws {
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw failure(path, .damaged, "this is not a database, or its beginning is damaged")
        }
        let id = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard Int32(bitPattern: id) == Schema.applicationID else {
            throw failure(path, .foreign, "this database was made by another program")
        }
    }

    private static func requireWritable(_ folder: String, for path: String) throws {
        guard access(folder, W_OK) == 0 else {
            if errno == EROFS { throw readOnlyDisk(path) }
            throw failure(path, .notWritable, "the folder \(folder) cannot be written by this user")
        }
    }

    /// Whether the disk of `path` is read-only.
    static func readOnlyDisk(_ path: String) -> StoreError {
        StoreError(
            call: "open", file: path, reason: .notWritable, problem: "the disk can only be read",
            remedy: "After a fault Linux lets a disk only be read: see `journalctl -k`, back up to another disk, "
                + "and check or replace the card.")
    }

    private static func failure(_ path: String, _ reason: StoreError.Reason, _ problem: String) -> StoreError {
        StoreError(call: "open", file: path, reason: reason, problem: problem)
    }
}
