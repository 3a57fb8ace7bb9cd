/// The replies of a language: `replies.yaml`, texts with `{placeholders}` under dotted keys.
public struct Replies: Sendable {
    private let texts: [String: PlaceholderText]

    init(_ root: ConfigurationNode) throws {
        var texts: [String: PlaceholderText] = [:]
        for (group, node) in try root.entries() {
            for (key, value) in try node.entries() { texts["\(group).\(key)"] = PlaceholderText(try value.string()) }
        }
        self.texts = texts
    }

    /// The reply under `key`, filled. A key that the language lacks gives the key itself, which tests catch.
    public func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
        texts[key]?.filled(values) ?? key
    }

    /// The keys that exist.
    public var keys: Set<String> { Set(texts.keys) }
}
