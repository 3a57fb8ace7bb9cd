import ArgumentParser
import Control
import Foundation

/// Nobody reads the output any more.
struct OutputClosed: Error {}

/// Writes to the terminal. Every line is written at once, so that a reader at the end of a pipe sees it at once.
struct Output: Sendable {
    /// True when programs read it.
    let json: Bool

    /// A value as JSON, or as the lines that `human` makes of it.
    /// - Throws: `OutputClosed`.
    func show<Value: Encodable>(_ value: Value, _ human: (Value) -> [String]) throws {
        if json {
            try write(String(decoding: try ControlJSON.encode(value, pretty: true), as: UTF8.self))
        } else {
            for line in human(value) { try self.line(line) }
        }
    }

    /// A value as JSON on one line.
    /// - Throws: `OutputClosed`.
    func compact(_ value: some Encodable) throws {
        try write(String(decoding: try ControlJSON.encode(value), as: UTF8.self))
    }

    /// A line for people.
    /// - Throws: `OutputClosed`.
    func line(_ text: String) throws { try write(TerminalText.harmless(text)) }

    /// Text as it is, which has its own line ends.
    /// - Throws: `OutputClosed`; `ControlError` where it cannot be written, such as to a full disk.
    func raw(_ text: String) throws {
        try Data(text.utf8).withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Foundation.write(STDOUT_FILENO, bytes.baseAddress.map { $0 + done }, bytes.count - done)
                if count >= 0 {
                    done += count
                    continue
                }
                switch errno {
                case EINTR: continue
                case EPIPE: throw OutputClosed()
                default:
                    throw ControlError(
                        code: "output",
                        message:
                            "Can't write the output: \(String(cString: strerror(errno))). The output is lost; "
                            + "the command itself was carried out.")
                }
            }
        }
    }

    /// Says why a command failed, on the error output.
    func complain(_ error: ControlError) {
        let text: String
        if json, let data = try? ControlJSON.encode(["error": error]) {
            text = String(decoding: data, as: UTF8.self)
        } else {
            text = "vanorb: \(TerminalText.harmless(error.message))"
        }
        try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
    }

    private func write(_ text: String) throws { try raw("\(text)\n") }
}
