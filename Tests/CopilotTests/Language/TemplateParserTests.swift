@testable import Language
import Testing

extension Template {
    /// Everything that the template matches, with `{slots}` and `<rules>` as written.
    var expansions: Set<String> {
        func expand(_ template: Template) -> [[String]] {
            switch template {
            case .word(let word): [[word]]
            case .sequence(let parts):
                parts.reduce([[]]) { heads, part in heads.flatMap { head in expand(part).map { head + $0 } } }
            case .choice(let parts): parts.flatMap(expand)
            case .optional(let part): expand(part) + [[]]
            case .slot(let list, let name): [[list == name ? "{\(list)}" : "{\(list):\(name)}"]]
            case .rule(let name): [["<\(name)>"]]
            }
        }
        return Set(expand(self).map { $0.joined(separator: " ") })
    }
}

/// Home Assistant's sentence syntax.
@Suite struct TemplateParserTests {
    @Test(arguments: [
        ("turn on the light", ["turn on the light"]),
        ("(turn|switch) on", ["turn on", "switch on"]),
        ("turn [the] light", ["turn light", "turn the light"]),
        ("light[s]", ["light", "lights"]),
        ("[un]lock", ["lock", "unlock"]),
        ("(un|re)lock", ["unlock", "relock"]),
        ("colo[u]r[s]", ["color", "colour", "colors", "colours"]),
        ("(lamp|light)[s] on", ["lamp on", "lamps on", "light on", "lights on"]),
        ("(a;b)", ["a b", "b a"]),
        ("([the] kitchen;now)", ["kitchen now", "the kitchen now", "now kitchen", "now the kitchen"]),
        ("(a|(b|c) [d])", ["a", "b", "b d", "c", "c d"]),
        ("{device} on", ["{device} on"]),
        ("to {place:where}", ["to {place:where}"]),
        ("<turn> it", ["<turn> it"]),
        ("Turn ON", ["turn on"]),
        ("a   b\tc", ["a b c"]),
        ("[a|b] c", ["c", "a c", "b c"]),
        ("what's on", ["what's on"]),
        ("", [""]),
        ("(a|)", ["a", ""]),
    ])
    func template_meansItsSentences(text: String, sentences: [String]) throws {
        #expect(try TemplateParser.parse(text).expansions == Set(sentences))
    }

    @Test func threePartsInAnyOrder_areSix() throws {
        #expect(try TemplateParser.parse("(a;b;c)").expansions.count == 6)
    }

    @Test(arguments: [
        ("(a|b", "the bracket is never closed with “)”", 1), ("say [a", "the bracket is never closed with “]”", 5),
        ("a)", "“)” without its opening bracket", 2), ("a ] b", "“]” without its opening bracket", 3),
        ("{device", "the bracket is never closed with “}”", 1), ("a <rule", "the bracket is never closed with “>”", 3),
        ("a } b", "“}” without its opening bracket", 3), ("a|b", "“|” outside brackets; write (a|b)", 2),
        ("a;b", "“;” outside brackets; write (a;b)", 2), ("{}", "“{}” is no slot", 2),
        ("{a b}", "“{a b}” is no slot", 5), ("{a:}", "“{a:}” is no slot", 4), ("<no rule>", "is no rule name", 9),
        ("(a]", "“]” without its opening bracket", 3), ("(a;b;c;d;e;f;g)", "more than five parts", 13),
    ])
    func aTemplateThatIsWrong_saysWhatAndAtWhichColumn(text: String, message: String, column: Int) {
        #expect {
            _ = try TemplateParser.parse(text)
        } throws: { error in
            guard let error = error as? TemplateError else { return false }
            return error.message.contains(message) && error.column == column
        }
    }

    @Test func deepNestingAndManySpellings_areRefused() {
        let deep = String(repeating: "(", count: 200) + "a" + String(repeating: ")", count: 200)
        #expect(throws: TemplateError.self) { try TemplateParser.parse(deep) }
        let many = "x" + String(repeating: "[a]", count: 12)
        #expect(throws: TemplateError.self) { try TemplateParser.parse(many) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func whateverIsWritten_parsesOrSaysWhy(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["(", ")", "[", "]", "{", "}", "<", ">", "|", ";", ":", " ", "a", "bb", "é", "🙂", "'", "\n"]
        for _ in 0..<400 {
            let length = Int.random(in: 0...14, using: &random)
            let text = (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            do { _ = try TemplateParser.parse(text) } catch {
                #expect(error is TemplateError, "“\(text)”")
                if let error = error as? TemplateError { #expect((0...text.count + 1).contains(error.column)) }
            }
        }
    }
}
