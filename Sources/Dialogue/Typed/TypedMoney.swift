import Domain
import Handlers
import Foundation

/// Amounts of money as a person writes them, in front of other words or behind them.
extension TypedValues {
    /// An amount, and the words that it left over.
    package struct MoneyAndRest {
        package var money: SlotValue
        package var rest: String
    }

    /// Amounts have no more words than these: “12 pounds fifty pence”.
    private static let mostWords = 4

    /// The amount at the beginning of a text, else at its end: “50 diesel”, “£12.50”, “12,50 EUR”, “lunch 8 euros”.
    /// - Returns: nil where there is none.
    /// - Throws: `TypedRefusal` where there may be two, and nobody can know which is meant; where its number is
    ///   malformed, or what stands beside it looks like the code of a currency and is none.
    package func money(in text: String) throws(TypedRefusal) -> MoneyAndRest? {
        guard let found = search(text) else {
            let typed = parted(text)
            // What may have been meant for an amount stands at either end.
            if let fault = TypedNumber.firstFault(in: Array(typed.prefix(2)) + typed.suffix(2)) { throw fault }
            try checkCurrency(beside: typed.indices.filter { typed[$0].contains(where: \.isNumber) }, typed)
            return nil
        }
        try TypedNumber.check(found.money.text)
        let rest = parted(found.rest)
        if case .money(_, nil) = found.money.content {
            let typed = parted(text)
            let place = typed.firstIndex(of: found.money.text)
            try checkCurrency(beside: place.map { [$0] } ?? [], typed)
        }
        // “2 quid 50” is £2.50 where it is spoken.
        let goesOn = found.money.text.contains(" ") && rest.first?.first?.isNumber == true
        let isSecond = rest.indices.contains { start in
            (1...2).contains { count in
                guard start + count <= rest.count, let other = amount(Array(rest[start..<start + count])) else {
                    return false
                }
                if case .money(_, _?) = other.content { return true }
                return false
            }
        }
        guard !goesOn, !isSecond else {
            throw TypedRefusal("“\(text)” may be read as two amounts; expected is one, such as £2.50.")
        }
        return found
    }

    /// - Throws: `TypedRefusal` where a word beside one of the `numbers` is in three capitals, and neither a currency
    ///   nor a word of the language, such as MOT.
    private func checkCurrency(beside numbers: [Int], _ typed: [String]) throws(TypedRefusal) {
        for place in numbers {
            for word in [place + 1, place - 1].filter(typed.indices.contains).map({ typed[$0] })
            where Self.looksLikeCode(word) && code(word) == nil && !isKnownWord(word) {
                throw TypedRefusal(
                    "“\(word)” is not a currency; expected is an ISO 4217 code, such as EUR or CHF. "
                        + "If it says what the money was for, write it in small letters.")
            }
        }
    }

    private static func looksLikeCode(_ word: String) -> Bool {
        word.count == 3 && word.allSatisfy { $0.isASCII && $0.isUppercase }
    }

    /// Whether a category or a source of income goes by the word, as repairs do by MOT.
    private func isKnownWord(_ word: String) -> Bool {
        [FinanceIntent.Slot.category, .source].contains { list in
            books.values(of: list.rawValue, in: FinanceHandler.name).keys.contains {
                $0.split(separator: " ").contains { $0 == word.lowercased() }
            }
        }
    }

    private func search(_ text: String) -> MoneyAndRest? {
        let typed = parted(text), most = min(typed.count, Self.mostWords)
        for count in (0...most).reversed() where count > 0 {
            if let amount = amount(Array(typed.prefix(count))) {
                return MoneyAndRest(money: amount, rest: typed.dropFirst(count).joined(separator: " "))
            }
        }
        for count in (0...most).reversed() where count > 0 {
            if let amount = amount(Array(typed.suffix(count))) {
                return MoneyAndRest(money: amount, rest: typed.dropLast(count).joined(separator: " "))
            }
        }
        return nil
    }

    /// An amount and nothing else.
    /// - Throws: `TypedRefusal` that names the field.
    package func money(_ text: String, _ field: String) throws(TypedRefusal) -> SlotValue {
        guard let found = try money(in: text), found.rest.isEmpty else {
            throw TypedRefusal("\(field): “\(text)” is no amount; expected such as 50, £12.50 or 12,50 EUR.")
        }
        return found.money
    }

    /// The words of a text; a currency's code that touches its number is parted from it.
    private func parted(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
            if let match = word.wholeMatch(of: /([-−]?[0-9][0-9.,]*)([A-Z]{3})/) {
                return [String(match.1), String(match.2)]
            }
            if let match = word.wholeMatch(of: /([A-Z]{3})([0-9][0-9.,]*)/) {
                return [String(match.1), String(match.2)]
            }
            return [String(word)]
        }
    }

    /// What the words mean as one amount. Beyond one word they have to end in a word: two numbers side by side are read
    /// as one where they are spoken (“twelve forty five”), but “40 2 beers” is no 42.
    private func amount(_ typed: [String]) -> SlotValue? {
        let text = typed.joined(separator: " ")
        if typed.count == 2, let code = typed.first(where: { code($0) != nil }).flatMap(code) {
            return amount(typed.filter { self.code($0) == nil }.joined(separator: " "), in: code)
        }
        guard typed.count == 1 || typed.last?.contains(where: \.isNumber) == false else { return nil }
        guard let content = content(text), case .money(_, let currency) = content else { return nil }
        guard typed.count == 1 || currency != nil else { return nil }
        return SlotValue(text: text, content: content)
    }

    /// A bare number in a currency that its code names.
    private func amount(_ number: String, in code: String) -> SlotValue? {
        guard case .money(let minor, nil)? = content(number) else { return nil }
        let money = EntryKeeper.sameNumber(Money(minorUnits: minor, currency: "GBP"), in: code)
        return SlotValue(
            text: "\(number) \(code)", content: .money(minorUnits: money.minorUnits, currency: money.currency))
    }

    private func content(_ text: String) -> SlotValue.Content? {
        let words = words(text)
        guard !words.isEmpty else { return nil }
        return books.measures.money(in: words, at: 0, numbers: books.normaliser.numbers)
            .first { $0.end == words.count }?.content
    }

    /// A currency's code: in capitals, or the one at home.
    private func code(_ word: String) -> String? {
        if word.lowercased() == homeCurrency.lowercased() { return homeCurrency }
        guard Self.looksLikeCode(word) else { return nil }
        let isKnown = books.measures.currencies.contains { $0.code == word }
        return isKnown || Locale.commonISOCurrencyCodes.contains(word) ? word : nil
    }
}
