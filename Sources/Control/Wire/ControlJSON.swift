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
        return try encoder.encode(value)
    }

    /// Decodes a line.
    /// - Throws: `DecodingError`.
    public static func decode<Value: Decodable>(_ type: Value.Type, from line: Data) throws -> Value {
        // Foundation guesses UTF-16 and UTF-32, too, from their zero bytes; the protocol is UTF-8.
        guard !line.contains(0), String(validating: line, as: UTF8.self) != nil else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not UTF-8"))
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan"
        )
        return try decoder.decode(type, from: line)
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
    var explanation: String {
        switch self {
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

    /// True when `line`, whose decoding failed with this error, is no JSON at all. Foundation reports a number out of
    /// range in the same way as broken syntax.
    func isSyntaxError(of line: Data) -> Bool {
        guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty else { return false }
        return (try? JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)) == nil
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
