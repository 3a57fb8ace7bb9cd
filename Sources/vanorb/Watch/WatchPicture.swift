import RingRenderer
import TerminalNCurses

/// The full-screen view as a picture: a pure function of what is known, the moment and the size.
struct WatchPicture {
    /// From so many columns on, talk and tab stand side by side.
    static let wide = 100
    /// What less than this is too small for.
    static let least = (columns: 20, rows: 8)

    let model: WatchModel
    /// Seconds, on the model's scale.
    let time: Double
    /// Without colours the orb is drawn with characters.
    var depth = ColourDepth.direct

    /// The picture for a terminal of this size.
    func canvas(columns: Int, rows: Int) -> Canvas {
        var canvas = Canvas(columns: columns, rows: rows, background: Inks.background)
        guard columns >= Self.least.columns, rows >= Self.least.rows else {
            canvas.write("too small", row: 0, column: 0, Ink(Inks.text))
            return canvas
        }
        let whole = Frame(row: 0, column: 0, rows: rows, columns: columns)
        let (header, rest) = whole.split(top: 1)
        let (body, footer) = rest.split(top: rest.rows - 1)
        TabBar(model: model).draw(on: &canvas, in: header)
        if columns >= Self.wide {
            var (left, right) = (body, body)
            left.columns = min(64, columns * 9 / 20)
            right.column = left.columns + 1
            right.columns = columns - right.column
            for row in body.row..<body.row + body.rows {
                canvas.write("│", row: row, column: left.columns, Ink(Inks.rule))
            }
            talk.draw(on: &canvas, in: left)
            TabPane(shelf: model.shelf, tab: model.shelf.open ?? .dashboard).draw(on: &canvas, in: right.inset(1))
        } else if let tab = model.shelf.open {
            let strip = min(5, max(2, body.rows / 4))
            let (top, bottom) = body.split(top: body.rows - strip)
            TabPane(shelf: model.shelf, tab: tab).draw(on: &canvas, in: top.inset(1))
            talk.drawStrip(on: &canvas, in: bottom)
        } else {
            talk.draw(on: &canvas, in: body)
        }
        Footer(model: model, time: time).draw(on: &canvas, in: footer)
        if model.showsHelp { HelpSheet().draw(on: &canvas, in: body) }
        return canvas
    }

    private var talk: TalkPane { TalkPane(model: model, time: time, depth: depth) }
}

/// The names of the tabs, the open one marked.
struct TabBar {
    let model: WatchModel

    func draw(on canvas: inout Canvas, in frame: Frame) {
        let names = ["Talk"] + Tab.allCases.map(\.title)
        let open = model.shelf.open.flatMap { Tab.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        // All names where they fit, without a space at the end where need be; else numbers and the open one's name.
        let letters = names.reduce(0) { $0 + $1.count }, isWide = letters + 4 * names.count <= frame.columns
        let isRoomy = letters + 3 * names.count <= frame.columns
        var column = frame.column
        for (number, name) in names.enumerated() {
            let label = isRoomy ? "\(number) \(name)" : number == open ? "\(number) \(name)" : "\(number)"
            let ink =
                number == open
                ? Ink(Inks.background, on: Inks.state(model).colour, isBold: true, isReverse: true) : Ink(Inks.dim)
            column += canvas.write(
                isRoomy && !isWide ? " \(label)" : " \(label) ", row: frame.row, column: column, ink,
                limit: frame.column + frame.columns - column)
        }
    }
}

/// The last row: what is typed, a notice, or the keys.
struct Footer {
    let model: WatchModel
    let time: Double

    func draw(on canvas: inout Canvas, in frame: Frame) {
        if let typing = model.typing {
            let room = max(0, frame.columns - 4)
            let shown = String(typing.suffix(room))
            let used = canvas.write("› \(shown)", row: frame.row, column: frame.column, Ink(Inks.text, isBold: true))
            canvas.write("▏", row: frame.row, column: frame.column + used, Ink(Inks.spokenWord))
            return
        }
        if model.asksToUndo {
            let question = "Undo the last change? y yes · n no"
            canvas.write(question, row: frame.row, column: frame.column, Ink(Inks.spokenWord, isBold: true))
            return
        }
        if case .lost(let why) = model.link {
            canvas.write(
                TextFlow.shortened("\(why); trying again …", to: frame.columns), row: frame.row, column: frame.column,
                Ink(Inks.bad))
            return
        }
        if let notice = model.notice, notice.end > time {
            canvas.write(
                TextFlow.shortened("! \(notice.text)", to: frame.columns), row: frame.row, column: frame.column,
                Ink(Inks.warning))
            return
        }
        let full =
            model.shelf.open == nil
            ? "space press · h hold · d close · enter type · tab next · ? keys · q quit"
            : "space press · h hold · d close · enter type · → open · ← back · ? keys · q quit"
        let short = "space press · enter type · ? keys"
        let keys = model.isHolding ? "holding the button: h releases it" : full.count <= frame.columns ? full : short
        canvas.write(keys, row: frame.row, column: frame.column, Ink(model.isHolding ? Inks.spokenWord : Inks.faint))
    }
}

/// What the keys do.
struct HelpSheet {
    static let keys: [(key: String, does: String)] = [
        ("space", "press the button"), ("h", "hold it; again: release"), ("d", "press twice: close"),
        ("c", "cancel the utterance"), ("m", "mute or unmute"), ("enter /", "type a command"),
        ("y n", "answer yes or no"), ("u", "undo, after a question"), ("0 … 7", "talk, or a tab"),
        ("tab", "the next tab"), ("↑ ↓", "select"), ("→", "open"), ("←", "back"), ("?", "this help"), ("q", "quit"),
    ]

    static let ground = RGB8(34, 34, 46)
    /// What is beneath is shown from these margins on, in all; less of it would be scraps.
    private static let margins = (columns: 12, rows: 4)

    func draw(on canvas: inout Canvas, in frame: Frame) {
        let ground = Self.ground, width = 36, height = Self.keys.count + 2
        let columns = frame.columns < width + Self.margins.columns ? frame.columns : width
        let rows = frame.rows < height + Self.margins.rows ? frame.rows : height
        let top = frame.row + (frame.rows - rows) / 2, left = frame.column + (frame.columns - columns) / 2
        for row in 0..<rows {
            canvas.write(
                String(repeating: " ", count: columns), row: top + row, column: left, Ink(Inks.text, on: ground))
            guard (1...Self.keys.count).contains(row), row < rows - 1 || rows > Self.keys.count else { continue }
            let line = Self.keys[row - 1]
            canvas.write(line.key, row: top + row, column: left + 2, Ink(Inks.spokenWord, on: ground, isBold: true))
            canvas.write(
                line.does, row: top + row, column: left + 10, Ink(Inks.text, on: ground), limit: columns - 11)
        }
    }
}
