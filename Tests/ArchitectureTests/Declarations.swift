/// A type, an extension, a function or an initialiser, as the size tests find it in a file.
struct Declaration: Sendable {
    enum Kind: Sendable { case type, fileExtension, function, initialiser }

    let kind: Kind
    /// With the names of the types around it: `Outer.Inner`.
    let name: String
    /// The number of its first line, from 1.
    let line: Int
    let lineCount: Int
    /// How many parameters a function or an initialiser takes.
    let parameterCount: Int
    /// Whether it stands in no other declaration.
    let isTopLevel: Bool
}

/// Finds declarations by their keywords and braces, without a parser: enough for counting lines and parameters.
struct DeclarationScanner {
    private let tokens: [Token]
    private var declarations: [Declaration] = []
    /// What the braces that are open belong to; `nil` for a block that declares nothing.
    private var open: [Pending?] = []
    private var pending: Pending?

    private struct Token {
        let text: Substring
        let line: Int
    }

    private struct Pending {
        let kind: Declaration.Kind
        let name: String
        let line: Int
        let parameterCount: Int
    }

    private static let typeWords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]

    static func declarations(of text: String) -> [Declaration] {
        var scanner = DeclarationScanner(tokens: tokens(of: SwiftText.withoutLiterals(text)))
        return scanner.scan()
    }

    private init(tokens: [Token]) { self.tokens = tokens }

    /// Words and single signs, with their lines.
    private static func tokens(of text: String) -> [Token] {
        var tokens: [Token] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for match in line.matches(of: /[A-Za-z_`#@][A-Za-z0-9_`]*|->|\S/) {
                tokens.append(Token(text: match.0, line: number + 1))
            }
        }
        return tokens
    }

    private mutating func scan() -> [Declaration] {
        for index in tokens.indices {
            switch tokens[index].text {
            case "{":
                open.append(pending)
                pending = nil
            case "}": close(at: tokens[index].line)
            case "func", "init", "extension": start(at: index)
            case let word where Self.typeWords.contains(word): start(at: index)
            // A requirement of a protocol has no body.
            case "var", "let", "case": pending = nil
            default: break
            }
        }
        return declarations
    }

    private mutating func start(at index: Int) {
        guard index + 1 < tokens.count else { return }
        let word = tokens[index].text, next = tokens[index + 1].text
        let before = index > 0 ? tokens[index - 1].text : ""
        // `self.init(…)`, `.class`, and a generic's `class` constraint declare nothing.
        guard before != ".", before != ":" else { return }
        let kind: Declaration.Kind
        var name = String(next)
        switch word {
        case "init":
            guard ["(", "?", "<", "!"].contains(next) else { return }
            kind = .initialiser
            name = "init"
        case "func": kind = .function
        case "extension":
            kind = .fileExtension
            name = qualifiedName(from: index + 1)
        default:
            // `class func`, `class var`: a modifier.
            guard next.first?.isLetter == true, !["func", "var", "let", "init"].contains(next) else { return }
            kind = .type
        }
        pending = Pending(
            kind: kind, name: name, line: tokens[index].line,
            parameterCount: kind == .function || kind == .initialiser ? parameterCount(from: index + 1) : 0)
    }

    private func qualifiedName(from index: Int) -> String {
        var name = String(tokens[index].text), place = index + 1
        while place + 1 < tokens.count, tokens[place].text == "." {
            name += "." + tokens[place + 1].text
            place += 2
        }
        return name
    }

    /// Counts the commas of the first list in round brackets that no other bracket holds.
    private func parameterCount(from index: Int) -> Int {
        guard var place = tokens[index...].firstIndex(where: { $0.text == "(" }) else { return 0 }
        var depth = 0, commas = 0, hasContent = false, lastWasComma = false
        while place < tokens.count {
            let text = tokens[place].text
            switch text {
            case "(", "[", "<", "{": depth += 1
            case ")", "]", ">", "}": depth -= 1
            default: break
            }
            if depth == 0 { break }
            if depth == 1, text == "," { commas += 1 }
            if text != "(" { hasContent = true }
            lastWasComma = depth == 1 && text == ","
            place += 1
        }
        return hasContent ? commas + (lastWasComma ? 0 : 1) : 0
    }

    private mutating func close(at line: Int) {
        guard let closed = open.popLast(), let closed else { return }
        let outer = open.compactMap { $0 }
        let names = outer.filter { $0.kind == .type || $0.kind == .fileExtension }.map(\.name)
        declarations.append(
            Declaration(
                kind: closed.kind, name: (names + [closed.name]).joined(separator: "."), line: closed.line,
                lineCount: line - closed.line + 1, parameterCount: closed.parameterCount, isTopLevel: outer.isEmpty))
    }
}
