import Foundation
import Testing

/// Conventions of the project that the compiler does not check.
@Suite struct HabitTests {
    /// A value with ! behind it, but for the operator `!=`: `name!`, `call()!`, `list[0]!`.
    private static func forced(_ code: String) -> String? {
        if code.contains(/\btry!/) { return "rethrow, or handle the error" }
        if code.contains(/\bas!/) { return "use as?" }
        if code.contains(/[A-Za-z0-9_)\]]!(?!=)/) { return "unwrap with guard or if" }
        return nil
    }

    @Test func nothingIsForced() {
        for file in SourceTree.files(under: "Sources") {
            for (number, line) in file.lines.enumerated() {
                guard let advice = Self.forced(SourceTree.code(line)) else { continue }
                Issue.record("\(file.path):\(number + 1): \(line.trimmingCharacters(in: .whitespaces)) – \(advice)")
            }
        }
    }

    @Test(arguments: ["let a = b!", "a()!.c", "list[0]!", "try! run()", "a as! B", "var a: Int!"])
    func aForcedValue_isRecognised(line: String) { #expect(Self.forced(SourceTree.code(line)) != nil) }

    @Test(arguments: ["a != b", "if !a", "\"stop!\"", "a // b!", "say(\"a\", !b)"])
    func whatOnlyLooksForced_isNot(line: String) { #expect(Self.forced(SourceTree.code(line)) == nil) }

    /// Sleeps that do not wait for a result: they keep a task busy until it is cancelled, or poll a process that cannot
    /// report when it is ready, under a deadline (as `eventually` of SystemTestKit does). `FaultyParts` has a clock,
    /// which others sleep by.
    private static let exempt: Set<String> = [
        "Tests/ControlTests/Fixture.swift", "Tests/ControlTests/CallTests.swift",
        "Tests/EdgeTests/Audio/ALSAMicrophoneTests.swift", "Tests/FaultTests/FaultyParts.swift",
    ]

    @Test func noTestSleepsToWait() {
        let sleeps = /\b(Task\.sleep|usleep|nanosleep|Thread\.sleep)\b|(^|[^.\w])sleep\(/
        for file in SourceTree.files(under: "Tests")
        where !Self.exempt.contains(file.path) && !file.path.hasPrefix("Tests/ArchitectureTests/") {
            for (number, line) in file.lines.enumerated() where SourceTree.code(line).contains(sleeps) {
                Issue.record("\(file.path):\(number + 1) sleeps; await the condition or the event instead")
            }
        }
    }

    private static let readme = "\(SourceTree.root)/Sources/README.md"
    private static var hasReadme: Bool { FileManager.default.fileExists(atPath: readme) }

    @Test(.enabled(if: hasReadme, "there is no Sources/README.md"))
    func everyTarget_hasAParagraphInTheReadme() throws {
        let text = try String(contentsOfFile: Self.readme, encoding: .utf8)
        let package = try String(contentsOfFile: "\(SourceTree.root)/Package.swift", encoding: .utf8)
        let names = package.matches(of: /(?:systemLibrary\(|[tT]arget\(name: )"([A-Za-z-]+)"/).map { String($0.1) }
        #expect(names.count > 15)
        for name in Set(names).sorted() where !name.hasSuffix("Tests") {
            #expect(text.contains("`\(name)`"), "Sources/README.md does not describe \(name)")
        }
    }

    @Test func everyHandlerOfTheTable_hasItsFile_itsPhrasebook_andItsSentences() {
        let sources = "\(SourceTree.root)/Sources"
        for name in ["emergency", "van", "modes", "finance", "manifest", "checklist", "travel"] {
            let folder = name.prefix(1).uppercased() + name.dropFirst()
            let file = "\(sources)/Handlers/\(folder)/\(folder)Handler.swift"
            #expect(FileManager.default.fileExists(atPath: file))
            #expect(FileManager.default.fileExists(atPath: "\(sources)/Language/Languages/en/\(name).yaml"))
            #expect(
                FileManager.default.fileExists(atPath: "\(SourceTree.root)/Tests/Sentences/en/\(name).yaml"),
                "a phrase and its test change together")
        }
    }
}
