import Foundation
import Testing

/// What is written for people: short at the front, and no link that leads nowhere.
@Suite struct MarkdownTests {
    @Test func readme_isAScreenOrTwo() throws {
        let text = try Markdown.text("README.md")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
        #expect(lines <= 120, "README.md has \(lines) lines; what is longer belongs into a chapter of deploy/manual")
    }

    @Test(arguments: ["CONTRIBUTING.md", "Sources/README.md"])
    func everyPathInBackticks_exists(file: String) throws {
        let paths = Markdown.paths(try Markdown.text(file))
        #expect(paths.count > 20)
        let tree = Markdown.tree
        for (number, path) in paths where !Markdown.exists(path, in: tree) {
            Issue.record("\(file):\(number): there is no `\(path)`")
        }
    }

    @Test(arguments: [
        ("Sources/README.md", true), ("Sources/Nowhere.swift", false), ("README.md", true),
        ("MarkdownTests.swift", true),
        ("Nowhere.swift", false), ("Languages/en/", true), ("Languages/nowhere/", false),
        ("Sources/Language/Languages/en/<handler>.yaml", true), ("Sources/Nowhere/<handler>.yaml", false),
        ("deploy/Languages/en/", false),
    ])
    func aPath_existsFromTheRootOrByItsEnd(path: String, exists: Bool) {
        #expect(Markdown.paths("Look at `\(path)`.").map { $0.path } == [path])
        #expect(Markdown.exists(path, in: Markdown.tree) == exists)
    }

    @Test func commandsAndNames_areNoPaths() {
        let text =
            "`act(on:in:)`, `vanorb settings`, `-c release`, `HandlerName.order`, `VANORB_FAULTS=all`, `.swift-format`"
        #expect(Markdown.paths(text).isEmpty)
    }

    @Test func everyRelativeLink_resolves() throws {
        let files = Markdown.files
        #expect(files.count > 10)
        for file in files {
            for problem in Markdown.problems(of: file, text: try Markdown.text(file)) { Issue.record("\(problem)") }
        }
    }

    @Test(arguments: [
        "[a](CONTRIBUTING.md)", "[a](CONTRIBUTING.md#a-phrase)", "[a](#here-it-is)", "![a](LICENSE \"title\")",
        "<img src=\"LICENSE\">", "[a]: LICENSE", "[a](https://example.org/nowhere)", "`[a](nowhere)`",
        "```\n[a](nowhere)\n```", "[a](deploy/)",
    ])
    func aLinkThatResolves_isNoProblem(link: String) {
        #expect(Markdown.problems(of: "README.md", text: "## Here: it is\n\(link)\n") == [])
    }

    @Test(arguments: [
        "[a](nowhere.md)", "[a](CONTRIBUTING.md#nowhere)", "[a](#nowhere)", "![a](deploy/nowhere.svg)",
        "<img src=\"nowhere.svg\">", "[a]: nowhere.md", "[`a` b](nowhere.md)",
    ])
    func aLinkThatDoesNot_isNamed(link: String) {
        let problems = Markdown.problems(of: "README.md", text: "## Here: it is\n\(link)\n")
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("README.md:2") == true)
    }
}

