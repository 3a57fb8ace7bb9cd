/// What of a payload is its value, in the part of Jinja that the conventions' devices use: `value`,
/// `value_json.a.b`, `value_json['k']`, `[0]`, the filters `float`, `int`, `round(n)`, `lower`, `upper` and
/// `default(x)`, and plain text around it. Anything else is refused when it is read, never guessed at.
public struct ValueTemplate: Sendable, Equatable {
    /// What a template makes of a payload.
    enum Rendering: Sendable, Equatable {
        case text(String)
        /// The payload does not speak of it.
        case absent
        /// The payload is not what the template needs: not text, not JSON, not a number, or an object where a value
        /// should be.
        case broken
    }

    enum Piece: Sendable, Equatable {
        case text(String)
        case expression(TemplateExpression)
    }

    private let pieces: [Piece]
    /// True where truth values are written as Python writes them, which is what Jinja does.
    private let isJinja: Bool

    /// Reads a template.
    /// - Throws: `ValueTemplateError`, which names what is not supported.
    public init(_ text: String) throws {
        pieces = try TemplateReader.pieces(text, names: ["value", "value_json"])
        isJinja = true
    }

    /// What stands at a path of keys and indices in a JSON payload; truth values are `true` and `false`, as there.
    public init(path: [String]) {
        pieces = [.expression(TemplateExpression(source: .json(path), filters: []))]
        isJinja = false
    }

    /// A dotted path, such as `battery.soc` or `relays.0`, as `{{ value_json.battery.soc }}`.
    public init(dottedPath: String) { self.init(path: dottedPath.split(separator: ".").map(String.init)) }

    /// The value of a payload; nil where the payload does not have it.
    public func applied(to payload: [UInt8]) -> String? {
        if case .text(let text) = render(payload) { text } else { nil }
    }

    /// The value, or which kind of absence it is. Bounded by the payload, whatever that is.
    func render(_ payload: [UInt8]) -> Rendering {
        var text = ""
        lazy var plain = payload.count <= JSONValue.stateLimit ? String(validating: payload, as: UTF8.self) : nil
        lazy var json = JSONValue(payload)
        for piece in pieces {
            switch piece {
            case .text(let words): text += words
            case .expression(let expression):
                var value: TemplateValue
                switch expression.source {
                case .value:
                    guard let plain else { return .broken }
                    value = .text(plain)
                case .json(let path):
                    guard let json else { return .broken }
                    value = TemplateValue(json, at: path[...])
                case .literal(let literal): value = literal
                }
                guard expression.filter(&value) else { return .broken }
                if value == .undefined { return .absent }
                guard let rendered = value.rendered(asPython: isJinja) else { return .broken }
                text += rendered
            }
        }
        return .text(isJinja ? Self.trimmed(text) : text)
    }

    /// Home Assistant strips what a template renders.
    private static func trimmed(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        let rest = text.drop { $0.isWhitespace }
        let end = rest.lastIndex { !$0.isWhitespace }
        return end.map { String(rest[...$0]) } ?? ""
    }
}

/// Why a template cannot be used.
public struct ValueTemplateError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What of it is not supported.
    public let detail: String

    /// The detail.
    public var description: String { detail }
}
