import Configuration
import Foundation

/// Where the settings come from.
package struct SettingsSource: Sendable {
    /// Every setting with its default.
    package let defaults: String
    /// The owner's file.
    package let owner: String
    /// True where the owner's file may be missing.
    package let mayBeMissing: Bool
    /// Values of the command line, over all files.
    package let overrides: [String]

    package init(defaults: String, owner: String, mayBeMissing: Bool, overrides: [String]) {
        self.defaults = defaults
        self.owner = owner
        self.mayBeMissing = mayBeMissing
        self.overrides = overrides
    }

    /// The owner's file as it is now; empty where it is missing and may be.
    /// - Throws: `ConfigurationError`.
    package func ownersText() throws -> String {
        if mayBeMissing, access(owner, F_OK) != 0, errno == ENOENT { return "" }
        return try ConfigurationNode.text(of: owner)
    }

    /// The settings with this text in place of the owner's file.
    /// - Parameter key: of this one the command line has no say.
    /// - Throws: `ConfigurationError`.
    package func file(owner text: String, without key: String? = nil) throws -> SettingsFile {
        try SettingsFile(
            defaults: defaults, ownersNode: ConfigurationNode(parsing: text, file: owner),
            overrides: overrides.filter { override in key.map { !override.hasPrefix($0 + "=") } ?? true })
    }

    /// Reads everything as it is now.
    /// - Throws: `ConfigurationError`.
    package func load() throws -> Settings { try Settings(file(owner: ownersText())) }

    /// What the comments of the defaults say of each setting. A comment belongs to the line below it; where a setting
    /// has none, that of its section counts.
    package func descriptions() throws -> [(key: String, text: String)] {
        let text = try ConfigurationNode.text(of: defaults)
        var found: [(key: String, text: String)] = [], comment: [String] = [], section = "", ofSection = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("#") {
                comment.append(words.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces))
            } else if let colon = words.firstIndex(of: ":") {
                let name = String(words[..<colon]), isNested = line.first == " "
                let said = comment.joined(separator: " ")
                if isNested {
                    found.append(("\(section).\(name)", said.isEmpty ? ofSection : said))
                } else if words[words.index(after: colon)...].allSatisfy(\.isWhitespace) {
                    (section, ofSection) = (name, said)
                } else {
                    found.append((name, said))
                }
                comment = []
            } else {
                comment = []
            }
        }
        return found
    }
}
