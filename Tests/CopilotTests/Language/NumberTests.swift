@testable import Domain
@testable import Language
import Foundation
import Testing

/// Numbers, money, measures and periods.
@Suite struct NumberTests {
    private let numbers = English.books.normaliser.numbers
    private let measures = English.books.measures

    private func read(_ text: String) -> Double? {
        let words = English.books.normaliser.normalise(text).tokens.map(\.text)
        guard let (end, value) = numbers.number(in: words, at: 0), end == words.count else { return nil }
        return value
    }

    private func money(_ text: String) -> String? {
        let words = English.books.normaliser.normalise(text).tokens.map(\.text)
        let found = measures.money(in: words, at: 0, numbers: numbers).first { $0.end == words.count }
        guard case .money(let minor, let currency)? = found?.content else { return nil }
        return "\(minor) \(currency ?? "?")"
    }

    private func measure(_ kind: SlotKind, _ text: String, bare: Bool = false) -> Double? {
        let words = English.books.normaliser.normalise(text).tokens.map(\.text)
        let found = measures.measure(kind, in: words, at: 0, numbers: numbers, allowsBare: bare)
        guard case .measure(let value)? = found.first(where: { $0.end == words.count })?.content else { return nil }
        return value
    }

    @Test func everyNumberUpToTenThousand_isReadAsItIsWritten() {
        for value in 0...10_000 {
            let words = numbers.words(for: value)
            #expect(numbers.number(in: words, at: 0)?.value == Double(value), "\(words)")
            #expect(numbers.number(in: words, at: 0)?.end == words.count, "\(words)")
        }
    }

    @Test func numbersUpToAMillion_areReadAsTheyAreWritten() {
        var random = SeededGenerator(seed: 7)
        let edges = [99_999, 100_000, 100_001, 100_100, 110_000, 123_456, 200_013, 900_909, 999_999, 1_000_000]
        for value in edges + (0..<4_000).map({ _ in Int.random(in: 10_000...1_000_000, using: &random) }) {
            let words = numbers.words(for: value)
            let found = numbers.number(in: words, at: 0)
            #expect(found?.value == Double(value) && found?.end == words.count, "\(words)")
            #expect(read("\(value)") == Double(value))
        }
    }

