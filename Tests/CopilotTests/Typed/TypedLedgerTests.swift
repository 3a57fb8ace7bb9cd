@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// The ledger and the budgets, changed from the keyboard.
@Suite struct TypedLedgerTests {
    private let bench: VanBench
    private let talk: Talk
    private let ledger: TypedLedger

    init() async throws {
        bench = try VanBench()
        talk = try await Talk(bench, hears: .patient)
        ledger = TypedLedger(talk.conversation)
    }

    private func typed(_ words: String, _ change: (inout TypedEntry) -> Void = { _ in }) -> TypedEntry {
        var entry = TypedEntry()
        entry.words = words
        change(&entry)
        return entry
    }

    @Test(
        arguments: [
            ("50 diesel", 5_000, "GBP", "fuel"), ("£12.50 lunch", 1_250, "GBP", "eating out"),
            ("12,50 EUR groceries", 1_250, "EUR", "groceries"), ("12.50EUR tolls", 1_250, "EUR", "tolls"),
            ("EUR 8 coffee", 800, "EUR", "treats"), ("lunch 8 euros", 800, "EUR", "eating out"),
            ("9 GBP coffee", 900, "GBP", "treats"), ("100 ISK parking", 100, "ISK", "parking"),
            ("12 pounds fifty for parking", 1_250, "GBP", "parking"), ("1,250.00 repairs", 125_000, "GBP", "repairs"),
            ("a fiver for coffee", 500, "GBP", "treats"),
        ] as [(String, Int64, String, String)])
    func anAmount_isReadAsItIsWritten(words: String, minor: Int64, currency: String, category: String) async throws {
        let reply = try await ledger.add(typed(words), isConfirmed: false)
        let entry = try #require(try await talk.ledger.first, "\(reply.text)")
        #expect(entry.amount == Money(minorUnits: minor, currency: currency))
        #expect(entry.category == category)
    }

    /// Spoken, “forty two beers” would be 42.
    @Test func aNumberBehindTheAmount_isNoPartOfIt() async throws {
        _ = try await ledger.add(typed("40 2 beers"), isConfirmed: false)
        let entry = try #require(try await talk.ledger.first)
        #expect(entry.amount.minorUnits == 4_000 && entry.note == "2 beers")
    }

    @Test(arguments: ["2 quid 50 parking", "50 diesel 20 euros", "diesel", "-5 diesel", "", "0 diesel", "EUR diesel"])
    func whatIsNoOneAmount_isRefused_andNothingIsWritten(words: String) async throws {
        do {
            #expect(try await ledger.add(typed(words), isConfirmed: true).effects.isEmpty)
        } catch is TypedRefusal {}
        #expect(try await talk.ledger.isEmpty)
    }

