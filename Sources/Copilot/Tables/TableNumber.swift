/// How a file writes numbers, and numbers read by it.
struct TableNumber: Sendable, Equatable {
    /// What stands before the decimals.
    enum Mark: Sendable { case point, comma }

    /// The first lines that can only be read with a point, and with a comma.
    private(set) var pointLine: Int?, commaLine: Int?

    /// The mark that the file uses; nil where nothing tells.
    var mark: Mark? { pointLine != nil ? .point : commaLine != nil ? .comma : nil }

    /// Takes a look at a number.
    mutating func look(at cell: String, line: Int) {
        guard pointLine == nil || commaLine == nil else { return }
        let bytes = cell.utf8
        guard bytes.contains(44) || bytes.contains(46) else { return }
        switch Self.evidence(bytes) {
        case .point: pointLine = pointLine ?? line
        case .comma: commaLine = commaLine ?? line
        case nil: break
        }
    }

    /// The mark of one number by itself: the last one where both occur, or one that does not part three digits.
    private static func evidence(_ bytes: String.UTF8View) -> Mark? {
        var last: UInt8?, behind = 0, before = 0, kinds = Set<UInt8>(), count = 0
        for byte in bytes {
            if byte == 44 || byte == 46 {
                if last == nil { before = behind }
                last = byte
                kinds.insert(byte)
                count += 1
                behind = 0
            } else if (48...57).contains(byte) {
                behind += 1
            }
        }
        guard let last else { return nil }
        let mark: Mark = last == 44 ? .comma : .point
        if kinds.count == 2 { return mark }
        // 1,234,567: one mark cannot stand twice before decimals.
        if count > 1 { return mark == .comma ? .point : .comma }
        return behind == 3 && (1...3).contains(before) ? nil : mark
    }

    /// A number as its sign, its digits, and how many of them are decimals.
    struct Digits: Equatable {
        var isNegative = false
        var value: Int64 = 0
        var decimals = 0
    }

    /// Reads digits with thousands and decimals, with a sign before or behind it, or in brackets.
    func digits(_ text: Substring) throws -> Digits {
        var result = Digits(), body = text, isSeen = false, hasDecimals = false
        let mark: UInt8 = (self.mark ?? .point) == .point ? 46 : 44
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

    /// A number in units of ten to the minus `places`; what does not fit into them is refused, but for zeros.
    static func scaled(_ digits: Digits, places: Int, what: String) throws -> Int64 {
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
