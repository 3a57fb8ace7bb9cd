@testable import Domain
@testable import Language
import Testing

/// Texts that are said in another way than they are shown.
@Suite struct WordingTests {
    private let price: Wording = "That's \(Wording(spoken: "3 pounds 50", written: "£3.50")) in all."

    @Test func bothForms_areWhole() {
        #expect(price.spoken == "That's 3 pounds 50 in all.")
        #expect(price.written == "That's £3.50 in all.")
        #expect("\(price)" == price.written)
    }

    @Test func equalTexts_areEqual_howeverTheyWerePutTogether() {
        #expect(Wording("ab") == "a" + "" + "b")
        #expect(price != Wording(price.written))
        #expect(Wording("").isEmpty && Wording().isEmpty && !price.isEmpty)
    }

    @Test(
        arguments: [
            (0..<6, "That's"), (7..<8, "£3.50"), (9..<15, "£3.50"), (16..<18, "£3.50"), (19..<21, "in"),
            (22..<26, "all."), (0..<26, "That's £3.50 in all."), (16..<21, "£3.50 in"), (26..<26, ""), (40..<50, ""),
        ] as [(Range<Int>, String)])
    func whatIsSaid_hasItsPlaceInWhatIsShown(spoken: Range<Int>, shown: String) {
        let place = price.writtenRange(ofSpoken: spoken)
        let written = Array(price.written)
        #expect(place.upperBound <= written.count)
        #expect(String(written[place]) == shown)
    }

    @Test func sentencesAreChanged_inBothForms() {
        #expect(Wording("the end.").capitalisedFirst == "The end.")
        #expect(Wording("The end.").loweredFirst.withoutFullStop == "the end")
        #expect(price.withoutFullStop.written == "That's £3.50 in all")
        let parts = [price, Wording("Good.")].joined(separator: " ")
        #expect(parts.spoken == price.spoken + " Good.")
        #expect([Wording]().joined(separator: ", ").isEmpty)
    }

    @Test(
        arguments: [
            (5_000, "GBP", "£50.00"), (1_245, "GBP", "£12.45"), (45, "GBP", "£0.45"), (5, "GBP", "£0.05"),
            (0, "GBP", "£0.00"), (-5_000, "GBP", "-£50.00"), (123_456_789, "EUR", "€1,234,567.89"),
            (100_000, "USD", "$1,000.00"), (99_999, "USD", "$999.99"), (500, "JPY", "¥500"),
            (12_345, "JPY", "¥12,345"), (1_234, "CHF", "CHF 12.34"), (1_500, "KWD", "KWD 1.500"),
            (.min, "GBP", "-£92,233,720,368,547,758.08"),
        ] as [(Int64, String, String)])
    func money_isShownInFigures(minor: Int64, currency: String, shown: String) {
        let forms = SpokenForms(replies: English.books.replies, words: English.books.words, calendar: VanBench.calendar)
        #expect(forms.money(Money(minorUnits: minor, currency: currency)).written == shown)
    }

    @Test func shares_areShownWithTheirSign() {
        let forms = SpokenForms(replies: English.books.replies, words: English.books.words, calendar: VanBench.calendar)
        #expect(forms.percent(80) == Wording(spoken: "80 percent", written: "80%"))
    }
}
