@testable import Domain
@testable import Language
@testable import TableExchange
import Foundation
import Testing

/// Statements as banks write them.
@Suite struct BankTableTests {
    private struct Outcome {
        var entries: [LedgerEntry] = []
        var lines: [Int] = []
        var problems: [TableProblem] = []
        var notes: [String] = []

        /// Such as `expense 1250 GBP`.
        var amounts: [String] { entries.map { "\($0.kind.rawValue) \($0.amount.minorUnits) \($0.amount.currency)" } }
        var days: [String] { entries.map { String($0.date.formatted(.iso8601).prefix(10)) } }

        func says(_ words: String) -> Bool { notes.contains { $0.contains(words) } }
    }

    private func read(_ text: String, home: String = "GBP", lot: Int = 2) throws -> Outcome {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var table = try LedgerTableReader(
            Data(text.utf8), TableOptions(words: English.books.tables, calendar: calendar), home: home)
        while try table.survey(lot) {}
        var outcome = Outcome(notes: table.notes)
        while let (rows, problems) = table.next(lot) {
            outcome.entries += rows.map(\.entry)
            outcome.lines += rows.map(\.line)
            outcome.problems += problems
        }
        return outcome
    }

    @Test func nationwide_namesItsColumnsBelowTheAccount() throws {
        let text = """
            "Account Name:","FlexAccount ****12345"
            "Account Balance:","£1,087.50"
            "Available Balance: ","£1,087.50"

            "Date","Transaction type","Description","Paid out","Paid in","Balance"
            "02 Jan 2026","Visa purchase","LIDL","£12.50","","£87.50"
            "03 Jan 2026","Bank credit","WAGES","","£1,000.00","£1,087.50"

            """
        let outcome = try read(text)
        #expect(outcome.problems.isEmpty, "\(outcome.problems)")
        #expect(outcome.amounts == ["expense 1250 GBP", "income 100000 GBP"])
        #expect(outcome.entries.map(\.note) == ["LIDL", "WAGES"] && outcome.days == ["2026-01-02", "2026-01-03"])
        #expect(outcome.says("line 5 names the columns") && outcome.says("“Transaction type” is left out"))
        let bad = try read(text + "\"4 Foo 2026\",\"Visa purchase\",\"X\",\"£1\",\"\",\"\"\n")
        #expect(bad.problems.map { "\($0.line) \($0.column): \($0.found)" } == ["8 Date: 4 Foo 2026"])
    }

    @Test func starling_hasItsCurrencyInTheColumnsName() throws {
        let outcome = try read(
            """
            Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes
            02/01/2026,Lidl,LIDL 123,CARD PAYMENT,-12.50,87.50,GROCERIES,milk
            03/01/2026,Work,WAGES,FASTER PAYMENT,1000.00,1087.50,INCOME,

            """, home: "EUR")
        #expect(outcome.problems.isEmpty, "\(outcome.problems)")
        #expect(outcome.amounts == ["expense 1250 GBP", "income 100000 GBP"])
        #expect(outcome.entries.map(\.merchant) == ["Lidl", "Work"])
        #expect(outcome.entries.map(\.note) == ["LIDL 123, milk", "WAGES"])
        #expect(outcome.entries.map(\.category) == ["groceries", "income"])
        #expect(outcome.says("“Type” is left out") && !outcome.says("no column “currency”"), "\(outcome.notes)")
    }