/// Markdown as far as links need it.
private enum Markdown {
    /// All Markdown files of the package, from its folder on; nothing of hidden folders such as `.build`.
    static var files: [String] {
        let everything = FileManager.default.enumerator(
            at: URL(filePath: SourceTree.root), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let urls = everything?.compactMap { $0 as? URL } ?? []
        return urls.filter { $0.pathExtension == "md" }
            .map { String($0.path.dropFirst(SourceTree.root.count + 1)) }.sorted()
    }

    /// All files and folders of the package, from its folder on; a folder's path ends with a slash.
    static var tree: [String] {
        let everything = FileManager.default.enumerator(
            at: URL(filePath: SourceTree.root), includingPropertiesForKeys: [.isDirectoryKey],
            options: [.skipsHiddenFiles])
        return (everything?.compactMap { $0 as? URL } ?? []).map { url in
            let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
            return String(url.path.dropFirst(SourceTree.root.count + 1)) + (isFolder ? "/" : "")
        }
    }

    /// What is written in backticks and is a path, with its line: one of a folder of the package, a folder, or a file.
    static func paths(_ text: String) -> [(line: Int, path: String)] {
        prose(text).flatMap { number, line in
            line.matches(of: /`([^`]+)`/).map { String($0.1) }.filter { code in
                !code.contains(" ")
                    && (code.hasSuffix("/") || code.contains(/^(Sources|Tests|deploy|board|systemd)\//)
                        || code.contains(/^[^.\/].*\.(swift|yaml|md|sh|tsv|timer|service|mdoc|jq)$/))
            }.map { (number, $0) }
        }
    }

    /// Whether a path exists: from the package's folder on if it begins with one of that folder's, otherwise as the end
    /// of some path. A name in angle brackets or an asterisk stands for any.
    static func exists(_ path: String, in tree: [String]) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isRooted = ["Sources", "Tests", "deploy", "board", "systemd"].contains(parts[0])
        let pattern = path.split(separator: /<[^>]+>|\*/, omittingEmptySubsequences: false)
            .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "[^/]+")
        guard let regex = try? Regex((isRooted ? "^" : "(^|/)") + pattern + (path.hasSuffix("/") ? "$" : "/?$")) else {
            return false
        }
        return tree.contains { $0.contains(regex) }
    }

    static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(SourceTree.root)/\(file)", encoding: .utf8)
    }

    /// Each relative link of a file whose target or heading is not there, with its line.
    static func problems(of file: String, text: String) -> [String] {
        prose(text).flatMap { number, line in
            links(line).compactMap { link in
                problem(link, in: file, text: text).map { "\(file):\(number): \(link) – \($0)" }
            }
        }
    }

    private static func problem(_ link: String, in file: String, text: String) -> String? {
        guard !link.contains(/^[a-z][a-z0-9+.-]*:/) else { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].removingPercentEncoding ?? parts[0]
        let folder = URL(filePath: "\(SourceTree.root)/\(file)").deletingLastPathComponent()
        let target = path.isEmpty ? nil : folder.appending(path: path).standardized.path
        if let target, !FileManager.default.fileExists(atPath: target) { return "there is no such file" }
        guard parts.count == 2, target?.hasSuffix(".md") != false else { return nil }
        let aim = target.map { try? String(contentsOfFile: $0, encoding: .utf8) } ?? text
        return anchors(aim ?? "").contains(parts[1]) ? nil : "there is no such heading"
    }

    /// The lines that are not within a fence, with their numbers.
    private static func prose(_ text: String) -> [(Int, String)] {
        var isFenced = false
        return text.components(separatedBy: "\n").enumerated().compactMap { place, line in
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                isFenced.toggle()
                return nil
            }
            return isFenced ? nil : (place + 1, line)
        }
    }

    private static func links(_ line: String) -> [String] {
        let bare = line.replacing(/`[^`]*`/, with: "code")
        return bare.matches(of: /\]\(([^)\s]+)[^)]*\)/).map { String($0.1) }
            + bare.matches(of: /^\s*\[[^\]]+\]:\s*(\S+)/).map { String($0.1) }
            + bare.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.1) }
    }

    /// The headings as GitHub names them: small letters, hyphens for spaces, no punctuation, a number for a repeated
    /// one.
    private static func anchors(_ text: String) -> Set<String> {
        var seen: [String: Int] = [:]
        let names = prose(text).compactMap { _, line -> String? in
            guard let title = line.wholeMatch(of: /#{1,6}\s+(.*)/)?.1 else { return nil }
            let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            let name = kept.replacing(" ", with: "-")
            defer { seen[name, default: 0] += 1 }
            return seen[name].map { "\(name)-\($0)" } ?? name
        }
        return Set(names)
    }
}
