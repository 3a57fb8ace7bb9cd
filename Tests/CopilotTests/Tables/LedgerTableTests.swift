@testable import Domain
@testable import Language
@testable import TableExchange
import Foundation
import Testing

/// Ledgers as people, banks and spreadsheets write them.
@Suite struct LedgerTableTests {
    private static let london = calendar("Europe/London")

    private static func calendar(_ zone: String) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        return calendar
    }

    private struct Outcome {
        var rows: [LedgerTableRow] = []
        var problems: [TableProblem] = []
        var notes: [String] = []

        var entries: [LedgerEntry] { rows.map(\.entry) }
        var said: [String] { problems.map { "\($0.line) \($0.column): \($0.found)" } }
    }

    private func read(
        _ file: Data, categories: [String: String] = [:], monthFirst: Bool? = nil, future: Date? = nil, lot: Int = 3
    ) throws -> Outcome {
        var table = try LedgerTableReader(
            file,
            TableOptions(
                words: English.books.tables, calendar: Self.london, monthFirst: monthFirst, future: future),
            home: "GBP", categories: categories)
        while try table.survey(lot) {}
        var outcome = Outcome(notes: table.notes)
        while let (rows, problems) = table.next(lot) {
            outcome.rows += rows
            outcome.problems += problems
        }
        #expect(table.count >= outcome.rows.count)
        return outcome
    }

    private func read(_ text: String, monthFirst: Bool? = nil) throws -> Outcome {
        try read(Data(text.utf8), monthFirst: monthFirst)
    }

    private func refusal(_ file: Data) -> String {
        do {
            _ = try read(file)
            return "none"
        } catch { return "\(error)" }
    }

    private func moment(_ text: String) throws -> Date {
        try #require(try? Date(text, strategy: .iso8601))
    }

    @Test func whatIsExported_isReadAgainToTheLetter() throws {
        let odd = "=SUM(A1)\t\"quoted\", it's; 'fine' £ ü \u{1F690}"
        let entries = [
            LedgerEntry(
                id: 7, kind: .expense, amount: Money(minorUnits: 5_000, currency: "GBP"), category: "fuel",
                merchant: "-Lidl", note: "@home", account: "'=1", millilitres: 45_500,
                date: try moment("2026-07-01T11:22:33Z")),
            LedgerEntry(
                id: 8, kind: .income, amount: Money(minorUnits: 5, currency: "KWD"), merchant: "+44 shop",
                date: try moment("2026-01-01T00:00:00Z"), timeUncertain: true),
            LedgerEntry(
                id: 9, kind: .expense, amount: Money(minorUnits: 500, currency: "JPY"), note: "' x",
                date: try moment("1999-12-31T23:59:59Z")),
        ]
        var writer = LedgerTableWriter(words: English.books.tables, calendar: Self.london)
        let text = writer.header + entries.map { writer.line($0) }.joined()
        let again = try read(text)
        #expect(again.entries == entries, "\(text) \(again.problems)")
        #expect(again.notes.isEmpty && again.rows.allSatisfy { $0.span == 1_000 })
        #expect(CSVCell.text(CSVCell.guarded(odd)) == odd.replacing("\t", with: " "))
    }

    /// No cell that a spreadsheet would calculate.
    @Test(arguments: ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "'=1"])
    func textThatASpreadsheetWouldCalculate_isGuarded(text: String) throws {
        var writer = LedgerTableWriter(words: English.books.tables, calendar: Self.london)
        let entry = LedgerEntry(
            kind: .expense, amount: Money(minorUnits: 1, currency: "GBP"), merchant: text, date: Date())
        let line = writer.line(entry)
        #expect(line.contains(",'\(text)") || line.contains(",\"'\(text)"), "\(line)")
    }

    @Test func tooManyColumns_areRefused_andThoseNotUsed_areNamedInPart() throws {
        func table(_ columns: Int) -> Data {
            let names = ["date", "amount"] + (2..<columns).map { "column \($0) \(String(repeating: "x", count: 200))" }
            return Data((names.joined(separator: ",") + "\n1/2/2026,5\n").utf8)
        }
        #expect(refusal(table(1_001)).contains("names 1001 columns; at most 1000"), "\(refusal(table(1_001)))")
        let read = try read(table(1_000))
        #expect(read.rows.count == 1)
        let note = try #require(read.notes.first { $0.hasPrefix("columns not used: column 2 ") })
        #expect(note.hasSuffix(" and 978 more") && note.count < 2_000, "\(note.count)")
    }

    @Test func bothHoursOfTheNightThatHasThemTwice_keepTheirTime() throws {
        for hour in ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"] {
            let entry = LedgerEntry(
                id: 1, kind: .expense, amount: Money(minorUnits: 1, currency: "GBP"), date: try moment(hour))
            var writer = LedgerTableWriter(words: English.books.tables, calendar: Self.london)
            #expect(try read(writer.header + writer.line(entry)).entries == [entry], "\(hour)")
        }
    }

    @Test(arguments: [
        ("2026-11-23", "2026-11-23T00:00:00Z"), ("23/11/2026", "2026-11-23T00:00:00Z"),
        ("23.11.26", "2026-11-23T00:00:00Z"), ("3-7-2026", "2026-07-02T23:00:00Z"),
        ("23 Nov 2026", "2026-11-23T00:00:00Z"), ("November 23, 2026", "2026-11-23T00:00:00Z"),
        ("3rd August 2026", "2026-08-02T23:00:00Z"), ("23 October 2026 14:05", "2026-10-23T13:05:00Z"),
        ("2026-11-23 14:05", "2026-11-23T14:05:00Z"), ("2026-11-23T14:05:12Z", "2026-11-23T14:05:12Z"),
        ("2026-11-23T14:05:12+01:00", "2026-11-23T13:05:12Z"), ("23/11/2026 02:05 PM", "2026-11-23T14:05:00Z"),
        ("23/11/2026 12:05 am", "2026-11-23T00:05:00Z"), ("29/02/2024", "2024-02-29T00:00:00Z"),
    ])
    func date_isReadAsPeopleWriteIt(text: String, moment: String) throws {
        let outcome = try read("date;amount\n\(text);1\n")
        #expect(outcome.entries.map(\.date) == [try self.moment(moment)], "\(outcome.problems)")
    }

    @Test(arguments: [
        "31/02/2026", "29/02/2023", "yesterday", "23/11", "2026-13-01", "0/1/2026", "23/11/2026 25:00", "45000",
        "23/11/2026 14:05:99", "23 Foo 2026", "12/2026", "1/1/12345", "--", "23/11/2026 nonsense", "1/1/999",
        "0026-02-02", "1/1/0026", "1/1/026", "1949-12-31",
    ])
    func noDate_isNamedWithItsLineAndColumn(text: String) throws {
        let outcome = try read("When,amount\n1/1/2026,1\n\(text),2\n")
        #expect(outcome.rows.count == 1)
        #expect(outcome.said == ["3 When: \(text)"])
    }

    @Test func orderOfDayAndMonth_isTheFiles_orAsWanted_elseBritish() throws {
        func days(_ text: String, _ monthFirst: Bool? = nil) throws -> [String] {
            try read("date,amount\n" + text, monthFirst: monthFirst).entries.map {
                String($0.date.formatted(.iso8601).prefix(10))
            }
        }
        #expect(try days("3/2/2026,1\n2/13/2026,1\n") == ["2026-03-02", "2026-02-13"])
        #expect(try days("3/2/2026,1\n13/2/2026,1\n") == ["2026-02-03", "2026-02-13"])
        #expect(try days("3/2/2026,1\n") == ["2026-02-03"])
        #expect(try days("3/2/2026,1\n", true) == ["2026-03-02"])
        #expect(try read("date,amount\n3/2/2026,1\n").notes.contains { $0.contains("day first") })
        #expect(try read("date,amount\n13/2/2026,1\n2/13/2026,1\n").said == ["3 date: 2/13/2026"])
    }

    @Test func dateInTheFuture_isABadLine_unlessTheClockOrTheEntryIsUncertain() throws {
        let text = "date,amount,time uncertain\n2026-11-22 09:00,1,\n2026-11-23,2,\n2126-02-01,3,\n2126-02-01,4,yes\n"
        let now = try moment("2026-11-21T23:30:00Z")
        let sure = try VanBench(now: now).context, unsure = try VanBench(now: now, isTimeCertain: false).context
        let future = try #require(TableDate.future(sure))
        #expect(TableDate.future(unsure) == nil)
        let outcome = try read(Data(text.utf8), future: future)
        #expect(outcome.rows.map(\.line) == [2, 5] && outcome.said == ["3 date: 2026-11-23", "4 date: 2126-02-01"])
        #expect(outcome.problems.first?.expected.contains("is in the future") == true)
        #expect(try read(text).rows.count == 4)
    }

    @Test(arguments: [
        ("1234.50", 123_450), ("1,234.50", 123_450), ("£1,234.50", 123_450), ("1234.5", 123_450), ("12", 1_200),
        ("12.5000", 1_250), ("(12.50)", 1_250), ("-12.50", 1_250), ("12.50-", 1_250), ("£-12.50", 1_250),
        ("1 234.50", 123_450), ("1'234.50", 123_450), ("\u{2212}3.20", 320), ("GBP 7", 700), ("7 GBP", 700),
        (".50", 50), ("1,234", 123_400), ("1,234,567", 123_456_700),
    ])
    func amount_isReadAsPeopleWriteIt(text: String, pence: Int64) throws {
        let outcome = try read("date;amount;kind\n1/1/2026;\(text);expense\n")
        #expect(outcome.entries.map(\.amount) == [Money(minorUnits: pence, currency: "GBP")], "\(outcome.problems)")
    }

    @Test(arguments: [("1234,50", 123_450), ("1.234,50", 123_450), ("1 234,5", 123_450), ("1.234.567,00", 123_456_700)])
    func decimalComma_isReadWhereTheFileHasIt(text: String, cents: Int64) throws {
        let outcome = try read("date;amount;currency;litres\n1/1/2026;\(text);EUR;45,123\n")
        #expect(outcome.entries.map(\.amount) == [Money(minorUnits: cents, currency: "EUR")], "\(outcome.problems)")
        #expect(outcome.entries.first?.millilitres == 45_123)
    }

    @Test(arguments: [
        ("date;amount;litres\n2026-01-01;70;45,123\n", 45_123),
        ("date;amount;litres\n2026-01-01;70.50;45,123\n", 45_123_000),
        ("date,amount,litres\n2026-01-01,70,45.123\n", 45_123),
        ("date\tamount\tlitres\n2026-01-01\t70,5\t45,123 l\n", 45_123),
    ])
    func litres_areReadByTheOtherNumbersOfTheFile_elseByItsSeparator(text: String, millilitres: Int64) throws {
        let outcome = try read(text)
        #expect(outcome.entries.map(\.millilitres) == [millilitres], "\(outcome.problems)")
    }

    @Test func litresThatCanBeReadEitherWay_areRefused_withHowToWriteThem() throws {
        let outcome = try read("date\tamount\tlitres\n2026-01-01\t70\t45,123\n")
        #expect(outcome.said == ["2 litres: 45,123"])
        let expected = outcome.problems.first?.expected ?? ""
        #expect(expected.contains("45123, or 45,1230 for decimals"), "\(expected)")
        #expect(try read("date\tamount\tlitres\n2026-01-01\t70\t45,1230\n").entries.map(\.millilitres) == [45_123])
    }

    @Test func moneyThatCanBeReadEitherWay_isRefused() throws {
        #expect(try read("date;amount;currency\n1/1/2026;1.000;EUR\n").said == ["2 amount: 1.000"])
        #expect(try read("date\tamount\tcurrency\n1/1/2026\t1,250\tKWD\n").said == ["2 amount: 1,250"])
        let dinars = try read("date;amount;currency\n1/1/2026;1,250;KWD\n")
        #expect(dinars.entries.map(\.amount) == [Money(minorUnits: 1_250, currency: "KWD")])
    }

    @Test func bothDecimalMarksInOneFile_areRefused_withBothLines() {
        let text = refusal(Data("date;amount\n1/1/2026;1,50\n2/1/2026;3\n3/1/2026;1.50\n".utf8))
        #expect(text.contains("Line 4 writes decimals with a point, and line 2 with a comma"), "\(text)")
        #expect(text.contains("“1.50” in column “amount”"), "\(text)")
    }

    @Test(arguments: ["abc", "0", "12.345", "1.2.3.4x", "99999999999999999999", "£5 EUR", "12 pounds", "--5", ""])
    func noAmount_isNamed(text: String) throws {
        let outcome = try read("date;amount\n1/1/2026;\(text)\n")
        #expect(outcome.rows.isEmpty && outcome.problems.count == 1)
        #expect(outcome.problems.first?.column == "amount")
    }

    @Test func everyBadCell_isNamed_notOnlyTheFirst() throws {
        let outcome = try read(
            "date,amount,kind,currency,litres,note\nx,y,z,pounds,none,ok\n1/1/2026,5,expense,GBP,,\n1/1/2026,5,in,,,a,b\n"
        )
        #expect(
            outcome.said == [
                "2 date: x", "2 kind: z", "2 currency: pounds", "2 amount: y", "2 litres: none", "4 : 7 cells",
            ])
        #expect(outcome.rows.map(\.line) == [3])
    }

    @Test func bankStatement_withColumnsForBothWays_isRead() throws {
        let outcome = try read(
            "Date,Description,Paid out,Paid in,Balance\n1/1/2026,SHOP,12.50,,100\n2/1/2026,WAGES,0.00,\"1,000.00\",1100\n"
                + "3/1/2026,ODD,1,2,3\n4/1/2026,NOTHING,,,3\n")
        #expect(outcome.entries.map(\.kind) == [.expense, .income])
        #expect(outcome.entries.map(\.amount.minorUnits) == [1_250, 100_000])
        #expect(outcome.problems.map(\.line) == [4, 5])
        #expect(outcome.notes.contains("columns not used: Balance"))
    }

    @Test func amountsBelowZero_areExpenses_whereThereIsNoKind() throws {
        #expect(try read("date,amount\n1/1/2026,-5\n1/1/2026,5\n").entries.map(\.kind) == [.expense, .income])
        #expect(try read("date,amount\n1/1/2026,5\n").entries.map(\.kind) == [.expense])
        let income = try read("date,amount,kind\n1/1/2026,-5,income\n")
        #expect(income.said == ["2 amount: -5"])
    }

    @Test func words_areTheOwnersCategories() throws {
        let outcome = try read(
            Data("date,amount,category\n1/1/2026,5,Petrol\n1/1/2026,5,Bees Wax\n".utf8), categories: ["petrol": "fuel"])
        #expect(outcome.entries.map(\.category) == ["fuel", "bees wax"])
        let shipped = English.books.values(of: "category", in: "finance")
        #expect(shipped["petrol"] == "fuel" && shipped["fuel"] == "fuel" && shipped["a gas bottle"] == "gas")
    }

    @Test func equalRows_areTwo_andCounted() throws {
        let outcome = try read("date,amount,note\n1/1/2026,5,coffee\n1/1/2026,5,coffee\n1/1/2026,5,tea\n")
        #expect(outcome.rows.map(\.copy) == [1, 2, 1])
    }

    @Test func linesAreCountedAsEditorsDo_throughQuotesAndEmptyLines() throws {
        let outcome = try read("date,amount,note\r\n\r\n1/1/2026,5,\"two\r\nlines\"\r\n,,\r\nbad,5,\r\n")
        #expect(outcome.entries.map(\.note) == ["two  lines"])
        #expect(outcome.said == ["6 date: bad"])
    }

    @Test func quotesGoneWrong_areNamed() throws {
        #expect(try read("date,amount\n1/1/2026,\"5\"x\n2/1/2026,5\n").problems.map(\.line) == [2])
        let open = try read("date,amount\n1/1/2026,\"5\n2/1/2026,5\n")
        #expect(open.problems.first?.expected.contains("opens on line 2 is never closed") == true)
    }

    @Test func separators_andTheLineThatNamesThem_areFound() throws {
        for text in [
            "sep=;\ndate;amount\n1/1/2026;5\n", "date\tamount\n1/1/2026\t5\n", "date|amount\n1/1/2026|5\n",
            "\"date\",\"amount\"\r1/1/2026,5", "amount, DATE \n5, 1/1/2026 \n",
        ] { #expect(try read(text).entries.map(\.amount.minorUnits) == [500], "\(text)") }
    }

    @Test func encodings_areRecognised() throws {
        let text = "date;amount;merchant\r\n1/1/2026;5;Café Zoë £\r\n"
        let latin = try #require(text.data(using: .windowsCP1252))
        let cases: [(Data, String?)] = [
            (Data(text.utf8), nil), (Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), nil),
            (Data([0xFF, 0xFE]) + (try #require(text.data(using: .utf16LittleEndian))), "UTF-16"),
            (Data([0xFE, 0xFF]) + (try #require(text.data(using: .utf16BigEndian))), "UTF-16"),
            (try #require(text.data(using: .utf16LittleEndian)), "UTF-16"), (latin, "Windows-1252"),
        ]
        for (file, note) in cases {
            let outcome = try read(file)
            #expect(outcome.entries.map(\.merchant) == ["Café Zoë £"])
            #expect(note == nil || outcome.notes.contains { $0.contains(note ?? "") }, "\(outcome.notes)")
        }
    }

    @Test func whatIsNoTable_isRefusedInWordsThatHelp() throws {
        let cases: [(Data, String)] = [
            (Data([0x50, 0x4B, 3, 4, 9, 9]), "Save it as CSV"), (Data([0xFF, 0xFE, 0, 0, 1, 0, 0, 0]), "UTF-32"),
            (Data("date,amount\n1,\u{0}\n".utf8), "Line 2 holds bytes that are no text"),
            (Data([0x64, 0x61, 0x81, 0x8D]), "Line 1 is in another encoding"), (Data("\n\n".utf8), "empty"),
            (Data("hello\nworld\n".utf8), "Line 1: the names of the columns are expected here, not “hello”"),
            (Data("date,note\n1/1/2026,x\n".utf8), "no column “amount”"),
            (Data("amount\n1\n".utf8), "no column “date”"),
            (Data("date,amount,value\n".utf8), "“amount” and “value” mean the same"),
            (Data("date,amount,paid in\n".utf8), "Remove one"),
            (Data([0xFF, 0xFE, 0x64, 0, 0x61]), "cut off"),
        ]
        for (file, words) in cases {
            let text = refusal(file)
            #expect(text.contains(words), "\(text)")
        }
    }

    @Test func nonsense_isRefusedOrNamed_andNeverTrapsTheReader() throws {
        var seed: UInt64 = 42
        func roll(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        let start = Array("date;amount;kind;litres;no\n23/11/2026 14:05:11;1.234,50;expense;45,5;7\n".utf8)
        for _ in 0..<3_000 {
            var bytes = start
            for _ in 0...roll(6) {
                let place = 20 + roll(bytes.count - 20)
                switch roll(3) {
                case 0: bytes[place] = UInt8(roll(256))
                case 1: bytes.insert(Array("\",;\n\r-+.:/9 T".utf8)[roll(13)], at: place)
                default: bytes.remove(at: place)
                }
            }
            _ = try? read(Data(bytes))
        }
    }

    @Test func daysAndDates_areInverse() {
        for day in stride(from: -30_000, through: 60_000, by: 7) {
            let (year, month, date) = TableDate.civil(day)
            #expect(TableDate.day(year, month, date) == day)
        }
    }
}
