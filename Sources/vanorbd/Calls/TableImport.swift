import Domain
import TableExchange
import Handlers
import Dialogue
import Control
import Foundation
import StoreSQLite

/// One import: look at the file, read its rows, and store them in one go.
struct TableImport: Sendable {
    let store: SQLiteStore
    let conversation: Conversation
    let context: HandlerContext
    let arguments: ImportArguments
    /// The file as the owner calls it.
    let name: String
    let tell: @Sendable (ImportEvent) -> Void

    /// Rows that are worked on without a pause: some milliseconds.
    private static let lot = 250
    /// Present lines that are named.
    private static let named = 20

    /// - Throws: `TableRefusal`, `StoreError`; nothing is stored then.
    func run(_ path: String) async throws -> ImportReport {
        guard let file = FileManager.default.contents(atPath: path) else {
            throw TableRefusal("The upload cannot be read. Send it again.")
        }
        var report = ImportReport(table: arguments.table, dryRun: arguments.dryRun)
        let tables = TypedTables(conversation)
        switch arguments.table {
        case .ledger: try await ledger(file, &report)
        case .items:
            var reader = try ItemTableReader(file, context)
            try await small(&reader, &report) { try await tables.take($0, $1) }
        case .lists:
            var reader = try ListTableReader(file, context)
            try await small(&reader, &report) { try await tables.take($0, $1) }
        case .trips:
            var reader = try TripTableReader(file, context, monthFirst: arguments.monthFirst)
            try await small(&reader, &report) { try await tables.take($0, $1) }
        }
        report.notes = report.notes.prefix(20).map { Self.short($0, 2_000) }
        return report
    }

    /// What an undo says that it took back.
    private func description(_ count: Int) -> String { "\(arguments.table.counted(count)) imported from \(name)" }

    // MARK: going over the file

    /// Reads all rows; `each` takes a lot of them.
    private func read<Reader: TableReading>(
        _ reader: inout Reader, _ report: inout ImportReport,
        each: ([Reader.Row], inout ImportReport) async throws -> Void
    ) async throws {
        while let (rows, problems) = reader.next(Self.lot) {
            add(problems, to: &report)
            try await each(rows, &report)
            tell(ImportEvent(phase: "reading", share: 0.2 + 0.6 * Self.share(reader)))
            try await Self.pause()
        }
    }

    private func survey<Reader: TableReading>(_ reader: inout Reader, _ report: inout ImportReport) async throws {
        while try reader.survey(Self.lot * 4) {
            tell(ImportEvent(phase: "looking through the file", share: 0.2 * Self.share(reader)))
            try await Self.pause()
        }
        report.notes = reader.notes
    }

    private func add(_ problems: [TableProblem], to report: inout ImportReport) {
        report.badCount += problems.count
        for problem in problems where report.bad.count < ControlLimits.badLines {
            report.bad.append(
                BadLine(
                    line: problem.line, column: Self.short(problem.column), found: Self.short(problem.found),
                    expected: Self.short(problem.expected, 400)))
        }
        report.bad.sort { $0.line < $1.line }
    }

    private func add(present lines: [Int], to report: inout ImportReport) {
        report.present += lines.count
        report.presentLines += lines.prefix(max(0, Self.named - report.presentLines.count))
    }

    /// What the file says is not to make the report longer than a line of the socket may be.
    private static func short(_ text: String, _ most: Int = 100) -> String {
        text.count > most ? "\(text.prefix(most))…" : text
    }

    private static func share(_ reader: some TableReading) -> Double {
        reader.progress.of > 0 ? Double(reader.progress.done) / Double(reader.progress.of) : 1
    }

    /// Lets turns go first, and ends where nobody waits for it any more.
    private static func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    // MARK: tables that fit into memory

    private func small<Reader: TableReading>(
        _ reader: inout Reader, _ report: inout ImportReport,
        take: ([Reader.Row], TypedTables.Purpose) async throws -> TableOutcome
    ) async throws {
        try await survey(&reader, &report)
        var rows: [Reader.Row] = []
        try await read(&reader, &report) { lot, _ in rows += lot }
        // Where a line is bad, the others are only looked at, so that all that is bad can be named at once.
        let isLook = arguments.dryRun || report.badCount > 0
        tell(ImportEvent(phase: isLook ? "comparing" : "storing", share: 0.8))
        let outcome = try await take(rows, isLook ? .look : .store { Wording(description($0)) })
        add(outcome.problems, to: &report)
        add(present: outcome.present, to: &report)
        report.notes += outcome.notes
        report.added = report.badCount == 0 ? outcome.added : 0
    }

    // MARK: the ledger, of any length

    private func ledger(_ file: Data, _ report: inout ImportReport) async throws {
        var reader = try LedgerTableReader(file, context, monthFirst: arguments.monthFirst)
        try await survey(&reader, &report)
        try await store.beginLedgerImport()
        do {
            try await lay(&reader, &report)
            await store.endLedgerImport()
        } catch {
            await store.endLedgerImport()
            throw error
        }
    }

    /// Lays the rows down and moves them.
    private func lay(_ reader: inout LedgerTableReader, _ report: inout ImportReport) async throws {
        var good = 0
        try await read(&reader, &report) { rows, report in
            let staged = try await store.stage(rows)
            add(staged.taken.map { problem(of: $0) }, to: &report)
            add(present: staged.present, to: &report)
            good += rows.count
        }
        guard report.badCount == 0 else { return }
        report.added = good - report.present
        guard !arguments.dryRun, report.added > 0 else { return }
        tell(ImportEvent(phase: "storing", share: 0.8))
        guard let done = try await store.commitLedgerImport(description(report.added)) else { return }
        report.added = done.added
        await conversation.services.changes.record(change: done.change, Wording(description(done.added)))
    }

    private func problem(of taken: (line: Int, entry: LedgerEntry)) -> TableProblem {
        let entry = taken.entry
        let other = [
            entry.kind.rawValue, MoneyAmount(entry.amount).plain, entry.category ?? "", entry.merchant ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " ")
        return TableProblem(
            line: taken.line, column: LedgerColumn.number.written(context.books.tables), found: "\(entry.id)",
            expected:
                "an unused number: this one belongs to another entry (\(other)). Leave it empty to add a new entry"
        )
    }
}

extension MoneyAmount {
    /// Such as 12.50 GBP.
    fileprivate var plain: String {
        let digits = String(minorUnits.magnitude)
        guard exponent > 0 else { return "\(digits) \(currency)" }
        let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
        return "\(padded.dropLast(exponent)).\(padded.suffix(exponent)) \(currency)"
    }
}
