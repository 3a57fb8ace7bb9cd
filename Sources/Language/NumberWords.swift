import Configuration

/// The numerals of a language, read from its `numbers.yaml`: reads “two hundred and five point four” from tokens and
/// writes digits out as words, so that the rest of the language side knows one form only.
public struct NumberWords: Sendable {
    package let units: [String: Int]
    let tens: [String: Int]
    let hundred: Set<String>
    package let scales: [String: Int]
    package let and: String
    package let point: Set<String>
    package let minus: Set<String>
    /// In millionths.
    let fractions: [String: Int]
    package let ones: Set<String>
    /// In millionths.
    let collectives: [String: Int]
    /// What may stand behind a collective: “a couple of hundred”.
    let links: Set<String>
    private let unitNames: [Int: String]
    private let tenNames: [Int: String]
    private let scaleNames: [(value: Int, name: String)]

    package init(_ root: ConfigurationNode) throws {
        let keys = [
            "units", "tens", "hundred", "scales", "and", "point", "minus", "fractions", "ones", "collectives",
            "links",
        ]
        let nodes = try root.entries(allowed: keys)
        func node(_ key: String) throws -> ConfigurationNode {
            guard let node = nodes[key] else { throw root.error("“\(key)” is missing") }
            return node
        }
        // The first word listed for a value is the one that is written.
        func table(_ key: String) throws -> (values: [String: Int], names: [Int: String]) {
            var values: [String: Int] = [:], names: [Int: String] = [:]
            for (word, value) in try node(key).entries() {
                values[word] = try value.int()
                names[try value.int()] = names[try value.int()] ?? word
            }
            return (values, names)
        }
        func millionths(_ key: String) throws -> [String: Int] {
            try Dictionary(
                uniqueKeysWithValues: node(key).entries().map {
                    ($0.key, Int((try $0.value.double() * 1_000_000).rounded()))
                })
        }
        (units, unitNames) = try table("units")
        (tens, tenNames) = try table("tens")
        let scaleTable = try table("scales")
        scales = scaleTable.values
        scaleNames = scaleTable.names.map { ($0.key, $0.value) }.sorted { $0.value > $1.value }
        hundred = Set(try node("hundred").strings())
        and = try node("and").string()
        point = Set(try node("point").strings())
        let minuses = try node("minus").strings()
        guard let first = minuses.sorted().first else { throw try node("minus").error("at least one word is expected") }
        minus = Set(minuses)
        minusWord = first
        fractions = try millionths("fractions")
        ones = Set(try node("ones").strings())
        collectives = try millionths("collectives")
        links = Set(try nodes["links"]?.strings() ?? [])
    }

    /// The word for a minus sign.
    let minusWord: String

    /// Every word that can occur in a number.
    var allWords: Set<String> {
        Set(units.keys).union(tens.keys).union(hundred).union(scales.keys).union(point)
    }

    // MARK: reading

    /// The longest number that begins at `start`, decimals and halves included.
    /// - Returns: the index behind it and its value; nil when no number begins there.
    package func number(in words: [String], at start: Int) -> (end: Int, value: Double)? {
        exact(in: words, at: start).map { ($0.end, Double($0.millionths) / 1_000_000) }
    }

    /// As `number`, in whole millionths: money is never reckoned in floating point.
    package func exact(in words: [String], at start: Int) -> (end: Int, millionths: Int)? {
        var index = start
        let negative = index < words.count && minus.contains(words[index])
        if negative { index += 1 }
        guard let (end, value) = unsigned(in: words, at: index) else { return nil }
        return (end, negative ? -value : value)
    }

    private func unsigned(in words: [String], at start: Int) -> (end: Int, millionths: Int)? {
        if let fraction = fraction(in: words, at: start) { return scaled(fraction, words) }
        guard start < words.count else { return nil }
        if point.contains(words[start]) { return decimals(in: words, at: start, after: 0) }
        let first = ones.contains(words[start]) ? start + 1 : start
        if first < words.count, let collective = collectives[words[first]] {
            return scaled((first + 1, collective), words)
        }
        guard let (end, value) = cardinal(in: words, at: start) else { return nil }
        // The largest scale ends below ten to the twelfth; a language with larger ones stops here.
        let whole = min(value, 1_000_000_000_000) * 1_000_000
        if let decimal = decimals(in: words, at: end, after: whole) { return scaled(decimal, words) }
        if end < words.count, words[end] == and, let half = fraction(in: words, at: end + 1) {
            return scaled((half.end, whole + half.millionths), words)
        }
        return (end, whole)
    }

    /// “A couple of hundred”, “half a thousand”, “one and a half thousand”, “two point five thousand”: what stands
    /// before a hundred or a scale and is no numeral that belongs to it.
    private func scaled(_ number: (end: Int, millionths: Int), _ words: [String]) -> (end: Int, millionths: Int) {
        var index = number.end
        if index < words.count, links.contains(words[index]) { index += 1 }
        if index < words.count, ones.contains(words[index]) { index += 1 }
        guard index < words.count, number.millionths <= 1_000_000_000,
            let scale = hundred.contains(words[index]) ? 100 : scales[words[index]]
        else { return number }
        return (index + 1, number.millionths * scale)
    }

