@testable import Configuration
import Foundation
import Testing

/// What a person's YAML file may hold at most, whatever it is for.
@Suite struct ConfigurationBoundsTests {
    /// Each line holds the one before it nine times.
    private static func laughs(_ lines: Int) -> [String] {
        ["a0: &a0 [x, y]"]
            + (1...lines).map { line in
                "a\(line): &a\(line) [\(Array(repeating: "*a\(line - 1)", count: 9).joined(separator: ", "))]"
            }
    }

    @Test(.timeLimit(.minutes(1))) func aliasesOfAliases_areRefused_withTheirLine() throws {
        let again = (1...9).map { "a\($0): &a [*a, *a, *a, *a, *a, *a, *a, *a, *a]" }
        let texts = [
            (["a0: &a [x, y]"] + again).joined(separator: "\n"), Self.laughs(9).joined(separator: "\n"),
            // As a key they would be compared, value by value, while the file is still being read.
            (Self.laughs(12) + ["? *a12", ": x", "b: y"]).joined(separator: "\n"),
        ]
        for text in texts {
            let error = #expect(throws: ConfigurationError.self) {
                _ = try ConfigurationNode(parsing: text, file: "devices.yaml")
            }
            #expect(error?.file == "devices.yaml")
            #expect((4...9).contains(error?.line ?? 0), "\(error?.description ?? "")")
            #expect(error?.message.contains("the aliases") == true, "\(error?.description ?? "")")
        }
    }

    @Test func aliasesThatRepeatALittle_meanWhatTheyRepeat() throws {
        let text = "one: &one {topic: van/*lamp, on: \"*on\"}\ntwo: *one\nthree: [*one, '*one', a *b]"
        let entries = try ConfigurationNode(parsing: text, file: "a.yaml").entries()
        #expect(try entries[1].value.entries().map(\.key) == ["topic", "on"])
        #expect(try entries[1].value.entries()[0].value.string() == "van/*lamp")
        #expect(try entries[2].value.elements()[1].string() == "*one")
        #expect(try entries[2].value.elements()[2].string() == "a *b")
    }

    private static let tooMuch: [(text: String, message: String)] = [
        (String(repeating: "[", count: 100_000), "YAML"),
        (String(repeating: "[", count: 900) + String(repeating: "]", count: 900), "deep"),
        (String(repeating: "- ", count: 900) + "x", "deep"),
        (String(repeating: "- ", count: 200_000) + "x", "nesting"),
        ((1...250_000).map { "- \($0)" }.joined(separator: "\n"), "entries"),
        (String(repeating: "k", count: 600) + ": 1", "key"),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: tooMuch.indices)
    func aFileOfTooMuch_isRefused_withItsLine(number: Int) {
        let (text, message) = Self.tooMuch[number]
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationNode(parsing: text, file: "board.yaml")
        }
        #expect(error?.line != nil)
        #expect(error?.message.contains(message) == true, "\(error?.description.prefix(200) ?? "")")
    }

    @Test func aFileWithoutEnd_isRefused() {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationNode(contentsOf: "/dev/zero")
        }
        #expect(error?.message == "not a regular file")
    }

    @Test func aBigFile_isRefused_unread() throws {
        try withFolderSync { folder in
            let file = folder + "/settings.yaml"
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            // A hole: it takes no room on the disk, and all memory where it is read.
            try #require(truncate(file, 3 << 30) == 0)
            let error = #expect(throws: ConfigurationError.self) { _ = try ConfigurationNode(contentsOf: file) }
            #expect(error?.message.contains("3,221 MB") == true, "\(error?.description ?? "")")
        }
    }
}
