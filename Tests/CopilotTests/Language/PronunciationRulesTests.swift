@testable import Configuration
@testable import Language
import Foundation
import Testing

@Suite struct PronunciationRulesTests {
    private let rules: PronunciationRules

    init() throws { rules = try PronunciationRules.shipped(language: "en") }

    private func letters(_ text: String) -> [PronunciationRules.Piece] {
        text.compactMap { rules.names(of: $0) }.map { .phones($0) }
    }

    @Test(arguments: ["usb", "led", "gps", "lpg", "mppt"])
    func listedInitialism_isSpelled_besideTheDictionary(word: String) {
        #expect(rules.spelling(of: word) == .init(readings: [letters(word)], isListed: true))
    }

    @Test func shortWordWithoutVowels_isSpelled_aLongOneIsNot() {
        #expect(rules.spelling(of: "bcd") == .init(readings: [letters("bcd")], isListed: false))
        for word in ["zzxqj", "lamp", "sky", "by", "a", "x", "", "b£d", "émile"] {
            #expect(rules.spelling(of: word) == nil, "\(word)")
        }
    }

    @Test func plural_endsInItsSound() {
        #expect(
            rules.spelling(of: "leds") == .init(readings: [letters("led") + [.phones([["Z"]])]], isListed: true))
        #expect(rules.spelling(of: "lamps") == nil)
    }

    @Test func wordWithDigits_isReadAsANumber_andDigitByDigit() {
        #expect(rules.spelling(of: "h2o")?.readings == [letters("h2o")])
        #expect(rules.spelling(of: "12v")?.readings == [[.word("twelve")] + letters("v"), letters("12v")])
        #expect(
            rules.spelling(of: "gopro11")?.readings == [
                [.word("gopro"), .word("eleven")], [.word("gopro")] + letters("11"),
            ])
        #expect(rules.spelling(of: "usb007")?.readings == [letters("usb007")])
        #expect(rules.spelling(of: "x7#") == nil)
        #expect(rules.spelling(of: "1234567890123") == nil)
    }

    @Test func languageWithoutRules_spellsNothing() throws {
        let none = try PronunciationRules(TestLanguagesFolder.german)
        #expect(none.spelling(of: "usb") == nil && none.additions.isEmpty && none.hasVowel("xyz"))
    }

    @Test(arguments: [
        ("letters:\n  ab: B", "pronunciations.yaml:2"), ("letters:\n  a: []", "phones are expected"),
        ("plural: {letter: st, phones: Z}", "a letter and its phones"), ("additions: [x]", "expected a mapping"),
        ("colours: red", "unknown key"), ("additions:\n  a: \"\"", "pronunciations.yaml:2"),
    ])
    func wrongFile_isRefused_withItsPlace(text: String, complaint: String) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("rules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appendingPathComponent("en")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(LanguageFolder.shippedRoot)/en/numbers.yaml", toPath: folder.path + "/numbers.yaml")
        try text.write(toFile: folder.path + "/pronunciations.yaml", atomically: true, encoding: .utf8)
        let error = #expect(throws: ConfigurationError.self) {
            try PronunciationRules(LanguageFolder(language: "en", root: root.path))
        }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
    }
}

private enum TestLanguagesFolder {
    /// A folder without the file.
    static let german = LanguageFolder(language: "xx", root: "/nowhere")
}
