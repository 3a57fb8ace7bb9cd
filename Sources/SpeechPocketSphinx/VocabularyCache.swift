import Foundation

/// The files made from a vocabulary, kept from one start to the next under a name that says what they were made from.
///
/// A set of files is valid only with its seal, which is written last and holds the others' hashes: whatever was cut
/// off or damaged is made again.
struct VocabularyCache: Sendable {
    /// The files of one vocabulary.
    struct Files: Sendable {
        let languageModel: String
        let grammar: String
        let dictionary: String
        let unpronounceable: [String]
    }

    private struct Seal: Codable, Equatable {
        let kin: String
        let languageModel: String
        let grammar: String
        let dictionary: String
        let unpronounceable: [String]
    }

    /// Where new files go.
    let folder: String
    /// Where the package's own files lie, which are only read; nil for none.
    let shipped: String?

    /// The files under `key`, or nil when they are not there or not whole.
    /// - Parameter kin: names the model and the language that they serve.
    func files(_ key: String, kin: String) -> Files? {
        for folder in folders { if let files = sealed(key, in: folder, kin: kin) { return files } }
        return nil
    }

    /// Whole files of another vocabulary that serve the same model and language: the owner's of before, else the
    /// package's.
    func files(akinTo kin: String) -> Files? {
        for folder in folders {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []
            where name.hasPrefix("vocabulary-") && name.hasSuffix(".seal") {
                let key = String(name.dropFirst("vocabulary-".count).dropLast(".seal".count))
                if let files = sealed(key, in: folder, kin: kin) { return files }
            }
        }
        return nil
    }

    private var folders: [String] { [folder] + (shipped.map { [$0] } ?? []) }

    private func sealed(_ key: String, in folder: String, kin: String) -> Files? {
        guard let data = FileManager.default.contents(atPath: path(key, "seal", in: folder)),
            let seal = try? JSONDecoder().decode(Seal.self, from: data), seal.kin == kin,
            Self.sum(ofFile: path(key, "lm", in: folder)) == seal.languageModel,
            Self.sum(ofFile: path(key, "fsg", in: folder)) == seal.grammar,
            Self.sum(ofFile: path(key, "dict", in: folder)) == seal.dictionary
        else { return nil }
        return named(key, seal.unpronounceable, in: folder)
    }

    /// Writes the files under `key` and removes those of other vocabularies.
    /// - Throws: `PocketSphinxError` that names the folder.
    func store(_ key: String, kin: String, languageModel: [UInt8], grammar: [UInt8], lexicon: Lexicon) throws -> Files {
        let dictionary = Data(lexicon.text.utf8)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // The library sorts a text model at every loading, for seconds on a small board; its own form it maps.
            let text = path(key, "arpa", in: folder)
            defer { try? FileManager.default.removeItem(atPath: text) }
            try Data(languageModel).write(to: URL(fileURLWithPath: text))
            try LanguageModelFile.compile(text: text, to: path(key, "lm", in: folder))
            try write(dictionary, to: path(key, "dict", in: folder))
            try write(Data(grammar), to: path(key, "fsg", in: folder))
            let seal = Seal(
                kin: kin, languageModel: Self.sum(ofFile: path(key, "lm", in: folder)) ?? "",
                grammar: Self.sum(Data(grammar)),
                dictionary: Self.sum(dictionary),
                unpronounceable: lexicon.unpronounceable)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            try write(try encoder.encode(seal), to: path(key, "seal", in: folder))
        } catch let error as PocketSphinxError {
            throw error
        } catch {
            throw PocketSphinxError(
                call: "cache",
                detail: "cannot write the language model to \(folder) (\(error.localizedDescription)): "
                    + "see that the folder may be written to and that its disk is not full")
        }
        removeOthers(than: key)
        return named(key, lexicon.unpronounceable, in: folder)
    }

    private func named(_ key: String, _ unpronounceable: [String], in folder: String) -> Files {
        Files(
            languageModel: path(key, "lm", in: folder), grammar: path(key, "fsg", in: folder),
            dictionary: path(key, "dict", in: folder), unpronounceable: unpronounceable)
    }

    private func path(_ key: String, _ kind: String, in folder: String) -> String {
        "\(folder)/vocabulary-\(key).\(kind)"
    }

    /// `Data`'s atomic writing makes a temporary file next to the target and renames it.
    private func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    private func removeOthers(than key: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix("vocabulary-") && !name.hasPrefix("vocabulary-\(key).") {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    private static func sum(ofFile path: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)).map(sum)
    }

    private static func sum(_ data: Data) -> String {
        var digest = ContentDigest()
        digest.add(data)
        return digest.text
    }
}
