/// Why a template does not parse.
struct TemplateError: Error, Equatable, CustomStringConvertible {
    let message: String
    let column: Int
    var description: String { "\(message) at column \(column)" }
}

/// Parses Home Assistant's sentence syntax: words, `(a|b)`, `[optional]`, `{slot}`, `{list:name}`, `<rule>`, and
/// `(a;b)` for parts in any order. A group written against a word belongs to it: `light[s]` is `light` or `lights`.
struct TemplateParser {
    private let characters: [Character]
    private var index = 0
    /// Longest list of words that one run of glued groups may stand for.
    private static let gluedLimit = 64
    private static let depthLimit = 40
    private var depth = 0

    static func parse(_ text: String) throws -> Template {
        var parser = TemplateParser(characters: Array(text.lowercased()))
        let template = try parser.alternatives(until: nil)
        return template
    }

    private init(characters: [Character]) { self.characters = characters }

    /// A run of parts without white space between them.
    private enum Piece {
        case text(String)
        case group(Template)
        case slotOrRule(Template)
    }

    /// The branches of a group as far as they are read.
    private struct Group {
        var branches: [Template] = [], permuted: [Template] = []
        var run: [Piece] = [], parts: [Template] = []

        mutating func append(_ character: Character) {
            if case .text(let text) = run.last {
                run[run.count - 1] = .text(text + String(character))
            } else {
                run.append(.text(String(character)))
            }
        }

        /// Ends a run of parts at white space.
        mutating func flush(column: Int) throws {
            if !run.isEmpty { parts.append(contentsOf: try TemplateParser.join(run, column: column)) }
            run = []
        }

        /// Ends a branch, or one of several parts in any order.
        mutating func branch(column: Int) throws -> Template {
            try flush(column: column)
            defer { parts = [] }
            return parts.count == 1 ? parts[0] : .sequence(parts)
        }

        mutating func endBranch(column: Int) throws {
            let last = try branch(column: column)
            if permuted.isEmpty {
                branches.append(last)
            } else {
                permuted.append(last)
                branches.append(TemplateParser.permutations(permuted))
                permuted = []
            }
        }
    }

    private mutating func alternatives(until closing: Character?) throws -> Template {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw error("groups nested too deeply") }
        var group = Group()
        let opening = index
        while index < characters.count {
            let character = characters[index]
            index += 1
            switch character {
            case closing:
                try group.endBranch(column: index)
                return group.branches.count == 1 ? group.branches[0] : .choice(group.branches)
            case ")", "]": throw error("“\(character)” without its opening bracket")
            case "|" where closing != nil: try group.endBranch(column: index)
            case ";" where closing != nil:
                group.permuted.append(try group.branch(column: index))
                guard group.permuted.count <= 5 else { throw error("more than five parts in any order") }
            case "|", ";": throw error("“\(character)” outside brackets; write (a\(character)b)")
            case "(": group.run.append(.group(try alternatives(until: ")")))
            case "[": group.run.append(.group(.optional(try alternatives(until: "]"))))
            case "{": group.run.append(.slotOrRule(try slot()))
            case "<": group.run.append(.slotOrRule(try rule()))
            case "}", ">": throw error("“\(character)” without its opening bracket")
            case _ where character.isWhitespace: try group.flush(column: index)
            default: group.append(character)
            }
        }
        if let closing {
            throw TemplateError(message: "the bracket is never closed with “\(closing)”", column: opening)
        }
        return try group.branch(column: index)
    }

    private mutating func slot() throws -> Template {
        let names = try name(until: "}").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let list = String(names[0]), slot = names.count > 1 ? String(names[1]) : list
        guard Self.isIdentifier(list), Self.isIdentifier(slot) else {
            throw error("“{\(names.joined(separator: ":"))}” is no slot; write {slot} or {list:name}")
        }
        return .slot(list: list, name: slot)
    }

    private mutating func rule() throws -> Template {
        let rule = try name(until: ">")
        guard Self.isIdentifier(rule) else { throw error("“<\(rule)>” is no rule name") }
        return .rule(rule)
    }

    private mutating func name(until closing: Character) throws -> String {
        let start = index
        while index < characters.count, characters[index] != closing { index += 1 }
        guard index < characters.count else {
            throw TemplateError(message: "the bracket is never closed with “\(closing)”", column: start)
        }
        index += 1
        return String(characters[start..<index - 1])
    }

    private func error(_ message: String) -> TemplateError { TemplateError(message: message, column: index) }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// Turns a run of glued pieces into words: `light[s]` into `(light|lights)`.
    private static func join(_ run: [Piece], column: Int) throws -> [Template] {
        // Slots and rules are never parts of a word; what stands on their either side is.
        var result: [Template] = [], glued: [Template] = []
        func flush() throws {
            defer { glued = [] }
            guard glued.count > 1 else { return result.append(contentsOf: glued) }
            let spellings = try glued.reduce([""]) { heads, part in
                let tails = try texts(of: part, column: column)
                guard heads.count * tails.count <= gluedLimit else {
                    throw TemplateError(message: "too many spellings in one word", column: column)
                }
                return heads.flatMap { head in tails.map { head + $0 } }
            }
            var seen = Set<String>()
            let words = spellings.filter { seen.insert($0).inserted }.map { spelling -> Template in
                let words = spelling.split(separator: " ").map { Template.word(String($0)) }
                return words.count == 1 ? words[0] : .sequence(words)
            }
            result.append(words.count == 1 ? words[0] : .choice(words))
        }
        for piece in run {
            switch piece {
            case .text(let text): glued.append(.word(text))
            case .group(let group): glued.append(group)
            case .slotOrRule(let template):
                try flush()
                result.append(template)
            }
        }
        try flush()
        return result
    }

    /// The spellings of what is part of a word; they are counted before they are made.
    private static func texts(of template: Template, column: Int) throws -> [String] {
        func require(_ count: Int) throws {
            guard count <= gluedLimit else {
                throw TemplateError(message: "too many spellings in one word", column: column)
            }
        }
        switch template {
        case .word(let word): return [word]
        case .optional(let part): return try texts(of: part, column: column) + [""]
        case .choice(let parts):
            var all: [String] = []
            for part in parts {
                all += try texts(of: part, column: column)
                try require(all.count)
            }
            return all
        case .sequence(let parts):
            return try parts.reduce([""]) { heads, part in
                let tails = try texts(of: part, column: column)
                try require(heads.count * tails.count)
                return heads.flatMap { head in tails.map { head.isEmpty ? $0 : head + " " + $0 } }
            }
        case .slot, .rule:
            throw TemplateError(
                message: "a slot or rule cannot be part of a word; put a space before it", column: column)
        }
    }

    private static func permutations(_ parts: [Template]) -> Template {
        func orders(_ rest: [Template]) -> [[Template]] {
            rest.isEmpty
                ? [[]]
                : rest.indices.flatMap { index -> [[Template]] in
                    var others = rest
                    let first = others.remove(at: index)
                    return orders(others).map { [first] + $0 }
                }
        }
        return .choice(orders(parts).map { .sequence($0) })
    }
}
