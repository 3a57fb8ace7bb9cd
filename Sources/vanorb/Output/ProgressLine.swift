import Control
import Foundation

/// A line on the terminal that tells how far something is; nothing where the error output is no terminal.
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