    /// “half”, “a half”, “three quarters”.
    private func fraction(in words: [String], at start: Int) -> (end: Int, millionths: Int)? {
        guard start < words.count else { return nil }
        if let value = fractions[words[start]] { return (start + 1, value) }
        guard start + 1 < words.count, let value = fractions[words[start + 1]] else { return nil }
        if ones.contains(words[start]) { return (start + 2, value) }
        if let count = units[words[start]], count < 10 { return (start + 2, count * value) }
        return nil
    }

    /// “point two five”: digit by digit, or one two-digit number.
    private func decimals(in words: [String], at start: Int, after whole: Int) -> (end: Int, millionths: Int)? {
        guard start < words.count, point.contains(words[start]) else { return nil }
        var index = start + 1, digits: [Int] = []
        while index < words.count, let digit = units[words[index]], digit < 10 {
            digits.append(digit)
            index += 1
        }
        if digits.isEmpty, let (end, value) = underHundred(in: words, at: index) {
            digits = value < 10 ? [value] : [value / 10, value % 10]
            index = end
        }
        guard !digits.isEmpty else { return nil }
        // Beyond millionths nothing in a van is told apart.
        let value = (0..<6).reduce(0) { sum, place in sum * 10 + (place < digits.count ? digits[place] : 0) }
        return (index, whole + value)
    }

    /// A whole number below ten to the fifteenth.
    func cardinal(in words: [String], at start: Int) -> (end: Int, value: Int)? {
        var index = start, total = 0, limit = Int.max, found = false
        while index < words.count {
            var next = index
            if found, words[next] == and { next += 1 }
            guard let (end, value) = underThousand(in: words, at: next) else { break }
            if end < words.count, let scale = scales[words[end]], scale < limit {
                total += value * scale
                limit = scale
                index = end + 1
                found = true
            } else {
                // A second number without a scale is no part of the first (“twelve forty five”), except behind a scale.
                guard !found || limit < Int.max else { break }
                return (end, total + value)
            }
        }
        return found ? (index, total) : nil
    }

    private func underThousand(in words: [String], at start: Int) -> (end: Int, value: Int)? {
        guard start < words.count else { return nil }
        var head: (end: Int, value: Int)?
        if ones.contains(words[start]), start + 1 < words.count,
            hundred.contains(words[start + 1]) || scales[words[start + 1]] != nil
        {
            head = (start + 1, 1)
        }
        guard let (end, value) = head ?? underHundred(in: words, at: start) else { return nil }
        guard end < words.count, hundred.contains(words[end]) else { return (end, value) }
        let index = end + 1
        if let (last, rest) = underHundred(in: words, at: index) { return (last, value * 100 + rest) }
        if index < words.count, words[index] == and, let (last, rest) = underHundred(in: words, at: index + 1) {
            return (last, value * 100 + rest)
        }
        return (index, value * 100)
    }

    /// Zero to ninety-nine.
    func underHundred(in words: [String], at start: Int) -> (end: Int, value: Int)? {
        guard start < words.count else { return nil }
        if let ten = tens[words[start]] {
            if start + 1 < words.count, let unit = units[words[start + 1]], (1...9).contains(unit) {
                return (start + 2, ten + unit)
            }
            return (start + 1, ten)
        }
        return units[words[start]].map { (start + 1, $0) }
    }

    // MARK: writing

    /// A decimal numeral (`1250`, `12.5`) in words.
    package func words(forDigits whole: String, decimals: String) -> [String] {
        var result: [String]
        if let value = Int(whole), value < 1_000_000_000 {
            result = words(for: value)
        } else {
            result = whole.compactMap { $0.wholeNumberValue.flatMap { unitNames[$0] } }
        }
        if !decimals.isEmpty, let name = point.sorted().first {
            result.append(name)
            result += decimals.compactMap { $0.wholeNumberValue.flatMap { unitNames[$0] } }
        }
        return result
    }

    /// A whole number, at least 0, in words: 1205 is “one thousand two hundred and five”.
    package func words(for value: Int) -> [String] {
        if let name = unitNames[value] { return [name] }
        if value < 100 {
            let ten = value / 10 * 10
            return [tenNames[ten]].compactMap { $0 } + (value % 10 == 0 ? [] : words(for: value % 10))
        }
        if value < 1000 {
            let rest = value % 100
            return words(for: value / 100) + [hundred.sorted().first].compactMap { $0 }
                + (rest == 0 ? [] : [and] + words(for: rest))
        }
        guard let scale = scaleNames.first(where: { $0.value <= value }) else { return [] }
        let rest = value % scale.value
        let tail = rest == 0 ? [] : (rest < 100 ? [and] : []) + words(for: rest)
        return words(for: value / scale.value) + [scale.name] + tail
    }
}
