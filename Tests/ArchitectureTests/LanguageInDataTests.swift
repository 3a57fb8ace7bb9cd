import Foundation
import Testing

/// A language is a folder of data: no word, ending or name of a day stands in code.
@Suite struct LanguageInDataTests {
    private static let targets = [
        "Language", "Handlers", "Devices", "Dialogue", "AudioPipeline", "TableExchange", "SpeechPocketSphinx",
        "SpeechMoonshine", "IntentLinear", "IntentEncoder",
    ]

    /// English that used to be in code, or would be first: articles and other small words, endings, the calendar, the
    /// status line.
    private static let words: Set<String> = [
        "the", "a", "an", "my", "our", "your", "and", "or", "of", "is", "are", "was", "were", "this", "that", "some",
        "yes", "no", "s", "es", "ies", "ss", "us", "ches", "shes", "sses", "xes", "ing", "aeiou", "th", "st", "nd",
        "rd", "am", "pm", "today", "yesterday", "monday", "sunday", "january", "december", "jan", "dec", "first",
        "second", "Ready", "Muted", "Listening…", "Thinking…", "Speaking…", "pounds", "pence",
    ]

    /// What only looks like a word of English, in the files whose paths begin so.
    private static let pardoned: [(path: String, words: Set<String>, reason: String)] = [
        ("Language/TwoActions.swift", ["yes", "no"], "names of intents"),
        ("Dialogue/", ["yes", "no"], "names of intents"),
        ("Language/NumberWords.swift", ["and"], "a key of numbers.yaml"),
        ("Language/TableWords+Reading.swift", ["yes", "no"], "keys of tables.yaml"),
        ("Language/WordRules.swift", ["first"], "a key of words.yaml"),
        ("Language/Matching/WordTable.swift", ["a"], "the first letter of ASCII"),
        ("Devices/ModeReader.swift", ["is"], "a key of the modes file"),
        ("Devices/Discovery/DiscoveredText.swift", ["a"], "the first letter of ASCII"),
        ("Devices/Discovery/Tasmota/", ["of", "st"], "keys of Tasmota's JSON"),
        ("Devices/Discovery/HomeAssistant/", ["s"], "a key of the saturation in Home Assistant's JSON"),
        ("Handlers/Van/", ["was"], "a placeholder of replies"),
        ("SpeechPocketSphinx/", ["yes"], "a value of PocketSphinx's arguments"),
        ("SpeechMoonshine/Grammar/", ["s", "aeiou"], "sounds of Moonshine tiny-en, a model of English alone"),
    ]

    /// The words of `words` that are whole literals of a line, but for keys of dictionaries, which are placeholders of
    /// replies, and names of cases.
    static func found(in line: String) -> [String] {
        let code = line.trimmingCharacters(in: .whitespaces)
        guard !code.hasPrefix("//") else { return [] }
        return code.matches(of: /"([^"\\]*)"(?!\s*:)/).map { String($0.1) }.filter(words.contains)
    }

    @Test(arguments: targets)
    func noWordOfALanguage_standsInCode(target: String) {
        for file in SourceTree.files(under: "Sources/\(target)") {
            let path = String(file.path.dropFirst("Sources/".count))
            let pardoned = Self.pardoned.filter { path.hasPrefix($0.path) }.reduce(into: Set<String>()) {
                $0.formUnion($1.words)
            }
            for (number, line) in file.lines.enumerated() {
                for word in Self.found(in: line) where !pardoned.contains(word) {
                    Issue.record("\(file.path):\(number + 1): “\(word)” belongs to the data of a language")
                }
            }
        }
    }

    @Test func whatIsPardoned_isThere() {
        let files = SourceTree.files(under: "Sources")
        for (path, words, reason) in Self.pardoned {
            let lines = files.filter { $0.path.hasPrefix("Sources/\(path)") }.flatMap(\.lines)
            let gone = words.subtracting(lines.flatMap(Self.found))
            #expect(gone.isEmpty, "\(path): strike off \(gone.sorted()), which is no longer there (\(reason))")
        }
    }

    @Test(arguments: [
        (#"["the", "my"].contains(first)"#, ["the", "my"]), (#"values["the": name]"#, []),
        (#"word.hasSuffix("ies")"#, ["ies"]), (#"/// Such as "the"."#, []), (#"say("the lamp")"#, []),
    ])
    func aWord_isFoundAsAWholeLiteral(line: String, words: [String]) { #expect(Self.found(in: line) == words) }
}
