import TableExchange
import Foundation

// Tables in the owner's currency, time zone and language.

extension LedgerTableReader {
    /// Opens a table of the owner, which is read with the owner's currency, time zone and categories.
    /// - Parameter monthFirst: how dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    /// - Throws: `TableRefusal` where it is not such a table.
    public init(_ file: Data, _ context: HandlerContext, monthFirst: Bool?) throws {
        try self.init(
            file, TableOptions(context, monthFirst: monthFirst), home: context.homeCurrency,
            categories: context.books.values(of: "category", in: "finance"))
    }
}

extension ItemTableReader {
    /// Opens a table; the articles of the language are removed from names.
    /// - Throws: `TableRefusal` where it is not such a table.
    public init(_ file: Data, _ context: HandlerContext) throws {
        try self.init(file, TableOptions(context), articles: context.books.rules.articles)
    }
}

extension TripTableReader {
    /// Opens a table of the owner, which is read in the owner's time zone.
    /// - Parameter monthFirst: how dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    /// - Throws: `TableRefusal` where it is not such a table.
    public init(_ file: Data, _ context: HandlerContext, monthFirst: Bool?) throws {
        try self.init(file, TableOptions(context, monthFirst: monthFirst))
    }
}

extension ListTableReader {
    /// Opens a table.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(_ file: Data, _ context: HandlerContext) throws { try self.init(file, TableOptions(context)) }
}

extension TableOptions {
    /// How the owner’s tables are read.
    /// - Parameter monthFirst: how dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    init(_ context: HandlerContext, monthFirst: Bool? = nil) {
        self.init(
            words: context.books.tables, calendar: context.calendar, monthFirst: monthFirst,
            future: TableDate.future(context))
    }
}

extension TableDate {
    /// The time from which on a date is in the future: the day after tomorrow, since it may be tomorrow already where
    /// the owner has been. Nil where the clock may be wrong.
    package static func future(_ context: HandlerContext) -> Date? {
        guard context.isTimeCertain() else { return nil }
        let today = context.calendar.startOfDay(for: context.now())
        return context.calendar.date(byAdding: .day, value: 2, to: today)
    }
}
