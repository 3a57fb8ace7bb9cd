import Foundation

/// The figures of the study: a voice under a condition each, and all voices together.
struct StudyReport: Encodable, Sendable {
    struct Cell: Encodable, Sendable {
        let voice: String, condition: String
        let report: SpeechReport
    }

    let part: String
    let sentences: Int
    private(set) var cells: [Cell] = []

    init(part: String, sentences: Int) {
        self.part = part
        self.sentences = sentences
    }

    mutating func add(_ voice: String, _ condition: String, _ report: SpeechReport) {
        cells.append(Cell(voice: voice, condition: condition, report: report))
    }

    /// All voices under a condition, as one.
    var totals: [Cell] {
        var conditions: [String] = []
        for cell in cells where !conditions.contains(cell.condition) { conditions.append(cell.condition) }
        return conditions.map { condition in
            let reports = cells.filter { $0.condition == condition }.map(\.report)
            return Cell(
                voice: "all", condition: condition,
                report: SpeechReport(
                    reports.flatMap(\.clips), peakMemory: reports.map(\.peakMemory).max() ?? 0))
        }
    }

    private enum Key: String, CodingKey { case part, sentences, cells, totals }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(part, forKey: .part)
        try values.encode(sentences, forKey: .sentences)
        try values.encode(cells, forKey: .cells)
        try values.encode(totals, forKey: .totals)
    }

    /// The table, in Markdown.
    func table(isVerbose: Bool) -> String {
        var lines = [
            "\(sentences) sentences (part: \(part)); right, rejected, wrong and precision in per cent", "",
            "| voice | condition | right | 95 % | rejected | wrong | precision | WER | RTF | p50 ms | p95 ms | MiB |",
            "|---|---|---|---|---|---|---|---|---|---|---|---|",
        ]
        lines += (cells + totals).map { Self.row($0) }
        lines += totals.compactMap { cell in cell.report.lossWords.map { "\n\(cell.condition), lost: \($0)" } }
        if isVerbose {
            for cell in cells {
                lines += ["", "\(cell.voice), \(cell.condition)"]
                lines += cell.report.clips.filter { $0.verdict != .right }.map(SpeechReport.line)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ cell: Cell) -> String {
        func percent(_ share: Double?) -> String { share.map { String(format: "%.1f", $0 * 100) } ?? "–" }
        func number(_ value: Double?) -> String { value.map { String(format: "%.0f", $0) } ?? "–" }
        let report = cell.report, whole = report.accuracy.whole
        let wrong = Proportion(part: whole - report.accuracy.part - report.rejected.part, whole: whole)
        let interval = report.accuracy.interval
        let columns = [
            cell.voice, cell.condition, percent(report.accuracy.share),
            "\(percent(interval.lowerBound))–\(percent(interval.upperBound))", percent(report.rejected.share),
            percent(wrong.share), percent(report.precision.share), percent(report.wordErrorRate),
            String(format: "%.3f", report.realTimeFactor), number(report.latency.p50), number(report.latency.p95),
            number(report.peakMemory),
        ]
        return "| " + columns.joined(separator: " | ") + " |"
    }
}
