import CNCurses
import RingRenderer

/// How a cell is written.
public struct Ink: Sendable, Equatable {
    /// The character's colour.
    public var colour: RGB8
    /// The colour behind it; nil is the canvas's own.
    public var background: RGB8?
    /// Heavier.
    public var isBold: Bool
    /// With the colours exchanged where the terminal has none, so that a selection is seen there, too.
    public var isReverse: Bool

    /// An ink on the canvas's own background, unless said otherwise.
    public init(_ colour: RGB8, on background: RGB8? = nil, isBold: Bool = false, isReverse: Bool = false) {
        self.colour = colour
        self.background = background
        self.isBold = isBold
        self.isReverse = isReverse
    }
}

/// One place of a canvas.
public struct Cell: Sendable, Equatable {
    /// The character, with what combines with it; empty behind a character of two columns.
    public var text: Character?
    /// How it is written.
    public var ink: Ink
}

/// A picture made of characters, without a terminal.
public struct Canvas: Sendable, Equatable {
    /// Cells across and down.
    public let columns: Int, rows: Int
    /// What is behind everything.
    public let background: RGB8
    private var cells: [Cell]

    /// An empty canvas.
    public init(columns: Int, rows: Int, background: RGB8) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        self.background = background
        cells = Array(repeating: Cell(text: " ", ink: Ink(background)), count: self.columns * self.rows)
    }

    /// The cell at a place; nil outside.
    public subscript(row: Int, column: Int) -> Cell? {
        get { isInside(row, column) ? cells[row * columns + column] : nil }
        set {
            guard let newValue, isInside(row, column) else { return }
            cells[row * columns + column] = newValue
        }
    }

    /// Writes as much of `text` as there is room for, from `column` on.
    /// - Parameter limit: the most columns that may be used.
    /// - Returns: the columns used.
    @discardableResult public mutating func write(
        _ text: String, row: Int, column: Int, _ ink: Ink, limit: Int = .max
    ) -> Int {
        let room = min(limit, columns - column)
        var used = 0
        for character in text {
            let width = DisplayWidth.of(character)
            guard used + width <= room else { break }
            let shown = DisplayWidth.isHarmless(character) ? character : " "
            self[row, column + used] = Cell(text: shown, ink: ink)
            if width == 2 { self[row, column + used + 1] = Cell(text: nil, ink: ink) }
            used += width
        }
        return used
    }

    /// The text of a row, without trailing spaces; for tests and for looking.
    public func line(_ row: Int) -> String {
        let text = (0..<columns).compactMap { self[row, $0]?.text }
        return String(String(text).reversed().drop { $0 == " " }.reversed())
    }

    /// The text of all rows.
    public var text: String { (0..<rows).map(line).joined(separator: "\n") }

    private func isInside(_ row: Int, _ column: Int) -> Bool {
        (0..<rows).contains(row) && (0..<columns).contains(column)
    }
}

/// How many columns characters take.
public enum DisplayWidth {
    private static let hasLocale: Bool = {
        vanorb_terminal_use_locale()
        return true
    }()

    /// 1 or 2 columns.
    public static func of(_ character: Character) -> Int {
        guard hasLocale, let first = character.unicodeScalars.first, first.value >= 0x300 else { return 1 }
        // An emoji selector makes a narrow sign a wide picture.
        if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return vanorb_terminal_width(wchar_t(bitPattern: first.value)) == 2 ? 2 : 1
    }

    /// The columns of a text.
    public static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// False for what would steer the terminal: names come from devices and recordings.
    static func isHarmless(_ character: Character) -> Bool {
        !character.unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.properties.generalCategory == .format && $0 != "\u{200D}"
        }
    }
}
