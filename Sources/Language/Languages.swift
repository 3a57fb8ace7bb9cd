import Configuration
import Foundation

/// The folders of language data: one folder a language, `en` and so on.
public struct LanguageFolder: Sendable {
    /// The language's name, which is the folder's.
    public let language: String
    /// The folder's path.
    public let path: String

    /// The folder of `language` under `root`.
    public init(language: String, root: String) {
        self.language = language
        path = root + "/" + language
    }

    /// The folder of the languages that ship with the program.
    public static var shippedRoot: String {
        // An installed appliance keeps its data apart from the program; a build tree has it in the resource bundle.
        let installed = "/usr/share/vanorb/Languages"
        if FileManager.default.fileExists(atPath: installed) { return installed }
        return Bundle.module.resourceURL?.appendingPathComponent("Languages").path ?? installed
    }

    /// The languages under `root`, sorted.
    public static func installed(root: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: "\(root)/\($0)/normaliser.yaml") }.sorted()
    }

    /// True when the folder has a file of this name.
    func hasFile(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    /// Reads a YAML file of the folder.
    package func file(_ name: String) throws -> ConfigurationNode {
        try ConfigurationNode(contentsOf: "\(path)/\(name)")
    }
}
