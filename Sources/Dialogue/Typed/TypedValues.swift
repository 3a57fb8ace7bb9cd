import Domain
import Language
import Handlers
import Foundation

/// Reads amounts, days and measures as a person writes them, with what reads them from speech: the whole text, or it is
/// refused.
package struct TypedValues: Sendable {
    package let books: Phrasebooks
    package let homeCurrency: String

    package init(_ context: HandlerContext) {
        books = context.books
        homeCurrency = context.homeCurrency
    }

    private var numbers: NumberWords { books.normaliser.numbers }

    /// The canonical words of a text.
    package func words(_ text: String) -> [String] { books.normaliser.normalise(text).tokens.map(\.text) }

    // MARK: days

    /// A day or a stretch of time: “yesterday”, “3 May”, “last month”, or 2026-05-03.
    /// - Throws: `TypedRefusal` that names the field.
    package func period(_ text: String, _ field: String) throws(TypedRefusal) -> SlotValue {
        if let date = Self.isoDate(text) { return SlotValue(text: text, content: .period(date)) }
        let words = words(text)
        let whole = words.isEmpty ? nil : books.measures.periods(in: words, at: 0).first { $0.end == words.count }
        guard let whole else {
            throw TypedRefusal(
                "\(field): “\(text)” is no date; expected such as yesterday, 3 May, last Monday or 2026-05-03.")
        }
        return SlotValue(text: text, content: whole.content)
    }

    /// The time of a day or a stretch of time.
    /// - Throws: `TypedRefusal` that names the field, also for what the calendar does not have.
    package func interval(_ text: String, _ field: String, _ context: HandlerContext) throws(TypedRefusal)
        -> DateInterval
    {
        let interval = try period(text, field).period?.interval(now: context.now(), calendar: context.calendar)
        guard let interval else { throw TypedRefusal("\(field): the calendar has no “\(text)”.") }
        return interval
    }

    /// As ISO 8601 writes a day.
    private static func isoDate(_ text: String) -> Period? {
        let match = text.wholeMatch(of: /\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*/)
        guard let match, let year = Int(match.1), let month = Int(match.2), let day = Int(match.3) else { return nil }
        return Period(unit: .date, offset: month, day: day, year: year)
    }

    // MARK: measures

    /// - Throws: `TypedRefusal` that names the field, where a number is malformed.
    private func number(_ text: String, _ field: String) throws(TypedRefusal) {
        do { try TypedNumber.check(text) } catch { throw TypedRefusal("\(field): \(error.description)") }
    }

    /// What an odometer reads, under the slots that a command has for it: a bare number, or one with its unit.
    /// - Throws: `TypedRefusal` that names the field.
    package func odometer(_ text: String, _ field: String) throws(TypedRefusal) -> [TravelIntent.Slot: SlotValue] {
        try number(text, field)
        let words = words(text)
        if !words.isEmpty {
            let said = books.measures.measure(.distance, in: words, at: 0, numbers: numbers, allowsBare: false)
            if let whole = said.first(where: { $0.end == words.count }) {
                return [.odometer: SlotValue(text: text, content: whole.content)]
            }
            if let (end, value) = numbers.number(in: words, at: 0), end == words.count {
                return [.reading: SlotValue(text: text, content: .number(value))]
            }
        }
        throw TypedRefusal("\(field): “\(text)” is no reading; expected such as 84210, 84,210 km or 52,300 miles.")
    }

    /// A measure with its unit, or a bare number in the canonical one.
    /// - Throws: `TypedRefusal` that names the field and gives an `example`.
    package func measure(_ kind: SlotKind, _ text: String, _ field: String, _ example: String) throws(TypedRefusal)
        -> Double
    {
        try number(text, field)
        // A letter that stands alone is no unit where it is spoken: “300 g” is read as “300g”.
        let joined = text.replacing(/([0-9])\s+([A-Za-z]+)\s*$/) { "\($0.output.1)\($0.output.2)" }
        let whole = [text, joined].lazy.compactMap { text -> Double? in
            let words = words(text)
            guard !words.isEmpty else { return nil }
            let said = books.measures.measure(kind, in: words, at: 0, numbers: numbers, allowsBare: true)
            guard case .measure(let value)? = said.first(where: { $0.end == words.count })?.content else { return nil }
            return value
        }.first
        guard let whole else {
            throw TypedRefusal("\(field): “\(text)” makes no sense; expected such as \(example).")
        }
        return whole
    }
}
