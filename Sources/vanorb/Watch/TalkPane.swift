import Control
import RingRenderer
import TerminalNCurses

/// The orb with its hint and status line, and below them what was said.
struct TalkPane {
    let model: WatchModel
    let time: Double
    let depth: ColourDepth

    /// The whole pane.
    func draw(on canvas: inout Canvas, in frame: Frame) {
        // Two fifths of the height, as far as the width lets it be round: cells are twice as high as wide.
        let orbRows = min(max(5, (frame.rows * 2 + 4) / 5), max(1, frame.columns / 2))
        let hintRows = frame.rows < 12 ? 1 : 2
        let (hint, afterHint) = frame.split(top: hintRows)
        let (orb, afterOrb) = afterHint.split(top: orbRows)
        let (status, bubbles) = afterOrb.split(top: 1)
        drawHint(on: &canvas, in: hint.inset(1))
        drawOrb(on: &canvas, in: orb)
        drawStatus(on: &canvas, in: status.inset(1))
        let troubles = troubleLines(in: bubbles.inset(1))
        for (number, line) in troubles.enumerated() {
            centre(line, Ink(Inks.warning), row: bubbles.row + number, in: bubbles.inset(1), on: &canvas)
        }
        BubbleColumn(model: model).draw(on: &canvas, in: bubbles.split(top: troubles.count).rest.inset(1))
    }

    /// A small orb with the status line next to it and the present reply below; for a screen that a tab fills.
    func drawStrip(on canvas: inout Canvas, in frame: Frame) {
        for column in frame.column..<frame.column + frame.columns {
            canvas.write("─", row: frame.row, column: column, Ink(Inks.rule))
        }
        let inner = frame.split(top: 1).rest
        var orb = inner
        orb.columns = inner.rows * 2
        drawOrb(on: &canvas, in: orb)
        var text = inner
        text.column += orb.columns + 1
        text.columns -= orb.columns + 1
        guard text.columns > 0 else { return }
        let (first, rest) = text.split(top: 1)
        drawStatus(on: &canvas, in: first, isCentred: false)
        let reply = model.answer
        // What is being said now matters most.
        let lines = TextFlow.lines(reply.text, width: rest.columns).filter { $0.start < max(1, reply.spoken) }
        for (number, line) in lines.suffix(rest.rows).enumerated() {
            var column = rest.column
            for run in reply.runs(of: line) {
                column += canvas.write(run.text, row: rest.row + number, column: column, run.ink)
            }
        }
    }

    /// What does not work and is not in the label, where the bubbles keep the greater part of their rows.
    private func troubleLines(in frame: Frame) -> [String] {
        let lines = model.furtherTroubles.flatMap { TextFlow.lines("! \($0)", width: frame.columns).map(\.text) }
        return Array(lines.prefix(frame.rows / 3))
    }

    private func drawHint(on canvas: inout Canvas, in frame: Frame) {
        guard !model.hint.isEmpty, model.link == .connected else { return }
        let lines = TextFlow.lines("Try saying: “\(model.hint)”", width: frame.columns).prefix(frame.rows)
        // One line stands next to the orb, not at the edge.
        let top = frame.row + frame.rows - lines.count
        for (number, line) in lines.enumerated() {
            centre(line.text, Ink(Inks.dim), row: top + number, in: frame, on: &canvas)
        }
    }

    private func drawStatus(on canvas: inout Canvas, in frame: Frame, isCentred: Bool = true) {
        let (sign, colour) = Inks.state(model)
        let said: String
        switch model.link {
        case .connecting: said = "Looking for VanOrb …"
        case .lost: said = "VanOrb does not answer"
        case .connected where model.troubleInLabel != nil: said = model.troubleInLabel ?? ""
        case .connected: said = model.status.isEmpty ? model.state.rawValue.capitalized : model.status
        }
        let room = frame.columns - 2, words: String
        if model.troubleInLabel != nil {
            words = TextFlow.shortened(said, to: room)
        } else {
            // Of a long transcript its end is what is being said now.
            words = said.count > room ? "…" + String(said.suffix(max(0, room - 1))) : said
        }
        let ink = Ink(colour, isBold: true)
        if isCentred {
            centre("\(sign) \(words)", ink, row: frame.row, in: frame, on: &canvas)
        } else {
            canvas.write("\(sign) \(words)", row: frame.row, column: frame.column, ink, limit: frame.columns)
        }
    }

    private func centre(_ text: String, _ ink: Ink, row: Int, in frame: Frame, on canvas: inout Canvas) {
        let width = DisplayWidth.of(text)
        canvas.write(text, row: row, column: frame.column + max(0, (frame.columns - width) / 2), ink)
    }

    private func drawOrb(on canvas: inout Canvas, in frame: Frame) {
        let columns = min(frame.columns, frame.rows * 2)
        guard columns > 0, frame.rows > 0 else { return }
        // A screen at night is less dim than the ring: one looks at it, and it lights no ceiling.
        let profile = Profile(isNight: model.isNight, nightCap: 0.6, showsClosedDot: true, gamma: 1)
        let orb = Orb(columns: columns, rows: frame.rows, profile: profile)
        let left = frame.column + (frame.columns - columns) / 2
        let cells = orb.cells(model.scene, at: time, loudness: model.loudness(at: time))
        for (row, line) in cells.enumerated() {
            for (column, cell) in line.enumerated() {
                draw(cell, on: &canvas, row: frame.row + row, column: left + column)
            }
        }
    }

    private func draw(_ cell: HalfBlock, on canvas: inout Canvas, row: Int, column: Int) {
        if depth == .none {
            let light = (Self.light(cell.upper) + Self.light(cell.lower)) / 2
            let shades = Array(" .:-=+*#@")
            let shade = shades[min(Int(light * Double(shades.count)), shades.count - 1)]
            canvas.write(String(shade), row: row, column: column, Ink(Inks.text))
            return
        }
        guard cell.upper != .black || cell.lower != .black else { return }
        canvas.write(
            "▀", row: row, column: column, Ink(Self.onGround(cell.upper), on: Self.onGround(cell.lower)))
    }

    private static func light(_ colour: RGB8) -> Double {
        Double(max(colour.red, colour.green, colour.blue)) / 255
    }

    /// Light is added to what is behind it, so that the soft edge ends in the background.
    private static func onGround(_ colour: RGB8) -> RGB8 {
        let ground = Inks.background
        return RGB8(
            max(colour.red, ground.red), max(colour.green, ground.green), max(colour.blue, ground.blue))
    }
}
