import Foundation

/// JSON as it travels over the socket: one line, keys sorted, dates in ISO 8601.
public enum ControlJSON {
    /// Encodes on one line, or on many for people.
    /// - Throws: `EncodingError`. A number that JSON cannot write becomes a text instead.
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            pretty
            ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            : [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan"
        )
        let data = try encoder.encode(value)
        // All that needs an escape begins with one of these bytes in UTF-8.
        guard data.contains(where: { [0x7F, 0xC2, 0xD8, 0xE2].contains($0) }) else { return data }
        return Data(TerminalText.escaped(json: String(decoding: data, as: UTF8.self)).utf8)
    }

    /// Decodes a line.
    /// - Throws: `DecodingError`.
    public static func decode<Value: Decodable>(_ type: Value.Type, from line: Data) throws -> Value {
        guard isUTF8(line) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not UTF-8"))
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan"
        )
        return try decoder.decode(type, from: line)
    }

    /// True when `line` is JSON of any kind. Asked after decoding failed, as Foundation reports a number that does not
    /// fit in the same way as broken syntax.
    static func isJSON(_ line: Data) -> Bool {
        isUTF8(line) && (try? JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)) != nil
    }

    /// The field of `line` with a number that is not whole or exceeds 64 bits, if there is one.
    static func fieldWithoutWholeNumber(in line: Data) -> String? {
        func search(_ value: Any, _ path: String) -> String? {
            if let object = value as? [String: Any] {
                return object.sorted { $0.key < $1.key }.lazy
                    .compactMap { search($0.value, path.isEmpty ? $0.key : "\(path).\($0.key)") }.first
            }
            if let list = value as? [Any] {
                return list.enumerated().lazy.compactMap { search($0.element, "\(path)[\($0.offset)]") }.first
            }
            guard let number = value as? NSNumber else { return nil }
            return Int(exactly: number.doubleValue) == nil ? path : nil
        }
        guard let value = try? JSONSerialization.jsonObject(with: line) else { return nil }
        return search(value, "")
    }

    /// Foundation guesses UTF-16 and UTF-32, too, from their zero bytes; the protocol is UTF-8.
    private static func isUTF8(_ line: Data) -> Bool {
        !line.contains(0) && String(validating: line, as: UTF8.self) != nil
    }
}

extension Decoder {
    /// One value of a closed list.
    /// - Throws: `DecodingError` that lists the values.
    func choice<Choice: RawRepresentable & CaseIterable>() throws -> Choice where Choice.RawValue == String {
        let text = try singleValueContainer().decode(String.self)
        if let choice = Choice(rawValue: text) { return choice }
        let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw DecodingError.dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "one of \(all) is expected, not \(text.prefix(40))")
        )
    }
}

extension DecodingError {
    /// What is wrong and what is expected, naming the field, for the sender of the line.
    func explanation(of line: Data) -> String {
        switch self {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // Foundation forgets where the number was that did not fit.
            ControlJSON.fieldWithoutWholeNumber(in: line).map { "\($0): a whole number is expected" }
                ?? "the line: \(context.debugDescription)"
        case .keyNotFound(let key, let context):
            "\(path(context.codingPath + [key])): the field is missing"
        case .valueNotFound(let type, let context):
            "\(path(context.codingPath)): \(expected(type)) is expected, not null"
        case .typeMismatch(let type, let context):
            "\(path(context.codingPath)): \(expected(type)) is expected"
        case .dataCorrupted(let context):
            "\(path(context.codingPath)): \(context.debugDescription)"
        @unknown default:
            "the line was not understood"
        }
    }

    private func path(_ keys: [any CodingKey]) -> String {
        let path = keys.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }.joined(separator: ".")
        return path.isEmpty ? "the line" : path
    }

    private func expected(_ type: any Any.Type) -> String {
        switch type {
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any Collection.Type: "an object or list"
        default: "an object"
        }
    }
}

/// Text of others on a terminal: names come from devices, recordings and files.
public enum TerminalText {
    /// The text without what would steer a terminal or turn the order of what follows: control characters, line and
    /// paragraph separators, and the bidirectional controls (Unicode Standard Annex 9, section 2), each as a space.
    public static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { steers($0) ? " " : $0 }))
    }

    /// The same for a text of several lines, which stay lines.
    public static func harmless(lines text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { harmless(String($0)) }.joined(
            separator: "\n")
    }

    static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: scalar.properties.generalCategory == .control
        }
    }

    /// JSON with those characters written as `\\u…`. They occur in its strings only, so that it means the same.
    static func escaped(json: String) -> String {
        guard json.unicodeScalars.contains(where: needsEscape) else { return json }
        return json.unicodeScalars.reduce(into: "") { result, scalar in
            guard needsEscape(scalar) else { return result.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The encoder has escaped the characters below the space; the line ends between fields are its own.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x7F && steers(scalar) }
}
