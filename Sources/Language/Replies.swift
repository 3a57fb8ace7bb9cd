import Domain
import Configuration
import Foundation

/// The replies of a language: the files of its `replies` folder, texts with `{placeholders}` under dotted keys.
public struct Replies: Sendable {
    private let texts: [String: PlaceholderText]

    /// Reads all files of the folder.
    /// - Throws: `ConfigurationError` for a group that two files have.
    package init(_ folder: LanguageFolder) throws {
        let path = folder.path + "/replies"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(".yaml")
        }
        var texts: [String: PlaceholderText] = [:], files: [String: String] = [:]
        for name in names.sorted() {
            for (group, node) in try folder.file("replies/\(name)").entries() {
                if let other = files[group] { throw node.error("the group stands in \(other) already") }
                files[group] = name
                for (key, value) in try node.entries() {
                    texts["\(group).\(key)"] = PlaceholderText(try value.string())
                }
            }
        }
        guard !texts.isEmpty else {
            throw ConfigurationError(file: path, line: nil, message: "there are no replies; expected YAML files here")
        }
        self.texts = texts
    }

    /// The reply under `key`, filled. A key that the language lacks gives the key itself, which tests catch.
    public func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
        texts[key]?.filled(values) ?? key
    }

    /// True where the language has a reply under `key`.
    package func has(_ key: String) -> Bool { texts[key] != nil }

    /// The keys that exist.
    public var keys: Set<String> { Set(texts.keys) }
}
