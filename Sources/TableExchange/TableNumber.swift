/// How a file writes numbers, and numbers read by it.
package struct TableNumber: Sendable, Equatable {
    /// What stands before the decimals.
    package enum Mark: Sendable { case point, comma }

    /// Where a number stands that can be read in one way only.
    package struct Sight: Sendable, Equatable {
        package let line: Int
        package let column: String
        package let cell: String
    }

    /// The first numbers that can only be read with a point, and with a comma.
    package private(set) var point: Sight?, comma: Sight?
    /// What parts the cells of the file.
    private let separator: UInt8

    /// The mark that the file's numbers show; nil where none does.
    package var mark: Mark? { point != nil ? .point : comma != nil ? .comma : nil }

    /// Numbers of a file whose cells `separator` parts.
    package init(separator: UInt8 = 44) { self.separator = separator }

    /// Takes a look at a number.
    package mutating func look(at cell: String, line: Int, column: String) {
        guard point == nil || comma == nil else { return }
        let bytes = cell.utf8
        guard bytes.contains(44) || bytes.contains(46) else { return }
        switch Self.evidence(bytes) {
        case .point: point = point ?? Sight(line: line, column: column, cell: String(cell.prefix(60)))
        case .comma: comma = comma ?? Sight(line: line, column: column, cell: String(cell.prefix(60)))
        case nil: break
        }
    }

    /// The mark of one number by itself: the last one where both occur, or one that does not part three digits, or
    /// parts them from a zero, with which no thousands begin.
    private static func evidence(_ bytes: some Sequence<UInt8>) -> Mark? {
        var last: UInt8?, behind = 0, before = 0, kinds = Set<UInt8>(), count = 0, lead: UInt8?
        for byte in bytes {
            if byte == 44 || byte == 46 {
                if last == nil { before = behind }
                last = byte
                kinds.insert(byte)
                count += 1
                behind = 0
            } else if (48...57).contains(byte) {
                lead = lead ?? byte
                behind += 1
            }
        }
        guard let last else { return nil }
        let mark: Mark = last == 44 ? .comma : .point
        if kinds.count == 2 { return mark }
        // 1,234,567: one mark cannot stand twice before decimals.
        if count > 1 { return mark == .comma ? .point : .comma }
        return behind == 3 && (1...3).contains(before) && lead != 48 ? nil : mark
    }

    /// A number as its sign, its digits, and how many of them are decimals.
    package struct Digits: Equatable {
        var isNegative = false
        package var value: Int64 = 0
        package var decimals = 0
    }

    /// Reads digits with thousands and decimals, with a sign before or behind it, or in brackets.
    package func digits(_ text: Substring, by given: Mark? = nil) throws -> Digits {
        var result = Digits(), body = text, isSeen = false, hasDecimals = false
        let mark: UInt8 = (given ?? self.mark ?? .point) == .point ? 46 : 44
        let groups: UInt8 = mark == 46 ? 44 : 46
        if body.first == "(", body.last == ")" {
            result.isNegative = true
            body = body.dropFirst().dropLast()
        }
        if let sign = body.first, sign == "-" || sign == "\u{2212}" || sign == "+" {
            result.isNegative = result.isNegative != (sign != "+")
            body = body.dropFirst()
        } else if body.last == "-" {
            result.isNegative.toggle()
            body = body.dropLast()
        }
        for scalar in body.unicodeScalars {
            switch scalar.value {
            case 48...57:
                isSeen = true
                let (product, tooMuch) = result.value.multipliedReportingOverflow(by: 10)
                let (sum, over) = product.addingReportingOverflow(Int64(scalar.value) - 48)
                if tooMuch || over { throw BadCell("a smaller number") }
                result.value = sum
                if hasDecimals { result.decimals += 1 }
            case UInt32(mark) where !hasDecimals: hasDecimals = true
            // Thousands are parted by the other mark, by spaces, or by an apostrophe.
            case UInt32(groups) where !hasDecimals && isSeen: break
            case 32, 0xA0, 0x2009, 0x202F, 39, 0x2019: break
            default: throw BadCell("a number such as 12\(mark == 46 ? "." : ",")50")
            }
        }
        guard isSeen else { throw BadCell("a number") }
        return result
    }

    /// As `digits`, of weights and volumes: these have three decimals as easily as thousands, and a thousandfold amount
    /// would go unnoticed. What can be read either way is read by the file's other numbers, else by what parts its
    /// cells, else not at all.
    /// - Parameter isWhole: whether no decimals are expected, as in grams.
    package func measure(_ text: Substring, isWhole: Bool = false) throws -> Digits {
        let hasComma = text.utf8.contains(44)
        guard mark == nil, hasComma || text.utf8.contains(46), Self.evidence(text.utf8) == nil else {
            return try digits(text)
        }
        // Where commas part the cells, none stands before decimals; spreadsheets part them with semicolons there.
        if separator == 44, hasComma || !isWhole { return try digits(text, by: .point) }
        if separator == 59, hasComma, !isWhole { return try digits(text, by: .comma) }
        if separator != 59, !hasComma, !isWhole { return try digits(text, by: .point) }
        let bare = CSVCell.trimmed(String(text).filter { $0 != "," && $0 != "." })
        throw BadCell(
            "a number that can be read in one way only, such as \(bare)"
                + (isWhole ? "" : ", or \(CSVCell.trimmed(String(text)))0 for decimals"))
    }

    /// As `digits`, of money with so many decimals. 1,250 is thousands where money has two; 1.000 is no pound where a
    /// file may write its thousands so.
    package func money(_ text: Substring, places: Int) throws -> Digits {
        if places == 3 { return try measure(text) }
        if mark == nil, text.utf8.contains(46), Self.evidence(text.utf8) == nil {
            let bare = CSVCell.trimmed(String(text).filter { $0 != "." })
            throw BadCell("an amount that can be read in one way only, such as \(bare), or with two decimals")
        }
        return try digits(text)
    }

    /// A number in units of ten to the minus `places`; what does not fit into them is refused, but for zeros.
    package static func scaled(_ digits: Digits, places: Int, what: String) throws -> Int64 {
        var value = digits.value, decimals = digits.decimals
        while decimals > places {
            guard value.isMultiple(of: 10) else {
                throw BadCell("\(what) with at most \(places) decimal\(places == 1 ? "" : "s")")
            }
            value /= 10
            decimals -= 1
        }
        while decimals < places {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            if overflows { throw BadCell("a smaller number") }
            value = product
            decimals += 1
        }
        return digits.isNegative ? -value : value
    }
}
