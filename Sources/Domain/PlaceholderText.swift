/// A text with `{name}` placeholders. `{count:item|items}` chooses the first form when the value of `count` is 1.
public struct PlaceholderText: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case text(String)
        case value(String)
        case plural(String, one: String, many: String)
    }

    private let parts: [Part]

    /// Parses `text`; braces that hold no name stay as they are, so that JSON payloads need no escaping.
    public init(_ text: String) {
        var parts: [Part] = [], plain = "", rest = Substring(text)
        while let character = rest.first {
            rest.removeFirst()
            guard character == "{", let close = rest.firstIndex(of: "}"), let part = Self.part(rest[..<close]) else {
                plain.append(character)
                continue
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(part)
            rest = rest[rest.index(after: close)...]
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    private static func part(_ inside: Substring) -> Part? {
        func isName(_ text: Substring) -> Bool {
            !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        if isName(inside) { return .value(String(inside)) }
        let pieces = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pieces.count == 2, isName(pieces[0]) else { return nil }
        let forms = pieces[1].split(separator: "|", omittingEmptySubsequences: false)
        guard forms.count == 2 else { return nil }
        return .plural(String(pieces[0]), one: String(forms[0]), many: String(forms[1]))
    }

    /// The names that occur.
    public var names: Set<String> {
        Set(
            parts.compactMap {
                switch $0 {
                case .text: nil
                case .value(let name), .plural(let name, _, _): name
                }
            })
    }

    /// The text with its placeholders filled; a missing value leaves nothing in its place.
    public func filled(_ values: [String: String]) -> String {
        worded(values).spoken
    }

    /// The text with its placeholders filled by what may be shown in another way than it is said.
    public func worded(_ values: [String: any Worded]) -> Wording {
        parts.map { part in
            switch part {
            case .text(let text): Wording(text)
            case .value(let name): values[name]?.wording ?? ""
            case .plural(let name, let one, let many): Wording(values[name]?.wording.spoken == "1" ? one : many)
            }
        }.joined()
    }
}
