/// A JSON value as a device sent it.
enum JSONValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case truth(Bool)
    case null
    case object([String: JSONValue])
    case list([JSONValue])

    /// Bytes of a state's payload that are read at most.
    static let stateLimit = 65_536

    /// Nil for what is longer than `limit` bytes, deeper than any device writes, or invalid.
    init?(_ bytes: [UInt8], limit: Int = stateLimit) {
        guard bytes.count <= limit else { return nil }
        let value = bytes.withUnsafeBufferPointer { buffer in
            var reader = JSONReader(buffer)
            return reader.document()
        }
        guard let value else { return nil }
        self = value
    }

    /// The entry of an object under `key`, or the element of a list at the index that `key` is.
    subscript(_ key: String) -> JSONValue? {
        switch self {
        case .object(let entries): return entries[key]
        case .list(let elements):
            guard let index = Int(key), elements.indices.contains(index) else { return nil }
            return elements[index]
        default: return nil
        }
    }

    /// A text, number or truth value as JSON writes it; nil for anything else.
    var text: String? {
        switch self {
        case .text(let text): return text
        case .integer(let number): return "\(number)"
        case .number(let number):
            let text = "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        case .truth(let isTrue): return isTrue ? "true" : "false"
        case .null, .object, .list: return nil
        }
    }

    /// A number, also where it stands as text.
    var double: Double? {
        switch self {
        case .integer(let number): return Double(number)
        case .number(let number): return number
        case .text(let text):
            guard let number = Double(text), number.isFinite else { return nil }
            return number
        default: return nil
        }
    }

    /// A whole number; nil for one with a fraction.
    var int: Int? {
        guard let double else { return nil }
        return Int(exactly: double)
    }

    var object: [String: JSONValue]? { if case .object(let entries) = self { entries } else { nil } }

    var list: [JSONValue]? { if case .list(let elements) = self { elements } else { nil } }

    /// What was text from the beginning.
    var string: String? { if case .text(let text) = self { text } else { nil } }

    /// A text as JSON writes it, quotes included.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// A scalar as JSON writes it; nil for objects and lists, which no command holds.
    var literal: String? {
        switch self {
        case .text(let text): Self.quoted(text)
        case .null: "null"
        case .integer, .number, .truth: text
        case .object, .list: nil
        }
    }
}
