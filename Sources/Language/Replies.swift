import Domain
import Configuration
import Foundation

/// The replies of a language: the files of its `replies` folder, texts with `{placeholders}` under dotted keys. What is
/// said in another way than it is shown has both: `percent: {spoken: "{value} percent", written: "{value}%"}`.
public struct Replies: Sendable {
    private struct Text: Sendable {
        let spoken: PlaceholderText
        /// Nil where it is shown as it is said.
        let written: PlaceholderText?

        init(_ node: ConfigurationNode) throws {
            guard node.isMapping else {
                (spoken, written) = (PlaceholderText(try node.string()), nil)
                return
            }
            let forms = try node.entries(allowed: ["spoken", "written"])
            guard let said = forms["spoken"], let shown = forms["written"] else {
                throw node.error("expected both: spoken and written")
            }
            (spoken, written) = (PlaceholderText(try said.string()), PlaceholderText(try shown.string()))
        }

        func filled(_ values: [String: any Worded]) -> Wording {
            guard let written else { return spoken.worded(values) }
            return Wording(spoken: spoken.worded(values).spoken, written: written.worded(values).written)
        }
    }

    private let texts: [String: Text]

    /// Reads all files of the folder.
    /// - Throws: `ConfigurationError` for a group that two files have.
    package init(_ folder: LanguageFolder) throws {
        let path = folder.path + "/replies"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
            $0.hasSuffix(".yaml")
        }
        var texts: [String: Text] = [:], files: [String: String] = [:]
        for name in names.sorted() {
            for (group, node) in try folder.file("replies/\(name)").entries() {
                if let other = files[group] { throw node.error("the group stands in \(other) already") }
                files[group] = name
                for (key, value) in try node.entries() {
                    texts["\(group).\(key)"] = try Text(value)
                }
            }
        }
        guard !texts.isEmpty else {
            throw ConfigurationError(file: path, line: nil, message: "there are no replies; expected YAML files here")
        }
        self.texts = texts
    }

    /// The reply under `key`, filled. A key that the language lacks gives the key itself, which tests catch.
    public func callAsFunction(_ key: String, _ values: [String: any Worded] = [:]) -> Wording {
        texts[key]?.filled(values) ?? Wording(key)
    }

    /// True where the language has a reply under `key`.
    package func has(_ key: String) -> Bool { texts[key] != nil }

    /// The keys that exist.
    public var keys: Set<String> { Set(texts.keys) }
}