    @Test(arguments: [
        ("twelve point five", 12.5), ("three point one four", 3.14), ("point five", 0.5), ("2.75", 2.75), ("half", 0.5),
        ("a half", 0.5), ("three quarters", 0.75), ("two and a half", 2.5), ("a dozen", 12), ("a couple", 2),
        ("a hundred", 100), ("a thousand and one", 1_001), ("twelve hundred", 1_200), ("two grand", 2_000),
        ("a couple of hundred", 200), ("a couple of grand", 2_000), ("half a grand", 500),
        ("two point five thousand", 2_500),
        ("one and a half grand", 1_500), ("minus four", -4), ("one hundred and five", 105), ("one hundred five", 105),
        ("nought", 0), ("1,250", 1_250),
        ("two hundred and five thousand and six", 205_006), ("ten point twenty five", 10.25),
    ])
    func spokenNumbers_areRead(text: String, value: Double) { #expect(read(text) == value) }

    @Test(arguments: ["", "and", "point", "hundred", "twelve forty five", "the", "minus", "five and"])
    func whatIsNoNumber_isNone(text: String) { #expect(read(text) == nil) }

    @Test func whateverWordsCome_readingEnds_andNeverOverruns() {
        var random = SeededGenerator(seed: 3)
        let pieces = numbers.allWords.sorted() + ["and", "a", "minus", "half", "dozen", "billion", "the"]
        for _ in 0..<20_000 {
            let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            if let (end, value) = numbers.number(in: words, at: 0) {
                #expect((1...words.count).contains(end))
                #expect(value.isFinite)
            }
            for found in measures.money(in: words, at: 0, numbers: numbers) { #expect(found.end <= words.count) }
        }
    }

    @Test(arguments: [
        ("£50", "5000 GBP"), ("fifty pounds", "5000 GBP"), ("fifty quid", "5000 GBP"), ("50 GBP", "5000 GBP"),
        ("50 pounds", "5000 GBP"), ("£12.45", "1245 GBP"), ("twelve pounds forty five", "1245 GBP"),
        ("twelve pounds and forty five pence", "1245 GBP"), ("twelve forty five", "1245 ?"), ("45p", "45 GBP"),
        ("forty five pence", "45 GBP"), ("a fiver", "500 GBP"), ("two tenners", "2000 GBP"),
        ("twenty euros", "2000 EUR"),
        ("€20", "2000 EUR"), ("20€", "2000 EUR"), ("$5", "500 USD"), ("fifty", "5000 ?"), ("-£3", "-300 GBP"),
        ("minus fifty pounds", "-5000 GBP"), ("£-3", "-300 GBP"), ("£1,250.50", "125050 GBP"), ("£3.05", "305 GBP"),
        ("twelve and a half pounds", "1250 GBP"), ("a hundred quid", "10000 GBP"), ("£0.99", "99 GBP"),
        ("a couple of hundred quid", "20000 GBP"), ("a couple of quid", "200 GBP"), ("a tenner", "1000 GBP"),
        ("three pounds five", "305 GBP"), ("£5k", "500000 GBP"), ("ninety nine p", "99 GBP"),
        ("twelve euros fifty", "1250 EUR"), ("12 euros 50", "1250 EUR"), ("a hundred and five", "10500 ?"),
        ("two grand", "200000 ?"), ("a grand", "100000 ?"), ("two grand sterling", "200000 GBP"),
        ("about fifty quid", "5000 GBP"), ("fifty odd quid", "5000 GBP"), ("fifty-odd euros", "5000 EUR"),
        ("twelve oh five", "1205 ?"), ("twelve pounds oh five", "1205 GBP"), ("a fiver", "500 GBP"),
        ("€1.250,50", "125050 EUR"), ("1.250,50 €", "125050 EUR"), ("€1,50", "150 EUR"), ("£1,250", "125000 GBP"),
        ("50 €", "5000 EUR"), ("0.1 pounds", "10 GBP"), ("1.005 pounds", "101 GBP"),
        ("nine hundred ninety nine billion pounds", "99900000000000 GBP"), ("thirty CHF", "3000 CHF"),
    ])
    func moneyIsUnderstood_howeverItIsSaid(text: String, amount: String) { #expect(money(text) == amount) }

    @Test(arguments: ["half", "a half", "three quarters"])
    func aShareOfSomething_isNoAmount(text: String) { #expect(money(text) == nil) }

    @Test(arguments: [
        (SlotKind.percent, "fifty percent", 50.0), (.percent, "50%", 50), (.temperature, "21 degrees", 21),
        (.temperature, "21°C", 21), (.temperature, "70 degrees fahrenheit", 21.11),
        (.temperature, "minus four degrees", -4),
        (.mass, "2.5kg", 2_500), (.mass, "three kilos", 3_000), (.mass, "500 grams", 500), (.volume, "45 litres", 45),
        (.volume, "500ml", 0.5), (.volume, "ten gallons", 45.46), (.distance, "100 km", 100),
        (.distance, "ten miles", 16.09),
        (.duration, "ten minutes", 600), (.duration, "two and a half hours", 9_000), (.duration, "two days", 172_800),
    ])
    func measures_comeInTheirCanonicalUnit(kind: SlotKind, text: String, value: Double) throws {
        let found = try #require(measure(kind, text))
        #expect(abs(found - value) < 0.01)
    }

    @Test func aBareNumber_isAMeasureOnlyWhereTheSlotSaysSo() {
        #expect(measure(.percent, "fifty") == nil)
        #expect(measure(.percent, "fifty", bare: true) == 50)
    }

    // MARK: periods

    @Test(arguments: [
        ("today", "2026-11-21", "2026-11-22"), ("yesterday", "2026-11-20", "2026-11-21"),
        ("the day before yesterday", "2026-11-19", "2026-11-20"), ("tomorrow", "2026-11-22", "2026-11-23"),
        ("this week", "2026-11-16", "2026-11-23"), ("last week", "2026-11-09", "2026-11-16"),
        ("this month", "2026-11-01", "2026-12-01"), ("last month", "2026-10-01", "2026-11-01"),
        ("this year", "2026-01-01", "2027-01-01"), ("last year", "2025-01-01", "2026-01-01"),
        ("on monday", "2026-11-16", "2026-11-17"), ("saturday", "2026-11-21", "2026-11-22"),
        ("last sunday", "2026-11-15", "2026-11-16"), ("in november", "2026-11-01", "2026-12-01"),
        ("in december", "2025-12-01", "2026-01-01"), ("in the last thirty days", "2026-10-23", "2026-11-22"),
        ("over the past week", "2026-11-15", "2026-11-22"),
        ("three days ago", "2026-11-18", "2026-11-19"), ("a week ago", "2026-11-14", "2026-11-15"),
        ("a couple of weeks ago", "2026-11-07", "2026-11-08"), ("two months ago", "2026-09-01", "2026-10-01"),
        ("on the third of may", "2026-05-03", "2026-05-04"), ("May third", "2026-05-03", "2026-05-04"),
        ("on 3 May", "2026-05-03", "2026-05-04"), ("on May 3rd", "2026-05-03", "2026-05-04"),
        ("on the 3rd of May 2025", "2025-05-03", "2025-05-04"), ("on december 3rd", "2025-12-03", "2025-12-04"),
        ("on the twenty first of october", "2026-10-21", "2026-10-22"), ("on the fifth", "2026-11-05", "2026-11-06"),
        ("on the 30th", "2026-10-30", "2026-10-31"), ("on the 29th of february", "2024-02-29", "2024-03-01"),
        ("this weekend", "2026-11-21", "2026-11-23"), ("last weekend", "2026-11-14", "2026-11-16"),
        ("last saturday", "2026-11-14", "2026-11-15"), ("next friday", "2026-11-27", "2026-11-28"),
        ("this quarter", "2026-10-01", "2027-01-01"), ("last quarter", "2026-07-01", "2026-10-01"),
        ("in 2025", "2025-01-01", "2026-01-01"), ("in twenty twenty five", "2025-01-01", "2026-01-01"),
        ("in march 2025", "2025-03-01", "2025-04-01"), ("the last two weeks", "2026-11-08", "2026-11-22"),
        ("in the last three months", "2026-08-21", "2026-11-22"), ("in the past 10 days", "2026-11-12", "2026-11-22"),
        ("since monday", "2026-11-16", "2026-11-22"), ("since the first of june", "2026-06-01", "2026-11-22"),
        ("since march", "2026-03-01", "2026-11-22"), ("since yesterday", "2026-11-20", "2026-11-22"),
        ("between march and may", "2026-03-01", "2026-06-01"), ("from monday to wednesday", "2026-11-16", "2026-11-19"),
        ("between november and march", "2025-11-01", "2026-04-01"), ("at christmas", "2025-12-25", "2025-12-26"),
        ("from the first of june to the third of july", "2026-06-01", "2026-07-04"),
        ("last night", "2026-11-20", "2026-11-21"), ("a fortnight ago", "2026-11-07", "2026-11-08"),
        ("the week before last", "2026-11-02", "2026-11-09"),
    ])
    func aPeriod_isItsDays(text: String, start: String, end: String) throws {
        let interval = try #require(period(text)?.interval(now: VanBench.now, calendar: VanBench.calendar))
        #expect(day(interval.start) == start)
        #expect(day(interval.end) == end)
    }

    @Test(arguments: [
        "on the thirty first of february", "between march 2025 and march 2024", "since the thirtieth of february",
    ])
    func whatTheCalendarLacks_hasNoInterval(text: String) throws {
        let found = try #require(period(text))
        #expect(found.unit != .all)
        #expect(found.interval(now: VanBench.now, calendar: VanBench.calendar) == nil)
    }

    @Test func whateverPeriodIsDrawn_isReadToItsEnd_inEveryWeekOfTheYear() throws {
        for week in 0..<53 {
            let now = VanBench.date(2027, 1, 1 + 7 * week, 23, 59)
            for unit in Period.Unit.allCases where unit != .all {
                let bounds = [Period(unit: .day, offset: -3), Period(unit: .day, offset: 0)]
                let period = Period(unit: unit, offset: unit == .yearNumber ? 2027 : 2, day: 2, bounds: bounds)
                let interval = try #require(period.interval(now: now, calendar: VanBench.calendar), "\(unit)")
                #expect(interval.duration >= 23 * 3_600, "\(unit)")
            }
        }
    }

    @Test func allTime_hasNoInterval() {
        #expect(period("in total")?.unit == .all)
        #expect(period("in total")?.interval(now: VanBench.now, calendar: VanBench.calendar) == nil)
    }

    @Test func periods_holdAcrossTheEndsOfMonthsAndYears() throws {
        let newYear = VanBench.date(2027, 1, 1, 0, 30)
        let yesterday = try #require(period("yesterday")?.interval(now: newYear, calendar: VanBench.calendar))
        #expect(day(yesterday.start) == "2026-12-31")
        let lastMonth = try #require(
            period("last month")?.interval(now: VanBench.date(2026, 3, 31), calendar: VanBench.calendar))
        #expect(day(lastMonth.start) == "2026-02-01")
        let march = try #require(
            period("in february")?.interval(now: VanBench.date(2026, 3, 31), calendar: VanBench.calendar))
        #expect(day(march.start) == "2026-02-01")
        // The clocks went forward on 29 March 2026: the day has 23 hours.
        let short = try #require(
            period("today")?.interval(now: VanBench.date(2026, 3, 29), calendar: VanBench.calendar))
        #expect(short.duration == 23 * 3_600)
    }

    private func period(_ text: String) -> Period? {
        let routing = English.router.route("how much did i spend \(text)")
        return routing.chosen?.slots["period"]?.period
    }

    private func day(_ date: Date) -> String {
        let parts = VanBench.calendar.dateComponents([.year, .month, .day], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
    }
}
