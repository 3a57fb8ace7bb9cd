import Control
import Foundation

/// Files of the caller's, sent to the daemon in pieces, so that it needs no access to the caller's folders.
struct FileSending {
    /// What messages call the file.
    let name: String
    private let content: Data

    /// Reads a file whole, before the daemon is asked for anything: a pipe may take its time.
    /// - Parameter expected: what the file should be, such as `a WAV or FLAC file`.
    /// - Throws: `ControlError` where it cannot be read, is empty or too large.
    init(_ path: String, expected: String) throws {
        content = try Self.read(path, expected)
        name = path == "-" ? "the standard input" : (path as NSString).lastPathComponent
    }

    /// Sends the file.
    /// - Parameter progress: is given the share that has been sent, 0 to 1.
    /// - Returns: its number, for the call on this connection that uses it.
    /// - Throws: `ControlError` or `DaemonUnreachable`.
    func send(on connection: ControlConnection, progress: (Double) -> Void = { _ in }) async throws -> Int {
        try await connection.upload(content, name: name, progress: progress)
    }

    /// The file's bytes; a pipe will do, and `-` is the standard input.
    private static func read(_ path: String, _ expected: String) throws -> Data {
        let file: FileHandle
        if path == "-" {
            file = .standardInput
        } else {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw failure("\(path): there is no such file")
            }
            guard !isFolder.boolValue else { throw failure("\(path) is a folder; \(expected) is expected") }
            guard let opened = FileHandle(forReadingAtPath: path) else {
                throw failure("\(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            file = opened
        }
        var content = Data()
        do {
            // One byte over the limit tells a file that is too large from one that just fits.
            while content.count <= ControlLimits.uploadBytes,
                let piece = try file.read(upToCount: ControlLimits.uploadBytes + 1 - content.count), !piece.isEmpty
            {
                content += piece
            }
        } catch {
            throw failure("\(path) cannot be read: \(error.localizedDescription)")
        }
        guard !content.isEmpty else { throw failure("\(path) is empty; \(expected) is expected") }
        guard content.count <= ControlLimits.uploadBytes else {
            throw failure("\(path) is larger than 64 MiB, the most that is taken")
        }
        return content
    }

    private static func failure(_ message: String) -> ControlError { ControlError(code: "file", message: message) }
}
