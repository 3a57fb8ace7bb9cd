/// The words of tables that travel as CSV, in the owner's language: names of columns, and what cells may say.
public struct TableWords: Sendable, Equatable {
    /// The columns of a table, by their keys, which are the same in every language.
    public struct Columns: Sendable, Equatable {
        /// What each may be called; the first name is the one that is written.
        public var names: [String: [String]]
        /// Names that stand for a column only where no other column of the file does.
        public var lesser: [String: [String]]

        /// Columns of these names.
        public init(names: [String: [String]], lesser: [String: [String]] = [:]) {
            (self.names, self.lesser) = (names, lesser)
        }

        /// The name that is written.
        public func written(_ key: String) -> String { names[key]?.first ?? key }
    }

    /// What cells of the ledger say.
    public struct Ledger: Sendable, Equatable {
        /// The kinds of entries; the first word is the one that is written.
        public var expense: [String], income: [String]
        /// Names of columns that hold kinds, or in banks' files the sort of a transaction.
        public var types: Set<String>
        /// States of banks' rows that moved money, and of those that moved none.
        public var completed: Set<String>, undone: Set<String>

        /// All of them, lower case.
        public init(
            expense: [String], income: [String], types: Set<String>, completed: Set<String>, undone: Set<String>
        ) {
            (self.expense, self.income, self.types) = (expense, income, types)
            (self.completed, self.undone) = (completed, undone)
        }
    }

    /// The words of dates and times.
    public struct Dates: Sendable, Equatable {
        /// How names of months begin, with their numbers from 1.
        public var months: [(name: String, number: Int)]
        /// What stands behind a day of the month: 23rd.
        public var dayEndings: [String]
        /// What stands behind an hour of the first and of the second half of the day.
        public var beforeNoon: Set<String>, afterNoon: Set<String>

        /// All of them, lower case.
        public init(
            months: [(name: String, number: Int)], dayEndings: [String], beforeNoon: Set<String>,
            afterNoon: Set<String>
        ) {
            (self.months, self.dayEndings) = (months, dayEndings)
            (self.beforeNoon, self.afterNoon) = (beforeNoon, afterNoon)
        }

        /// Equal where all words are.
        public static func == (one: Dates, other: Dates) -> Bool {
            one.months.map(\.name) == other.months.map(\.name) && one.dayEndings == other.dayEndings
                && one.months.map(\.number) == other.months.map(\.number)
                && one.beforeNoon == other.beforeNoon && one.afterNoon == other.afterNoon
        }
    }

    /// What a cell may say where a tick is meant; the first word is the one that is written.
    public struct Ticks: Sendable, Equatable {
        /// Lower case.
        public var yes: [String], no: [String]

        /// Words of these meanings.
        public init(yes: [String], no: [String]) { (self.yes, self.no) = (yes, no) }
    }

    /// What may stand behind a number.
    public struct Units: Sendable, Equatable {
        /// Lower case.
        public var kilograms: Set<String>, grams: Set<String>, litres: Set<String>

        /// Units of these names.
        public init(kilograms: Set<String>, grams: Set<String>, litres: Set<String>) {
            (self.kilograms, self.grams, self.litres) = (kilograms, grams, litres)
        }
    }

    /// The tables' columns, by the tables' keys, which are those of `keys`.
    public var tables: [String: Columns]
    /// The ledger's cells.
    public var ledger: Ledger
    /// Ticks of any table.
    public var ticks: Ticks
    /// Units of any table.
    public var units: Units
    /// Dates of any table.
    public var dates: Dates

    /// Words of these meanings.
    public init(tables: [String: Columns], ledger: Ledger, ticks: Ticks, units: Units, dates: Dates) {
        (self.tables, self.ledger, self.ticks, self.units, self.dates) = (tables, ledger, ticks, units, dates)
    }

    /// The columns of a table.
    public func columns(_ table: String) -> Columns { tables[table] ?? Columns(names: [:]) }

    /// The keys of all tables' columns.
    public static let keys: [String: [String]] = [
        "ledger": [
            "number", "date", "kind", "amount", "out", "into", "currency", "category", "merchant", "note", "account",
            "litres", "uncertain", "state",
        ],
        "items": ["number", "name", "quantity", "weight", "place", "category", "aliases", "notes"],
        "lists": ["list", "task", "done"],
        // The last four are written and never read.
        "trips": ["number", "destination", "start", "end", "nights", "kilometres", "miles", "spent"],
    ]
}
