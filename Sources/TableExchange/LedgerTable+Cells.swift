import Domain
import Foundation

/// How the cells of a ledger are read.
extension LedgerTableReader {
    package static func kind(_ cell: String?, _ words: TableWords.Ledger) throws -> LedgerEntry.Kind? {
        guard let cell = cell?.lowercased() else { return nil }
        if words.expense.contains(cell) { return .expense }
        if words.income.contains(cell) { return .income }
        throw BadCell("\(words.expense.first ?? "") or \(words.income.first ?? "")")
    }

    private static let symbols = ["£": "GBP", "€": "EUR", "$": "USD", "¥": "JPY"]

    package static func currency(_ cell: String) throws -> String {
        if let code = symbols[cell] { return code }
        let code = cell.uppercased()
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw BadCell("a currency’s three letters, such as EUR")
        }
        return code
    }

    /// The currency that stands in brackets behind a column’s name, as in “Amount (GBP)”.
    package static func currency(inBrackets unit: String) -> String? {
        if let code = symbols[unit] { return code }
        // In capitals only, and one that there is: “Amount (net)” names none.
        return Locale.commonISOCurrencyCodes.contains(unit) ? unit : nil
    }

    /// An amount with or without its currency: 12.50, £12.50, -1,234.50, (12.50), 12,50 €, CHF 12.50.
    package static func amount(
        _ cell: String, _ numbers: TableNumber, _ currency: String?, _ home: String
    ) throws -> (money: Money, isNegative: Bool) {
        guard let amount = try amount(cell, numbers, currency, home, isZeroNone: false) else {
            throw BadCell("an amount above zero")
        }
        return amount
    }

    package static func amount(
        _ cell: String, _ numbers: TableNumber, _ currency: String?, _ home: String, isZeroNone: Bool
    ) throws -> (money: Money, isNegative: Bool)? {
        var named: String?, body = cell[...]
        if cell.utf8.contains(where: { $0 >= 58 || $0 == 36 }) { (named, body) = try parted(cell) }
        if let named, let currency, named != currency {
            throw BadCell("\(currency), as the column for the currency says")
        }
        let code = named ?? currency ?? home
        let places = Money.exponent(of: code), digits = try numbers.money(body, places: places)
        let value = try TableNumber.scaled(digits, places: places, what: "an amount in \(code)")
        if value == 0, isZeroNone { return nil }
        guard value != 0 else { throw BadCell("an amount other than zero") }
        guard value.magnitude <= 1_000_000_000_000_000 else { throw BadCell("a smaller amount") }
        return (Money(minorUnits: Int64(value.magnitude), currency: code), value < 0)
    }

    /// An amount's currency, if it names one, and the rest.
    private static func parted(_ cell: String) throws -> (String?, Substring) {
        var name = "", rest = ""
        for character in cell {
            if character.isLetter || symbols[String(character)] != nil {
                name.append(character)
            } else {
                rest.append(character)
            }
        }
        rest = CSVCell.trimmed(rest)
        // -£12.50 leaves -12.50, and so does £-12.50.
        return (name.isEmpty ? nil : try currency(name), rest[...])
    }

    package static func litres(
        _ cell: String?, _ numbers: TableNumber, _ units: TableWords.Units
    ) throws -> Int64? {
        guard let cell else { return nil }
        let body = cell.prefix { !$0.isLetter }
        let unit = cell.dropFirst(body.count).lowercased()
        guard unit.isEmpty || units.litres.contains(unit) else {
            throw BadCell("a number of litres")
        }
        let value = try TableNumber.scaled(try numbers.measure(body), places: 3, what: "litres")
        guard value > 0, value <= 100_000_000 else { throw BadCell("litres above zero, or nothing") }
        return value
    }
}
