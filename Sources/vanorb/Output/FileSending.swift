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
                throw failure("\(path): no such file")
            }
            guard !isFolder.boolValue else { throw failure("\(path) is a folder. Name \(expected).") }
            guard let opened = FileHandle(forReadingAtPath: path) else {
                throw failure("Can't open \(path): \(String(cString: strerror(errno)))")
            }
            file = opened
        }
        var content = Data()
        do {
            // One byte over the limit distinguishes a file that is too large from one that just fits.
            while content.count <= ControlLimits.uploadBytes,
                let piece = try file.read(upToCount: ControlLimits.uploadBytes + 1 - content.count), !piece.isEmpty
            {
                content += piece
            }
        } catch {
            throw failure("Can't read \(path): \(error.localizedDescription)")
        }
        guard !content.isEmpty else { throw failure("\(path) is empty. Name \(expected).") }
        guard content.count <= ControlLimits.uploadBytes else {
            throw failure("\(path) is too large: at most 64 MiB can be sent.")
        }
        return content
    }

    private static func failure(_ message: String) -> ControlError { ControlError(code: "file", message: message) }
}

/// A progress line on the terminal; nothing where standard error is not a terminal.
final class ProgressLine {
    private let isShown: Bool
    private var last = ""

    /// A line that is not there yet.
    init(isQuiet: Bool) { isShown = !isQuiet && isatty(STDERR_FILENO) == 1 }

    /// Shows what is being done, and the share of it, 0 to 1.
    func show(_ what: String, _ share: Double) {
        guard isShown else { return }
        let width = 12, full = Int((min(max(share, 0), 1) * Double(width)).rounded(.down))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
        let what = TerminalText.harmless(what)
        let text = "[\(bar)] \(Int(min(max(share, 0), 1) * 100)) % \(what)"
        guard text != last else { return }
        last = text
        // Cut to the narrowest of terminals: a line that wraps cannot be written over.
        write("\r\u{1B}[K\(text.prefix(39))")
    }

    /// Removes it.
    func end() {
        guard isShown, !last.isEmpty else { return }
        write("\r\u{1B}[K")
        last = ""
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
