import RingRenderer
import TerminalNCurses

/// One tab: its summary, and its rows or one of them whole.
struct TabPane {
    let shelf: TabCache
    let tab: Tab

    func draw(on canvas: inout Canvas, in frame: Frame) {
        guard frame.rows > 1, frame.columns > 4 else { return }
        let page = shelf.pages[tab]
        let (title, rest) = frame.split(top: 1)
        canvas.write(tab.title, row: title.row, column: title.column, Ink(Inks.text, isBold: true))
        if let summary = page?.summary, !summary.isEmpty {
            let room = title.columns - tab.title.count - 2
            let text = TextFlow.shortened(summary, to: room)
            canvas.write(
                text, row: title.row, column: title.column + title.columns - DisplayWidth.of(text), Ink(Inks.dim))
        }
        let body = rest.split(top: 1).rest
        guard let page else {
            canvas.write("…", row: body.row, column: body.column, Ink(Inks.dim))
            return
        }
        guard !page.rows.isEmpty else {
            for (number, line) in TextFlow.lines(page.empty, width: body.columns).prefix(body.rows).enumerated() {
                canvas.write(line.text, row: body.row + number, column: body.column, Ink(Inks.dim))
            }
            return
        }
        if shelf.open == tab, shelf.showsFacts, let row = shelf.row {
            draw(row, on: &canvas, in: body)
        } else {
            draw(page.rows, on: &canvas, in: body)
        }
    }

    private func draw(_ rows: [TabPage.Row], on canvas: inout Canvas, in frame: Frame) {
        let selection = shelf.open == tab ? shelf.selection : nil
        // The selected row is always seen, with one more below it where there is one.
        let room = frame.rows
        let first = min(max(0, (selection ?? 0) + 2 - room), max(0, rows.count - room))
        for (number, row) in rows.dropFirst(first).prefix(room).enumerated() {
            draw(
                row, isSelected: first + number == selection, on: &canvas, row: frame.row + number, in: frame)
        }
        let last = first + room
        if first > 0 { mark("▲", on: &canvas, row: frame.row, in: frame) }
        if last < rows.count { mark("▼", on: &canvas, row: frame.row + room - 1, in: frame) }
    }

    /// There is more that way.
    private func mark(_ sign: String, on canvas: inout Canvas, row: Int, in frame: Frame) {
        canvas.write(sign, row: row, column: frame.column + frame.columns, Ink(Inks.faint), limit: 1)
    }

    private func draw(
        _ row: TabPage.Row, isSelected: Bool, on canvas: inout Canvas, row line: Int, in frame: Frame
    ) {
        let ground = isSelected ? RGB8(48, 48, 66) : nil
        if isSelected {
            canvas.write(
                String(repeating: " ", count: frame.columns), row: line, column: frame.column,
                Ink(Inks.text, on: ground, isReverse: true))
        }
        func ink(_ colour: RGB8, _ isBold: Bool = false) -> Ink {
            Ink(colour, on: ground, isBold: isBold, isReverse: isSelected)
        }
        let colour = Inks.tone(row.tone)
        let value = TextFlow.shortened(row.value, to: frame.columns / 2)
        let valueWidth = DisplayWidth.of(value)
        canvas.write(
            value, row: line, column: frame.column + frame.columns - valueWidth, ink(colour, row.tone != .plain))
        let room = frame.columns - valueWidth - (valueWidth > 0 ? 1 : 0)
        let star = shelf.starred.contains(row.id) ? "★ " : ""
        let title = TextFlow.shortened(star + row.title, to: room)
        let used = canvas.write(
            title, row: line, column: frame.column, ink(row.tone == .plain ? Inks.text : colour, row.tone == .heading))
        let detail = TextFlow.shortened(row.detail, to: room - used - 2)
        if room - used - 2 > 4 {
            canvas.write(detail, row: line, column: frame.column + used + 2, ink(Inks.faint))
        }
    }

    /// A row whole.
    private func draw(_ row: TabPage.Row, on canvas: inout Canvas, in frame: Frame) {
        var line = frame.row
        let end = frame.row + frame.rows
        let star = shelf.starred.contains(row.id) ? "★ " : ""
        for part in TextFlow.lines(star + row.title, width: frame.columns) where line < end {
            canvas.write(part.text, row: line, column: frame.column, Ink(Inks.text, isBold: true))
            line += 1
        }
        line += 1
        let facts =
            [TabPage.Fact(name: "", value: row.value), TabPage.Fact(name: "", value: row.detail)].filter {
                !$0.value.isEmpty
            } + row.facts
        let names = min(facts.map { DisplayWidth.of($0.name) }.max() ?? 0, frame.columns / 3)
        for fact in facts {
            let indent = fact.name.isEmpty ? 0 : names + 2
            for (number, part) in TextFlow.lines(fact.value, width: frame.columns - indent).enumerated()
            where line < end {
                if number == 0 {
                    canvas.write(
                        TextFlow.shortened(fact.name, to: names), row: line, column: frame.column, Ink(Inks.dim))
                }
                canvas.write(part.text, row: line, column: frame.column + indent, Ink(Inks.text))
                line += 1
            }
        }
    }
}
