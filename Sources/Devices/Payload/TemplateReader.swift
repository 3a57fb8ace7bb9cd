/// Reads templates. Flat by design: no parentheses, no operators, no statements, so nothing in it can run away.
struct TemplateReader {
    private static let lengthLimit = 4_096, pieceLimit = 32, stepLimit = 16

    private var rest: Substring
    private let names: Set<String>

    /// The plain text and the expressions of a template.
    /// - Parameter names: the variables that it may use.
    static func pieces(_ text: String, names: Set<String>) throws(ValueTemplateError) -> [ValueTemplate.Piece] {
        guard text.utf8.count <= lengthLimit else { throw ValueTemplateError(detail: "the template is too long") }
        for sign in ["{%", "{#"] where text.contains(sign) {
            throw ValueTemplateError(detail: "“\(sign)” in a template is not supported")
        }
        var pieces: [ValueTemplate.Piece] = []
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{") {
            // Of three braces the first is the text's own, as in `{{{ value }}}` around a JSON object.
            var start = open
            while rest[start.upperBound...].first == "{" {
                start = rest.index(after: start.lowerBound)..<rest.index(after: start.upperBound)
            }
            if start.lowerBound > rest.startIndex { pieces.append(.text(String(rest[..<start.lowerBound]))) }
            guard let close = rest[start.upperBound...].firstRange(of: "}}") else {
                throw ValueTemplateError(detail: "“{{” without “}}” in a template")
            }
            var reader = TemplateReader(rest: rest[start.upperBound..<close.lowerBound], names: names)
            pieces.append(.expression(try reader.expression()))
            guard pieces.count <= pieceLimit else {
                throw ValueTemplateError(detail: "the template has too many parts")
            }
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        guard !pieces.isEmpty else { throw ValueTemplateError(detail: "the template is empty") }
        return pieces
    }

    private mutating func expression() throws(ValueTemplateError) -> TemplateExpression {
        let source = try source()
        var filters: [TemplateExpression.Filter] = []
        while takes("|") {
            filters.append(try filter())
            guard filters.count <= Self.stepLimit else { throw ValueTemplateError(detail: "too many filters") }
        }
        guard let next = next() else { return TemplateExpression(source: source, filters: filters) }
        throw ValueTemplateError(detail: "“\(next)” in a template is not supported")
    }

    private mutating func source() throws(ValueTemplateError) -> TemplateExpression.Source {
        if let literal = try literal() { return .literal(literal) }
        let name = word()
        guard names.contains(name) else { throw ValueTemplateError(detail: "“\(name)” in a template is not supported") }
        guard name == "value_json" else { return .value }
        var path: [String] = []
        while true {
            if takes(".") {
                let key = word()
                guard !key.isEmpty, next() != "(" else {
                    throw ValueTemplateError(detail: "“.\(key)(” in a template is not supported")
                }
                path.append(key)
            } else if takes("[") {
                guard let key = try literal(), takes("]") else {
                    throw ValueTemplateError(detail: "“[” without a key in a template is not supported")
                }
                switch key {
                case .text(let text): path.append(text)
                case .integer(let index) where index >= 0: path.append("\(index)")
                default: throw ValueTemplateError(detail: "only strings and numbers can be keys in a template")
                }
            } else {
                return .json(path)
            }
            guard path.count <= Self.stepLimit else { throw ValueTemplateError(detail: "the path is too long") }
        }
    }

    private mutating func filter() throws(ValueTemplateError) -> TemplateExpression.Filter {
        let name = word()
        var argument: TemplateValue?
        if takes("(") {
            if next() != ")" { argument = try literal() }
            guard takes(")") else { throw ValueTemplateError(detail: "the arguments of “\(name)” are not supported") }
        }
        switch (name, argument) {
        case ("float", _): return .float(argument)
        case ("int", _): return .int(argument)
        case ("round", nil): return .round(0)
        case ("round", .integer(let places)?) where (0...12).contains(places): return .round(Int(places))
        case ("lower", nil): return .lower
        case ("upper", nil): return .upper
        case ("default", let value?): return .default(value)
        default: throw ValueTemplateError(detail: "the filter “\(name)” is not supported with these arguments")
        }
    }

    // MARK: words

    private mutating func next() -> Character? {
        while let character = rest.first, character.isWhitespace { rest.removeFirst() }
        return rest.first
    }

    private mutating func takes(_ character: Character) -> Bool {
        guard next() == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func word() -> String {
        guard next() != nil else { return "" }
        let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// A text in quotes, a number, or a truth value; nil for anything else.
    private mutating func literal() throws(ValueTemplateError) -> TemplateValue? {
        guard let first = next() else { return nil }
        if first == "'" || first == "\"" {
            rest.removeFirst()
            guard let end = rest.firstIndex(of: first), !rest[..<end].contains("\\") else {
                throw ValueTemplateError(detail: "a string in a template does not end, or has a backslash in it")
            }
            let text = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            return .text(text)
        }
        if first == "-" || first.isASCII && first.isNumber {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
            rest = rest[digits.endIndex...]
            if let whole = Int64(digits) { return .integer(whole) }
            guard let number = Double(digits) else { throw ValueTemplateError(detail: "“\(digits)” is not a number") }
            return .number(number)
        }
        for (name, value) in Self.words where rest.hasPrefix(name) {
            let after = rest.dropFirst(name.count)
            if let next = after.first, next.isLetter || next.isNumber || next == "_" { continue }
            rest = after
            return value
        }
        return nil
    }

    private static let words: [(String, TemplateValue)] = [
        ("true", .truth(true)), ("True", .truth(true)), ("false", .truth(false)), ("False", .truth(false)),
        ("none", .none), ("None", .none),
    ]
}
