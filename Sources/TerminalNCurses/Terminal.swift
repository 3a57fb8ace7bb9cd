import CNCurses
import Foundation
import RingRenderer

/// The terminal cannot be used for a full-screen view.
public struct TerminalError: Error, Equatable, CustomStringConvertible {
    /// The terminal's type as the environment has it.
    public let type: String

    /// What is the matter, and what to do.
    public var description: String {
        "unknown terminal type “\(type)” (TERM). Set TERM=xterm-256color, or use --plain."
    }
}

/// The terminal that the program runs on, taken over for a full-screen view until `close`. One at a time, and used by
/// one task.
public final class Terminal {
    private var screen: OpaquePointer?
    private let output: Int32
    /// How many colours it shows; none from the moment on in which it refuses what it said it had.
    public private(set) var depth: ColourDepth
    private var pairs: ColourPairs
    /// More pairs than any frame has cells are of no use; older terminals' libraries count them in 16 bits.
    private static let mostPairs = 32_767

    /// Takes the terminal over.
    /// - Parameters:
    ///   - environment: what it is and may show: `TERM`, `COLORTERM`, `NO_COLOR`.
    ///   - output: the descriptor that it is drawn on.
    ///   - input: the descriptor that its keys are read from.
    /// - Throws: `TerminalError` where nothing is known of it.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment, output: Int32 = STDOUT_FILENO,
        input: Int32 = STDIN_FILENO
    ) throws(TerminalError) {
        self.output = output
        let type = environment["TERM"] ?? ""
        // A terminal that says so shows any colour; its plain type does not say how (https://no-color.org,
        // ncurses' user_caps(5): RGB).
        let isDirect = ["truecolor", "24bit"].contains(environment["COLORTERM"])
        let base = type.hasPrefix("tmux") || type.hasPrefix("screen") ? "tmux" : "xterm"
        let isKnown = isDirect && type.hasSuffix("-256color")
        let direct = isKnown ? vanorb_terminal_open("\(base)-direct", output, input) : nil
        guard let opened = direct ?? vanorb_terminal_open(type, output, input) else { throw TerminalError(type: type) }
        screen = opened
        let colours = vanorb_terminal_colours()
        pairs = ColourPairs(limit: min(Int(vanorb_terminal_pairs()), Self.mostPairs))
        if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false {
            depth = .none
        } else {
            depth =
                colours > 256 ? .direct : colours == 256 ? .palette256 : colours >= 8 ? .palette8 : .none
        }
    }

    deinit { close() }

    /// Gives the terminal back as it was. May be called again.
    public func close() {
        guard let screen else { return }
        vanorb_terminal_close(screen)
        self.screen = nil
    }

    /// Its size in cells.
    public var size: (columns: Int, rows: Int) {
        var rows: Int32 = 0, columns: Int32 = 0
        vanorb_terminal_size(&rows, &columns)
        return (Int(columns), Int(rows))
    }

    /// Asks the kernel for the size and takes it over; for when the window has changed.
    public func followSize() {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else { return }
        // Drawing all of it again is for a new size only.
        guard size != (Int(window.ws_col), Int(window.ws_row)) else { return }
        vanorb_terminal_resize(Int32(window.ws_row), Int32(window.ws_col))
    }

    /// Shows a canvas; only what has changed is sent.
    public func draw(_ canvas: Canvas) {
        put(canvas)
        // A picture with wrong colours, or letters in the colour of their ground, is worse than one without any.
        if pairs.failures > 0 {
            depth = .none
            put(canvas)
        }
        vanorb_terminal_show()
    }

    private func put(_ canvas: Canvas) {
        let size = size
        pairs.beginFrame()
        for row in 0..<min(canvas.rows, size.rows) {
            for column in 0..<min(canvas.columns, size.columns) {
                guard let cell = canvas[row, column], let text = cell.text else { continue }
                put(text, cell.ink, row, column, behind: canvas.background)
            }
        }
    }

    private func put(_ text: Character, _ ink: Ink, _ row: Int, _ column: Int, behind: RGB8) {
        var shown = text, pair: Int32 = 0
        if depth != .none {
            var front = depth.number(of: ink.colour)
            let back = depth.number(of: ink.background ?? behind)
            if front == back, DisplayWidth.of(text) == 1 {
                // Nothing is seen but the ground. Without these a palette's pairs are fewer than the terminal has.
                (front, shown) = (back == 0 ? 7 : 0, " ")
            }
            pair = pairs.number(of: front, on: back) { vanorb_terminal_set_pair($0, $1, $2) } ?? 0
        }
        // A cell holds one character and a few that combine with it.
        let wide = shown.unicodeScalars.prefix(4).map { wchar_t(bitPattern: $0.value) } + [0]
        let isReverse = ink.isReverse && depth == .none
        if !vanorb_terminal_put(Int32(row), Int32(column), wide, ink.isBold, isReverse, false, pair) {
            _ = vanorb_terminal_put(Int32(row), Int32(column), [63, 0], ink.isBold, isReverse, false, pair)
        }
    }

    /// The next key; nil where none waits.
    public func key() -> Key? {
        var code = wint_t()
        switch vanorb_terminal_key(&code) {
        case KEY_CODE_YES: return Key(code: Int32(bitPattern: code))
        case OK: return Unicode.Scalar(code).map { Key(character: Character($0)) }
        default: return nil
        }
    }
}

/// A key that was pressed.
public enum Key: Sendable, Equatable {
    /// A character.
    case character(Character)
    /// A key without one.
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, tab, backTab
    /// Any other.
    case other

    init(code: Int32) {
        self =
            switch code {
            case KEY_UP: .up
            case KEY_DOWN: .down
            case KEY_LEFT: .left
            case KEY_RIGHT: .right
            case KEY_PPAGE: .pageUp
            case KEY_NPAGE: .pageDown
            case KEY_HOME: .home
            case KEY_END: .end
            case KEY_ENTER: .enter
            case KEY_BACKSPACE, KEY_DC: .backspace
            case KEY_BTAB: .backTab
            default: .other
            }
    }

    init(character: Character) {
        self =
            switch character {
            case "\r", "\n": .enter
            case "\u{1B}": .escape
            case "\u{7F}", "\u{8}": .backspace
            case "\t": .tab
            default: .character(character)
            }
    }
}
