import TableExchange
import Foundation

// Tables as this owner writes them: in the home currency, the own zone, the language's words.

extension LedgerTableReader {
    /// Opens a table of the owner’s, in whose currency, zone and words it is read.
    /// - Parameter monthFirst: how dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(_ file: Data, _ context: HandlerContext, monthFirst: Bool?) throws {
        try self.init(
            file, home: context.homeCurrency, calendar: context.calendar,
            categories: context.books.values(of: "category", in: "finance"), monthFirst: monthFirst,
            future: TableDate.future(context))
    }
}

extension ItemTableReader {
    /// Opens a table; the language tells which words before a name are articles.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(_ file: Data, _ context: HandlerContext) throws {
        try self.init(file, calendar: context.calendar, articles: Set(context.books.rules.articles))
    }
}

extension TripTableReader {
    /// Opens a table of the owner’s, in whose zone it is read.
    /// - Parameter monthFirst: how dates such as 03/04/2026 are read; nil as the file shows, else the day first.
    /// - Throws: `TableRefusal` where it is no such table.
    public init(_ file: Data, _ context: HandlerContext, monthFirst: Bool?) throws {
        try self.init(
            file, calendar: context.calendar, monthFirst: monthFirst, future: TableDate.future(context))
    }
}

extension TableDate {
    /// From when on nothing can have happened yet: the day after tomorrow, since it may be tomorrow already where the
    /// owner has been. Nil where the clock may be wrong.
    package static func future(_ context: HandlerContext) -> Date? {
        guard context.isTimeCertain() else { return nil }
        let today = context.calendar.startOfDay(for: context.now())
        return context.calendar.date(byAdding: .day, value: 2, to: today)
    }
}
