@testable import Language
import Foundation
import Testing

/// A phrasebook of a few lines can stand for more sentences than any memory holds, and one of many for more than any
/// start waits for: both are refused with file and line, and the other files count.
@Suite struct PhrasebookBoundsTests {
    private static let good = """
        language: en
        intents:
          ping: {phrases: ["ping the van"], reply: "Pong."}
        """

    /// Rules that each use the next one `count` times.
    private static func nested(_ depth: Int, _ count: Int) -> String {
        var lines = ["language: en", "rules:"]
        for level in 1..<depth {
            lines.append("  r\(level): \"(\((1...count).map { "<r\(level + 1)> w\($0)" }.joined(separator: "|")))\"")
        }
        lines.append("  r\(depth): \"(\((1...count).map { "w\($0)" }.joined(separator: "|")))\"")
        return (lines + ["intents:", "  all: {phrases: [\"<r1>\"], reply: hi}"]).joined(separator: "\n")
    }

    private static func phrase(_ template: String, rules: [String] = []) -> String {
        (["language: en"] + (rules.isEmpty ? [] : ["rules:"] + rules.map { "  \($0)" })
            + ["intents:", "  p:", "    reply: hi", "    phrases:", "      - \"\(template)\""]).joined(separator: "\n")
    }

    private static func words(_ count: Int) -> [String] { (1...count).map { "w\($0)" } }

    /// What takes all memory or time where nothing bounds it, the line that says why, and a part of the message.
    static let tooMuch: [(name: String, text: String, lines: ClosedRange<Int>, message: String)] = [
        ("twelve nested rules of nine alternatives", nested(12, 9), 3...14, "too many words"),
        ("rules in rules", nested(5_000, 1), 3...5_002, "deep"),
        (
            "any order in any order",
            phrase((1...10).reduce("a") { text, _ in "(\(text);b;c;d;e)" }), 6...6, "too many words"
        ),
        (
            "spellings of a word", phrase("x(\(Array(repeating: "(a|b)", count: 30).joined(separator: " ")))"), 6...6,
            "too many spellings"
        ),
        ("optional words", phrase("go " + words(200).map { "[\($0)]" }.joined(separator: " ")), 6...6, "sentences"),
        (
            "alternatives", phrase("go (\(Array(repeating: "a", count: 1_500).joined(separator: "|")))"), 6...6, "1,500"
        ),
        ("a long template", phrase(String(repeating: "a ", count: 150_000)), 6...6, "characters"),
        ("a long word", phrase(String(repeating: "a", count: 3_000)), 6...6, "a word is too long"),
        (
            "deep groups of rules",
            phrase(
                "<a>",
                rules: (0..<9).map { level in
                    let next = level == 8 ? "x" : "<\("abcdefghij".dropFirst(level + 1).prefix(1))>"
                    let name = "abcdefghij".dropFirst(level).prefix(1)
                    return "\(name): \"\(String(repeating: "(", count: 30))\(next) y"
                        + "\(String(repeating: "|z)", count: 30))\""
                }), 2...16, "deep"
        ),
        (
            "a slot's values",
            "language: en\nslots:\n  s: [\(words(30_000).joined(separator: ", "))]\n"
                + "intents:\n  p: {phrases: [\"{s}\"], reply: hi}", 3...3, "30,000"
        ),
        (
            "phrases of all intents",
            "language: en\nintents:\n"
                + (1...2_000).map { number in
                    "  i\(number): {reply: hi, phrases: [\"say \(words(40).joined(separator: " "))\"]}"
                }.joined(separator: "\n"), 4...2_002, "too many words"
        ),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: tooMuch.indices)
    func aPhrasebookOfTooMuch_isRefused_withItsLine(number: Int) throws {
        let (name, text, lines, message) = Self.tooMuch[number]
        let books = try english(with: text, Self.good)
        let problem = try #require(books.problems.first, "accepted: \(name)")
        #expect(books.problems.count == 1)
        #expect(problem.file.hasSuffix("custom1.yaml"))
        #expect(lines.contains(problem.line ?? 0), "\(name): \(problem)")
        #expect(problem.message.contains(message), "\(name): \(problem)")
        #expect(books.intent("custom", "ping") != nil, "the other file still counts")
    }

    @Test func aPhrasebookOfFiftyMegabytes_isRefused_unread() throws {
        let line = String(repeating: "a", count: 1_000)
        let head = "language: en\nintents:\n  p:\n    reply: hi\n    phrases:\n"
        let books = try english(with: head + String(repeating: "      - \(line)\n", count: 50_000), Self.good)
        let problem = try #require(books.problems.first)
        #expect(problem.file.hasSuffix("custom1.yaml"))
        #expect(problem.message.contains("50.5 MB, where 1 MB"), "\(problem)")
        #expect(books.intent("custom", "ping") != nil)
    }

    /// Each of the files is small enough, all of them together are not.
    @Test func manyPhrasebooks_areTakenWhileThereIsRoom_andTheRestTold() throws {
        try withFolderSync { folder in
            var files: [String] = []
            for file in 1...40 {
                let intents = (1...100).map { number in
                    "  f\(file)i\(number): {reply: hi, phrases: [\"say \(Self.words(40).joined(separator: " "))\"]}"
                }
                files.append("\(folder)/\(file).yaml")
                try ("language: en\nintents:\n" + intents.joined(separator: "\n")).write(
                    toFile: files[file - 1], atomically: true, encoding: .utf8)
            }
            let books = try Phrasebooks(
                folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot), customFiles: files)
            #expect(books.intent("custom", "f1i1") != nil)
            let problem = try #require(books.problems.first)
            #expect(problem.line != nil)
            #expect(problem.message.contains("all phrasebooks together"), "\(problem)")
        }
    }

    /// A pipe in the folder has no end: reading it would wait for ever.
    @Test(.timeLimit(.minutes(1))) func aPipeAmongThem_isRefused_andNotWaitedFor() throws {
        try withFolderSync { folder in
            let file = folder + "/pipe.yaml"
            try #require(mkfifo(file, 0o600) == 0)
            let books = try Phrasebooks(
                folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot), customFiles: [file])
            #expect(books.problems.map(\.message) == ["not a regular file"])
        }
    }
}