    /// “XYZ” became the note “xYZ”, and “1,2,3” £123.
    @Test(arguments: [
        ("5 XYZ diesel", "XYZ"), ("5XYZ diesel", "XYZ"), ("XYZ 5 diesel", "XYZ"), ("lunch 8 XYZ", "XYZ"),
        ("1,2,3 diesel", "1,2,3"), ("diesel 1,2,3", "1,2,3"), ("12,34,567 diesel", "12,34,567"),
        ("1,2345 diesel", "1,2345"), ("0,500 diesel", "0,500"), ("1.2.3 diesel", "1.2.3"), (".5 diesel", ".5"),
        ("--1 diesel", "--1"), ("1e5 diesel", "1e5"), ("½ diesel", "½"), ("٥ diesel", "٥"), ("５ diesel", "５"),
        ("5/30 diesel", "5/30"), ("1,2,3 EUR diesel", "1,2,3"), ("£1,2,3 diesel", "£1,2,3"),
        ("99999999999999999999 diesel", "99999999999999999999"),
        ("9223372036854775808 diesel", "9223372036854775808"),
    ])
    func aNumberOrCurrencyThatIsMalformed_isRefused_withTheReason(words: String, part: String) async throws {
        let refusal = await #expect(throws: TypedRefusal.self) {
            try await ledger.add(typed(words), isConfirmed: true)
        }
        #expect(refusal?.description.contains("“\(part)”") == true, "\(refusal?.description ?? "")")
        #expect(try await talk.ledger.isEmpty)
        await #expect(throws: TypedRefusal.self) { try await TypedBudgets(talk.conversation).set(words) }
    }

    @Test(
        arguments: [
            ("50 MOT", 5_000), ("MOT 50", 5_000), ("30 LPG", 3_000), ("1.250,50 repairs", 125_050),
            ("1,250,000.75 repairs", 125_000_075), ("3-pack beer 9.50", 950), ("50. diesel", 5_000),
        ] as [(String, Int64)])
    func whatLooksLikeACodeOrANumberBesideTheAmount_isTaken(words: String, minor: Int64) async throws {
        let reply = try await ledger.add(typed(words), isConfirmed: true)
        #expect(try await talk.ledger.first?.amount.minorUnits == minor, "\(reply.text)")
    }

    @Test func allFields_areKept_byTheirOwnNames() async throws {
        let entry = typed("50 diesel") {
            ($0.merchant, $0.note, $0.account, $0.litres, $0.date) = (
                "the shell garage", "Before the Ferry", "my card", "33.5 l", "2026-11-03"
            )
        }
        _ = try await ledger.add(entry, isConfirmed: false)
        let stored = try #require(try await talk.ledger.first)
        #expect(stored.merchant == "Shell" && stored.note == "Before the Ferry" && stored.account == "card")
        #expect(stored.millilitres == 33_500 && stored.category == "fuel")
        #expect(stored.date == VanBench.date(2026, 11, 3, 12))
        _ = try await ledger.add(typed("900 wages") { $0.isIncome = true }, isConfirmed: false)
        #expect(try await talk.ledger.first?.kind == .income)
        let accounts = try await ledger.accounts()
        #expect(accounts.map(\.name) == [nil, "card"])
        #expect(accounts.map { $0.balances.map(\.minorUnits) } == [[90_000], [-5_000]])
    }

    @Test func badFields_areRefused_andNamed() async throws {
        for (change, word) in [
            ({ $0.category = "fun" }, "fun"), ({ $0.date = "someday" }, "--date"), ({ $0.litres = "much" }, "--litres"),
        ] as [((inout TypedEntry) -> Void, String)] {
            let error = await #expect(throws: TypedRefusal.self) {
                try await ledger.add(typed("50 diesel", change), isConfirmed: true)
            }
            #expect(error?.description.contains(word) == true)
        }
        #expect(try await ledger.add(typed("50 diesel") { $0.date = "tomorrow" }, isConfirmed: true).effects.isEmpty)
        #expect(try await ledger.add(typed("30000 repairs"), isConfirmed: false).question != nil)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test func anEntry_isCorrectedByItsNumber_andTakenBack() async throws {
        let first = try await bench.entry(.expense, 5_000, category: "fuel")
        let last = try await bench.entry(.expense, 100, category: "treats")
        _ = try await bench.stores.journal.seal("the test's own")
        _ = try await ledger.correct(first.id, typed("45 euros"), isConfirmed: false)
        var note = TypedEntry()
        note.note = "With Anna"
        _ = try await ledger.correct(first.id, note, isConfirmed: false)
        let corrected = try #require(try await bench.stores.ledger.entry(id: first.id))
        #expect(corrected.amount == Money(minorUnits: 4_500, currency: "EUR"))
        #expect(corrected.category == "fuel" && corrected.note == "With Anna", "a note alone keeps the category")
        #expect(try await bench.stores.ledger.entry(id: last.id) == last)
        _ = try await ledger.delete(first.id)
        #expect(try await bench.stores.ledger.entry(id: first.id) == nil)
        for _ in 0..<3 { #expect(await talk.conversation.undo().outcome == .done) }
        #expect(try await bench.stores.ledger.entry(id: first.id) == first)
        await #expect(throws: TypedRefusal.self) { try await ledger.delete(999) }
        await #expect(throws: TypedRefusal.self) { try await ledger.correct(first.id, TypedEntry(), isConfirmed: true) }
    }

    @Test func queries_areReadFromDaysAndTrips() async throws {
        var typed = TypedQuery()
        (typed.from, typed.to) = ("1 November", "2026-11-03")
        let between = try await ledger.query(typed).period
        #expect(between == DateInterval(start: VanBench.date(2026, 11, 1, 0), end: VanBench.date(2026, 11, 4, 0)))
        var month = TypedQuery()
        (month.period, month.category) = ("last month", "diesel")
        let query = try await ledger.query(month)
        #expect(query.period?.start == VanBench.date(2026, 10, 1, 0) && query.category == "fuel")
        _ = try await bench.stores.trips.start(
            Trip(destination: "Wales", start: VanBench.date(2026, 5, 1), end: VanBench.date(2026, 5, 8)))
        var trip = TypedQuery()
        trip.trip = "wales"
        #expect(try await ledger.query(trip).period?.end == VanBench.date(2026, 5, 8))
        (typed.from, typed.to) = ("3 November", "1 November")
        await #expect(throws: TypedRefusal("--to lies before --from.")) { try await ledger.query(typed) }
        typed.trip = "wales"
        await #expect(throws: TypedRefusal.self) { try await ledger.query(typed) }
    }

    @Test func budgets_areSetWithTheirCategory_andToldWithWhatIsLeft() async throws {
        let budgets = TypedBudgets(talk.conversation)
        try await bench.entry(.expense, 10_000, category: "groceries")
        #expect(try await budgets.set("£400 food").effects.count == 1)
        #expect(try await budgets.set("1,000").effects.count == 1)
        let all = try await budgets.all()
        #expect(all.map(\.budget.category) == [nil, "groceries"])
        #expect(all.map { $0.left?.minorUnits } == [90_000, 30_000] && all.map(\.percent) == [10, 25])
        #expect(budgets.daysLeft == 9)
        for words in ["lots", "50 fun", "0 food", "50 XXX food"] {
            do { #expect(try await budgets.set(words).effects.isEmpty) } catch is TypedRefusal {}
        }
        #expect(try await budgets.remove(category: "food").effects.count == 1)
        #expect(try await budgets.all().count == 1)
        _ = await talk.conversation.undo()
        #expect(try await budgets.all().count == 2)
    }
}
