/// Reads untrusted JSON. Foundation's decoder descends as deep as the text does, and tries every type in
/// turn; this one stops at a depth that no device reaches, and looks at each byte once.
struct JSONReader {
    private static let depthLimit = 32
    /// Digits of a number that are read; more than any sensor has.
    private static let numberLimit = 64

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The value that is the whole text; nil for invalid JSON.
    mutating func document() -> JSONValue? {
        guard let value = value(depth: 0), next() == nil else { return nil }
        return value
    }

    /// The next byte that is not white space, without consuming it.
    private mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard let byte = next(), UInt32(byte) == character.value else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth < Self.depthLimit, let byte = next() else { return nil }
        switch Unicode.Scalar(byte) {
        case "{": return object(depth)
        case "[": return list(depth)
        case "\"": return string().map { .text($0) }
        case "t": return word("true", .truth(true))
        case "f": return word("false", .truth(false))
        case "n": return word("null", .null)
        default: return number()
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        position += 1
        var entries: [String: JSONValue] = [:]
        if takes("}") { return .object(entries) }
        repeat {
            guard next() == UInt8(ascii: "\""), let key = string(), takes(":"), let value = value(depth: depth + 1)
            else { return nil }
            entries[key] = value
        } while takes(",")
        return takes("}") ? .object(entries) : nil
    }

    private mutating func list(_ depth: Int) -> JSONValue? {
        position += 1
        var elements: [JSONValue] = []
        if takes("]") { return .list(elements) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
        } while takes(",")
        return takes("]") ? .list(elements) : nil
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count else { return nil }
        for index in 0..<length where bytes[position + index] != word.utf8Start[index] { return nil }
        position += length
        return value
    }

    private mutating func number() -> JSONValue? {
        let start = position
        var isWhole = true
        scan: while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isWhole = false
            default: break scan
            }
            position += 1
        }
        guard position > start, position - start <= Self.numberLimit else { return nil }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let whole = Int64(text) { return .integer(whole) }
        guard text.first != "+", text.first != ".", let number = Double(text), number.isFinite else { return nil }
        return .number(number)
    }

    /// A string; nil where it does not end, or is not UTF-8.
    private mutating func string() -> String? {
        position += 1
        var start = position
        var text = ""
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                guard let piece = String(validating: bytes[start..<position], as: UTF8.self) else { return nil }
                position += 1
                if byte == UInt8(ascii: "\"") { return text.isEmpty ? piece : text + piece }
                guard let escaped = escaped() else { return nil }
                text += piece
                text.unicodeScalars.append(escaped)
                start = position
            } else {
                guard byte >= 0x20 else { return nil }
                position += 1
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        position += 1
        switch Unicode.Scalar(byte) {
        case "\"", "\\", "/": return Unicode.Scalar(byte)
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            guard let unit = hexadecimal() else { return nil }
            // Beyond the first plane a character is written as two halves.
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { return nil }
            position += 2
            guard let half = hexadecimal(), UTF16.isTrailSurrogate(half) else { return nil }
            return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(half) - 0xDC00)
        default: return nil
        }
    }

    private mutating func hexadecimal() -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        let digits = bytes[position..<position + 4]
        guard
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0 })
        else { return nil }
        position += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
