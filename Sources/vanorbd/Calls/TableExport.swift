import Domain
import TableExchange
import Handlers
import Dialogue
import Control
import StoreSQLite

/// A table's pages, one after the other; each is read when the one before has been taken.
actor TableExport {
    /// Some lines of a table; none at its end.
    typealias Page = () async throws -> [String]

    private let count: Int
    private let page: Page
    private var head: String, waiting: ArraySlice<String> = []
    private var rows = 0, isDone = false

    /// - Parameters:
    ///   - count: about how many rows there are.
    ///   - page: reads the next lines.
    private init(header: String, count: Int, page: @escaping @Sendable () async throws -> [String]) {
        (head, self.count, self.page) = (header, count, page)
    }

    /// The pages of a table.
    static func of(
        _ table: TableKind, _ store: SQLiteStore, _ conversation: Conversation, _ context: HandlerContext
    ) async throws -> TableExport {
        let words = context.books.tables
        switch table {
        case .ledger:
            let writer = LedgerTableWriter(words: words, calendar: context.calendar)
            let pages = LedgerPages(store, writer)
            return TableExport(header: writer.header, count: try await store.ledgerCount()) {
                try await pages.next()
            }
        case .items:
            let lines = try await context.stores.manifest.items().sorted { $0.id < $1.id }.map(ItemTable.line)
            return TableExport(ItemTable.header(words), lines)
        case .lists:
            let lines = try await TypedLists(conversation).all().flatMap { ListTable.lines($0.name, $0.tasks, words) }
            return TableExport(ListTable.header(words), lines)
        case .trips:
            var writer = TripTable(words: words, calendar: context.calendar, isMiles: context.distanceUnit == .miles)
            // The oldest first, as in a diary.
            let lines = try await TypedTrips(conversation).all(limit: .max).reversed().map { writer.line($0) }
            return TableExport(writer.header, lines)
        }
    }

    private init(_ header: String, _ lines: [String]) {
        (head, count, page) = (header, lines.count, { [] })
        waiting = lines[...]
    }

    /// The next piece; nil at the end.
    func next() async throws -> ExportPiece? {
        guard !isDone else { return nil }
        try Task.checkCancellation()
        if waiting.isEmpty { waiting = try await page()[...] }
        isDone = waiting.isEmpty
        var text = head
        head = ""
        // Notes may be long; what does not fit goes into the next piece.
        while let line = waiting.first, text.isEmpty || text.utf8.count + line.utf8.count <= ControlLimits.exportPiece {
            text += line
            waiting.removeFirst()
            rows += 1
        }
        return isDone && text.isEmpty ? nil : ExportPiece(text: text, rows: rows, of: max(count, rows))
    }
}

/// The ledger in pages.
private actor LedgerPages {
    private let store: SQLiteStore
    private var writer: LedgerTableWriter
    private var last: LedgerEntry?

    /// Entries of a page; a piece stays well below the longest line.
    private static let page = 500

    init(_ store: SQLiteStore, _ writer: LedgerTableWriter) { (self.store, self.writer) = (store, writer) }

    func next() async throws -> [String] {
        let entries = try await store.ledgerPage(after: last, limit: Self.page)
        last = entries.last ?? last
        return entries.map { writer.line($0) }
    }
}
