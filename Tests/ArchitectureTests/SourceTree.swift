import Foundation

/// The files of the package, as the architecture tests read them.
enum SourceTree {
    /// The package's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    struct File: Sendable {
        /// From the package's folder on.
        let path: String
        /// The target: the folder under `Sources` or `Tests`.
        let target: String
        let lines: [String]

        /// Without the empty line behind the last line feed.
        var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }
    }

    /// The Swift files under a folder of the package.
    static func files(under folder: String) -> [File] {
        let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)")?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
            guard let text = try? String(contentsOfFile: "\(root)/\(folder)/\(name)", encoding: .utf8) else {
                return nil
            }
            let target = name.split(separator: "/").first.map(String.init) ?? ""
            return File(
                path: "\(folder)/\(name)", target: target, lines: text.components(separatedBy: "\n"))
        }
    }

    /// The modules that a file imports.
    static func imports(of file: File) -> [String] {
        file.lines.compactMap { line in
            var words = line.split(separator: " ").map(String.init)
            while let first = words.first, first.hasPrefix("@") || ["public", "internal", "private"].contains(first) {
                words.removeFirst()
            }
            guard words.first == "import", words.count > 1 else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
            let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
            return name.split(separator: ".").first.map(String.init)
        }
    }

    /// A line without its comment and without the contents of its texts, so that only code is looked at.
    static func code(_ line: String) -> String {
        var result = "", isText = false, previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" {
                isText.toggle()
                result.append(character)
            } else if !isText {
                if character == "/", previous == "/" { return String(result.dropLast()) }
                result.append(character)
            }
            previous = character
        }
        return result
    }
}
