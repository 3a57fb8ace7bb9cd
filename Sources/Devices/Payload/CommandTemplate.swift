import Domain

/// A command's payload around the value that is sent: `{"brightness": {{ value }}}` as the conventions write it, or
/// `level={value}` as the owner does.
public struct CommandTemplate: Sendable, Equatable {
    private enum Form: Sendable, Equatable {
        case pieces([ValueTemplate.Piece])
        case placeholders(PlaceholderText)
    }

    private let form: Form

    /// The value as it is.
    public static let plain = CommandTemplate(PlaceholderText("{value}"))

    /// The owner's way to write it.
    public init(_ text: PlaceholderText) { form = .placeholders(text) }

    /// The conventions' way to write it.
    /// - Parameter name: another name for `value`, such as `position`.
    /// - Throws: `ValueTemplateError`, which names what is not supported.
    public init(_ text: String, name: String = "value") throws {
        form = .pieces(try TemplateReader.pieces(text, names: ["value", name]))
    }

    /// A JSON object with the value under one key.
    /// - Parameter isText: true where the value is sent as text, in quotes.
    package init(key: String, isText: Bool = false, rest: String = "") {
        let value = TemplateExpression(source: .value, filters: [])
        let quote = isText ? "\"" : ""
        form = .pieces([
            .text("{\(rest)\(JSONValue.quoted(key)):\(quote)"), .expression(value), .text("\(quote)}"),
        ])
    }

    /// The payload for a value; where a filter cannot read the value, the value stands as it is.
    package func filled(_ value: String) -> String {
        switch form {
        case .placeholders(let text): return text.filled(["value": value])
        case .pieces(let pieces):
            return pieces.map { piece in
                switch piece {
                case .text(let text): return text
                case .expression(let expression):
                    var result = TemplateValue.text(value)
                    if case .literal(let literal) = expression.source { result = literal }
                    guard expression.filter(&result) else { return value }
                    return result.rendered(asPython: true) ?? value
                }
            }.joined()
        }
    }
}
