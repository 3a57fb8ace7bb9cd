import Control
import Copilot
import Foundation
import StoreSQLite

/// The owner's data as CSV, in and out.
struct TableCalls: Sendable {
    let appliance: Appliance
    let uploads: UploadTable
    private let turn = OneAtATime()

    init(appliance: Appliance, uploads: UploadTable) {
        self.appliance = appliance
        self.uploads = uploads
    }

    private func store() throws -> SQLiteStore {
        guard let store = appliance.store else {
            throw ControlError(
                code: ControlError.Code.failed,
                message: "The database cannot be used just now; “vanorb doctor” says why.")
        }
        return store
    }

    // MARK: in

    /// Imports a table; who stops listening stops it, and nothing is imported then unless it was the last moment.
    func importing(_ arguments: ImportArguments) -> AsyncThrowingStream<ImportEvent, any Error> {
        // Progress that was not taken in time is old; the report comes last and is never dropped.
        let (stream, events) = AsyncThrowingStream.makeStream(
            of: ImportEvent.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(4))
        let task = Task(priority: .utility) {
            do {
                try await turn.enter()
                do {
                    let name = await uploads.name(of: arguments.upload) ?? "the table"
                    let report = try await uploads.use(arguments.upload) { path in
                        try await run(arguments, path, name) { events.yield($0) }
                    }
                    await turn.leave()
                    events.yield(ImportEvent(phase: "done", share: 1, report: report))
                    events.finish()
                } catch {
                    await turn.leave()
                    throw error
                }
            } catch {
                events.finish(throwing: error)
            }
        }
        events.onTermination = { _ in task.cancel() }
        return stream
    }

    private func run(
        _ arguments: ImportArguments, _ path: String, _ name: String, _ tell: @Sendable (ImportEvent) -> Void
    ) async throws -> ImportReport {
        let began = ContinuousClock.now
        let store = try store()
        var report = ImportReport(table: arguments.table, dryRun: arguments.dryRun)
        do {
            let change = try await LedgerImport(
                store: store, context: appliance.context, isDryRun: arguments.dryRun, monthFirst: arguments.monthFirst
            ).run(path, name, &report, tell)
            if let change {
                await appliance.conversation.remember(change: change, LedgerImport.description(report.added, name))
            }
        } catch let refusal as TableRefusal {
            throw ControlError(code: ControlError.Code.badArguments, message: "\(name): \(refusal)")
        }
        report.seconds = (began.duration(to: .now)).seconds
        return report
    }

    // MARK: out

    /// Entries of a page of an export; a piece stays well below the longest line.
    private static let page = 500

    func exporting(_ arguments: ExportArguments) async throws -> AsyncThrowingStream<ExportPiece, any Error> {
        let store = try store(), count = try await store.ledgerCount()
        let pages = LedgerPages(
            store: store, writer: LedgerTableWriter(calendar: appliance.context.calendar), count: count,
            page: Self.page)
        // Pulled: a page is read when the one before has been taken.
        return AsyncThrowingStream { try await pages.next() }
    }
}

/// Lets one in at a time, and tells the others.
actor OneAtATime {
    private var isBusy = false

    func enter() throws {
        guard !isBusy else {
            throw ControlError(
                code: ControlError.Code.busy, message: "Another import is under way; try again when it has ended.")
        }
        isBusy = true
    }

    func leave() { isBusy = false }
}

/// The ledger's pages, one after the other.
private actor LedgerPages {
    private let store: SQLiteStore
    private var writer: LedgerTableWriter
    private let count: Int, page: Int
    private var last: LedgerEntry?
    private var rows = 0, isDone = false, waiting: [LedgerEntry] = []

    init(store: SQLiteStore, writer: LedgerTableWriter, count: Int, page: Int) {
        self.store = store
        self.writer = writer
        self.count = count
        self.page = page
    }

    func next() async throws -> ExportPiece? {
        guard !isDone else { return nil }
        try Task.checkCancellation()
        var text = rows == 0 && last == nil ? LedgerTableWriter.header : ""
        if waiting.isEmpty {
            waiting = try await store.ledgerPage(after: last, limit: page)
            last = waiting.last ?? last
            isDone = waiting.isEmpty
        }
        var taken = 0
        for entry in waiting {
            let line = writer.line(entry)
            // Notes may be long; what does not fit goes into the next piece.
            guard taken == 0 || text.utf8.count + line.utf8.count <= ControlLimits.exportPiece else { break }
            text += line
            taken += 1
        }
        waiting.removeFirst(taken)
        rows += taken
        return isDone && text.isEmpty ? nil : ExportPiece(text: text, rows: rows, of: max(count, rows))
    }
}