    @Test func revolut_countsWhatWasCompleted_whenItWas() throws {
        let head = "Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
        let outcome = try read(
            head + """
                CARD_PAYMENT,Current,2026-01-02 10:11:12,2026-01-04 01:02:03,Lidl,-12.50,0.00,EUR,COMPLETED,87.50
                CARD_PAYMENT,Current,2026-01-05 10:11:12,,Hotel,-99.00,0.00,EUR,PENDING,
                TOPUP,Current,2026-01-03 10:11:12,2026-01-03 10:11:13,Top-up,100.00,0.00,EUR,COMPLETED,187.50
                CARD_PAYMENT,Current,2026-01-05 10:11:12,,Hotel,-99.00,0.00,EUR,REVERTED,

                """)
        #expect(outcome.problems.isEmpty, "\(outcome.problems)")
        #expect(outcome.amounts == ["expense 1250 EUR", "income 10000 EUR"])
        #expect(outcome.days == ["2026-01-04", "2026-01-03"] && outcome.lines == [2, 4])
        #expect(outcome.entries.map(\.note) == ["Lidl", "Top-up"])
        #expect(outcome.says("2 lines are left out") && outcome.says("Started Date"), "\(outcome.notes)")
        let pending = try read(head + "TOPUP,Current,2026-01-02 10:11:12,,Hotel,-9.00,0.00,EUR,PENDING,\n")
        #expect(pending.entries.isEmpty && pending.problems.isEmpty && pending.says("1 line is left out"))
    }

    @Test func lloyds_keepsItsDescription_andItsTypesAreNoKinds() throws {
        let outcome = try read(
            """
            Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance
            02/01/2026,DEB,'30-00-00,12345678,LIDL GB,12.50,,87.50
            03/01/2026,FPI,'30-00-00,12345678,WAGES,,1000.00,1087.50
            13/01/2026,DD,'30-00-00,12345678,INSURER,30.00,,1057.50

            """)
        #expect(outcome.problems.isEmpty, "\(outcome.problems)")
        #expect(outcome.amounts == ["expense 1250 GBP", "income 100000 GBP", "expense 3000 GBP"])
        #expect(outcome.entries.map(\.note) == ["LIDL GB", "WAGES", "INSURER"])
        #expect(outcome.says("“Transaction Type” is left out"))
    }

    @Test(arguments: ["Datum;Betrag;Verwendungszweck", "Buchungstag;Betrag (EUR);Beschreibung"])
    func german_isReadWithItsWordsAndItsComma(header: String) throws {
        let outcome = try read("\(header)\n01.02.2026;-12,50;Lidl\n15.02.2026;1.000,00;Lohn\n", home: "EUR")
        #expect(outcome.problems.isEmpty, "\(outcome.problems)")
        #expect(outcome.amounts == ["expense 1250 EUR", "income 100000 EUR"])
        #expect(outcome.days == ["2026-02-01", "2026-02-15"] && outcome.entries.map(\.note) == ["Lidl", "Lohn"])
        let whole = try read(
            "Datum;Betrag;Währung;Empfänger;Kategorie;Verwendungszweck\n01.02.2026;-12,50;CHF;Migros;Essen;Brot\n")
        #expect(whole.amounts == ["expense 1250 CHF"])
        #expect(whole.entries.map { [$0.merchant, $0.category, $0.note] } == [["Migros", "essen", "Brot"]])
    }

    @Test func typesOfOurs_areKinds_andASlipInThemIsNamed() throws {
        let outcome = try read("date,amount,type\n1/1/2026,5,credit\n1/1/2026,5,debit\n")
        #expect(outcome.amounts == ["income 500 GBP", "expense 500 GBP"])
        #expect(try read("date,amount,type\n1/1/2026,5,income\n1/1/2026,5,expnse\n").problems.map(\.line) == [3])
        #expect(try read("date,amount,kind\n1/1/2026,5,CARD\n").problems.map(\.line) == [2])
        // The column tells which way the money went, whatever the bank calls it.
        let sides = try read("date,type,paid out,paid in\n1/1/2026,Payment,,5\n")
        #expect(sides.amounts == ["income 500 GBP"])
    }

    @Test func stateThatIsNotABanks_leavesNothingOut() throws {
        let outcome = try read("date,amount,state\n1/1/2026,5,Ohio\n1/1/2026,6,\n")
        #expect(outcome.amounts == ["expense 500 GBP", "expense 600 GBP"])
    }

    @Test func namesBelowTheTwentiethLine_areNotFound() {
        let text = String(repeating: "hello,x\n", count: 20) + "date,amount\n1/1/2026,5\n"
        #expect(throws: TableRefusal.self) { try read(text) }
    }
}
