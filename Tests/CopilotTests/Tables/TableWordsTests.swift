import CopilotTestKit
import Foundation
import Testing

@testable import Configuration
@testable import Domain
@testable import Language
@testable import TableExchange

/// Names of columns, and what cells say, are data of the language's folder.
@Suite struct TableWordsTests {
    private static let german = Result {
        try Phrasebooks(folder: LanguageFolder(language: "de", root: TestLanguages.root)).tables
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private func options() throws -> TableOptions {
        TableOptions(words: try Self.german.get(), calendar: Self.calendar)
    }

    private func rows<Reader: TableReading>(_ reader: Reader) throws -> (rows: [Reader.Row], bad: [TableProblem]) {
        var reader = reader, rows: [Reader.Row] = [], bad: [TableProblem] = []
        while try reader.survey(2) {}
        while let (lot, problems) = reader.next(2) {
            rows += lot
            bad += problems
        }
        return (rows, bad)
    }

    @Test func theKeys_areThoseOfTheColumns() {
        func keys<Column: TableColumn>(_ column: Column.Type) -> [String] { Column.allCases.map(\.rawValue) }
        #expect(TableWords.keys[LedgerColumn.table] == keys(LedgerColumn.self))
        #expect(TableWords.keys[ItemColumn.table] == keys(ItemColumn.self))
        #expect(TableWords.keys[ListColumn.table] == keys(ListColumn.self))
        #expect(TableWords.keys[TripColumn.table]?.dropLast(4).elementsEqual(keys(TripColumn.self)) == true)
    }

    @Test func aGermanLedger_isReadAndWritten() throws {
        let words = try Self.german.get()
        let text = """
            Datum;Art;Betrag;Währung;Kategorie;Empfänger;Liter;Status
            23. März 2026;Ausgabe;1.250,50;EUR;Diesel;Tankstelle;80,5l;gebucht
            24.12.2026;Einnahme;20,00;EUR;;;;gebucht
            25.12.2026;Ausgabe;9,99;EUR;;;;vorgemerkt

            """
        let (read, bad) = try rows(
            LedgerTableReader(Data(text.utf8), options(), home: "EUR", categories: ["diesel": "fuel"]))
        #expect(bad.isEmpty)
        #expect(read.map(\.entry.kind) == [.expense, .income])
        #expect(read.map(\.entry.amount.minorUnits) == [125_050, 2_000])
        #expect(read.first?.entry.category == "fuel")
        #expect(read.first?.entry.millilitres == 80_500)
        #expect(read.first?.entry.date == Self.calendar.date(from: DateComponents(year: 2026, month: 3, day: 23)))

        var writer = LedgerTableWriter(words: words, calendar: Self.calendar)
        #expect(
            writer.header
                == "nr,datum,art,betrag,währung,kategorie,empfänger,notiz,konto,liter,zeit ungewiss\r\n")
        let entries = read.enumerated().map { place, row in
            var entry = row.entry
            entry.id = Int64(place + 1)
            entry.timeUncertain = true
            return entry
        }
        let written = writer.header + entries.map { writer.line($0) }.joined()
        #expect(written.contains(",ausgabe,") && written.contains(",einnahme,") && written.contains(",ja\r\n"))
        let again = try rows(LedgerTableReader(Data(written.utf8), options(), home: "EUR"))
        #expect(again.bad.isEmpty)
        #expect(again.rows.map(\.entry.amount) == entries.map(\.amount))
        #expect(again.rows.map(\.entry.timeUncertain) == [true, true])
    }

    @Test func germanItemsListsAndTrips_comeInAgainAsTheyWentOut() throws {
        let words = try Self.german.get()
        let item = Item(id: 1, name: "campingstuhl", quantity: 4, unitGrams: 1_500, place: "Garage")
        let items = try rows(
            ItemTableReader(
                Data((ItemTable.header(words) + ItemTable.line(item)).utf8), options(), articles: ["der"]))
        #expect(items.rows.map(\.value) == [item])
        #expect(ItemTable.header(words).hasPrefix("nr,name,anzahl,gewicht (kg),ort,"))

        let tasks = [
            ChecklistTask(list: "abfahrt", text: "Gas zu", isDone: true),
            ChecklistTask(list: "abfahrt", text: "Tür zu"),
        ]
        let list = ListTable.header(words) + ListTable.lines("abfahrt", tasks, words).joined()
        #expect(list == "liste,aufgabe,erledigt\r\nabfahrt,Gas zu,ja\r\nabfahrt,Tür zu,nein\r\n")
        let lists = try rows(ListTableReader(Data(list.utf8), options()))
        #expect(lists.rows.map(\.value.isDone) == [true, false])

        let trips = TripTable(words: words, calendar: Self.calendar, isMiles: false)
        #expect(trips.header == "nr,ziel,beginn,ende,nächte,km,ausgegeben\r\n")
    }

    @Test func whatIsWrong_isSaidWithTheLanguagesColumns() throws {
        let refusal = #expect(throws: TableRefusal.self) {
            try LedgerTableReader(Data("Datum;Empfänger\n".utf8), options(), home: "EUR")
        }
        #expect(refusal.map { "\($0)" }?.contains("betrag") == true)
        let bad = try rows(ListTableReader(Data("Liste;Aufgabe;Erledigt\na;b;vielleicht\n".utf8), options())).bad
        #expect(bad.map(\.expected) == ["ja or nothing"])
    }

    // MARK: a file that is wrong

    private func words(_ replacing: String, _ other: String) throws -> TableWords {
        let file = "\(LanguageFolder.shippedRoot)/en/tables.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8).replacing(replacing, with: other)
        return try TableWords(ConfigurationNode(parsing: text, file: "tables.yaml"))
    }

    @Test(arguments: [
        ("    litres: [litres", "    liters: [litres"), ("    number: [\"no\", trip", "    number: [to, trip"),
        ("jan: 1", "jan: 13"), ("\"yes\": [", "\"maybe\": ["), ("    nights: [nights]\n", ""),
        ("  expense: [", "  expense: []\n  other: ["),
    ])
    func whatIsWrong_isNamedWithItsLine(replacing: String, other: String) {
        let error = #expect(throws: ConfigurationError.self) { try words(replacing, other) }
        #expect(error?.file == "tables.yaml")
        #expect(error?.line != nil)
    }
}
