import Control
import Copilot
import Foundation
import StoreSQLite

/// One import into the ledger: look at the file, lay its rows down, move them in one go.
struct LedgerImport: Sendable {
    let store: SQLiteStore
    let context: HandlerContext
    let isDryRun: Bool
    let monthFirst: Bool?

    /// Rows that are worked on without a pause: some milliseconds.
    private static let lot = 250
    /// Present lines that are named.
    private static let named = 20

    /// What an undo says that it took back.
    static func description(_ count: Int, _ name: String) -> String {
        "\(count) \(count == 1 ? "entry" : "entries") imported from \(name)"
    }

    /// - Returns: the change's number in the journal; nil where nothing was stored.
    /// - Throws: `TableRefusal`, `StoreError`; nothing is stored then.
    func run(
        _ path: String, _ name: String, _ report: inout ImportReport, _ tell: @Sendable (ImportEvent) -> Void
    ) async throws -> Int64? {
        guard let file = FileManager.default.contents(atPath: path) else {
            throw TableRefusal("It cannot be read where the daemon keeps it; send it again.")
        }
        var table = try LedgerTableReader(
            file, home: context.homeCurrency, calendar: context.calendar,
            categories: context.books.values(of: "category", in: "finance"), monthFirst: monthFirst)
        while try table.survey(Self.lot * 4) {
            tell(ImportEvent(phase: "looking through the file", share: 0.2 * Self.share(table)))
            try await Self.pause()
        }
        report.notes = table.notes
        try await store.beginLedgerImport()
        do {
            let change = try await lay(&table, name, &report, tell)
            await store.endLedgerImport()
            return change
        } catch {
            await store.endLedgerImport()
            throw error
        }
    }

    private func lay(
        _ table: inout LedgerTableReader, _ name: String, _ report: inout ImportReport,
        _ tell: @Sendable (ImportEvent) -> Void
    ) async throws -> Int64? {
        var good = 0
        while let (rows, problems) = table.next(Self.lot) {
            Self.add(problems, to: &report)
            let staged = try await store.stage(rows)
            Self.add(staged.taken.map { Self.problem(of: $0) }, to: &report)
            good += rows.count
            report.present += staged.present.count
            report.presentLines += staged.present.prefix(max(0, Self.named - report.presentLines.count))
            tell(ImportEvent(phase: "reading", share: 0.2 + 0.6 * Self.share(table)))
            try await Self.pause()
        }
        report.bad.sort { $0.line < $1.line }
        guard report.badCount == 0 else { return nil }
        report.added = good - report.present
        guard !isDryRun, report.added > 0 else { return nil }
        tell(ImportEvent(phase: "storing", share: 0.8))
        guard let done = try await store.commitLedgerImport(Self.description(report.added, name)) else { return nil }
        report.added = done.added
        return done.change
    }

    private static func add(_ problems: [TableProblem], to report: inout ImportReport) {
        report.badCount += problems.count
        for problem in problems where report.bad.count < ControlLimits.badLines {
            report.bad.append(
                BadLine(
                    line: problem.line, column: problem.column, found: problem.found, expected: problem.expected))
        }
    }

    private static func problem(of taken: (line: Int, entry: LedgerEntry)) -> TableProblem {
        let entry = taken.entry
        let other = [
            entry.kind.rawValue, MoneyAmount(entry.amount).plain, entry.category ?? "", entry.merchant ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " ")
        return TableProblem(
            line: taken.line, column: LedgerColumn.number.rawValue, found: "\(entry.id)",
            expected: "a number that is free: this one is another entry’s (\(other)). Leave it empty to add a new entry"
        )
    }

    private static func share(_ table: LedgerTableReader) -> Double {
        table.progress.of > 0 ? Double(table.progress.done) / Double(table.progress.of) : 1
    }

    /// Lets turns go first, and ends where nobody waits for it any more.
    private static func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}

extension MoneyAmount {
    /// Such as 12.50 GBP.
    var plain: String {
        let digits = String(minorUnits.magnitude)
        guard exponent > 0 else { return "\(digits) \(currency)" }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        return "\(padded.dropLast(exponent)).\(padded.suffix(exponent)) \(currency)"
    }
}
