import RingRenderer
import TerminalNCurses

/// What was said, as bubbles: the owner's on the right, the answers on the left, the newest at the bottom.
struct BubbleColumn {
    let model: WatchModel

    /// A line of a bubble.
    private struct Line {
        /// Runs of one ink each.
        var runs: [(text: String, ink: Ink)]
        var ground: RGB8?
        var isRight: Bool
    }

    func draw(on canvas: inout Canvas, in frame: Frame) {
        guard frame.rows > 0, frame.columns > 8 else { return }
        let lines = lines(width: frame.columns)
        let shown = lines.suffix(frame.rows)
        let isCut = lines.count > frame.rows
        let top = frame.row + frame.rows - shown.count
        for (number, line) in shown.enumerated() {
            // What goes out at the top fades.
            let share = isCut ? min(1, 0.35 + 0.3 * Double(number)) : 1
            draw(line, share, on: &canvas, row: top + number, in: frame)
        }
    }

    private func draw(_ line: Line, _ share: Double, on canvas: inout Canvas, row: Int, in frame: Frame) {
        func faded(_ colour: RGB8) -> RGB8 { Inks.mixed(Inks.background, colour, share) }
        let width = line.runs.reduce(0) { $0 + DisplayWidth.of($1.text) }
        let edges = line.ground == nil ? 0 : 1
        var column = frame.column + (line.isRight ? max(0, frame.columns - width - 2 * edges) : 0)
        if let ground = line.ground { column += canvas.write("▐", row: row, column: column, Ink(faded(ground))) }
        for run in line.runs {
            var ink = run.ink
            ink.colour = faded(ink.colour)
            ink.background = line.ground.map(faded)
            column += canvas.write(run.text, row: row, column: column, ink)
        }
        if let ground = line.ground { canvas.write("▌", row: row, column: column, Ink(faded(ground))) }
    }

    private func lines(width: Int) -> [Line] {
        // A bubble leaves a sixth of the row free, so that one sees whose it is.
        let widest = max(6, width * 5 / 6 - 2)
        var lines: [Line] = []
        func gap() { if !lines.isEmpty { lines.append(Line(runs: [], ground: nil, isRight: false)) } }
        for exchange in model.exchanges {
            gap()
            if !exchange.user.isEmpty { lines += bubble(exchange.user, Inks.user, isRight: true, widest) }
            lines += bubble(exchange.assistant, Inks.bubble(exchange.palette), isRight: false, widest)
            if let decision = exchange.decision {
                let text = TextFlow.shortened(decision, to: width - 2)
                lines.append(Line(runs: [(" \(text)", Ink(Inks.faint))], ground: nil, isRight: false))
            }
        }
        // While it is being said, the status line has it.
        let isSaid = !model.transcript.isEmpty && model.state != .listening
        if isSaid {
            gap()
            lines += bubble(model.transcript, Inks.mixed(Inks.background, Inks.user, 0.6), isRight: true, widest)
        }
        if let reply = model.reply {
            // An answer stands with what it answers, and with nothing else.
            if !isSaid { gap() }
            lines += revealed(reply, widest)
        }
        return lines
    }

    private func bubble(_ text: String, _ ground: RGB8, isRight: Bool, _ widest: Int) -> [Line] {
        let lines = TextFlow.lines(text, width: widest)
        let width = lines.map { DisplayWidth.of($0.text) }.max() ?? 0
        return lines.map { line in
            let rest = String(repeating: " ", count: width - DisplayWidth.of(line.text))
            return Line(runs: [(line.text + rest, Ink(Inks.text))], ground: ground, isRight: isRight)
        }
    }

    /// The reply as far as it has been spoken; the rest keeps its place, so that nothing moves.
    private func revealed(_ reply: WatchModel.Reply, _ widest: Int) -> [Line] {
        let lines = TextFlow.lines(reply.text, width: widest)
        let width = lines.map { DisplayWidth.of($0.text) }.max() ?? 0
        let ground = Inks.bubble(model.scene.palette)
        return lines.filter { $0.start < max(1, reply.spoken) }.map { line in
            let rest = String(repeating: " ", count: width - DisplayWidth.of(line.text))
            return Line(runs: reply.runs(of: line) + [(rest, Ink(Inks.text))], ground: ground, isRight: false)
        }
    }
}

extension WatchModel.Reply {
    /// A line of it: the words that have been spoken, the one being spoken in orange, and blanks for the others.
    func runs(of line: TextFlow.Line) -> [(text: String, ink: Ink)] {
        line.text.enumerated().map { offset, character in
            let place = line.start + offset
            let isNow = word?.contains(place) ?? false
            let shown = place < spoken ? String(character) : String(repeating: " ", count: DisplayWidth.of(character))
            return (shown, Ink(isNow ? Inks.spokenWord : Inks.text, isBold: isNow))
        }
    }
}
