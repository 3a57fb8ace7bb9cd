import Foundation

/// The files of an installed acoustic model and its dictionary.
struct SphinxModel: Sendable {
    /// The folder as configured.
    let folder: String
    /// The folder with `mdef`, `means` and the rest.
    let acoustic: String
    /// The pronunciation dictionary.
    let dictionary: String

    /// Searches `folder` for a sub-folder with an acoustic model and for a dictionary next to it.
    /// - Throws: `PocketSphinxError` that names the folder and Debian's package.
    init(folder: String) throws {
        let advice = "install Debian's package pocketsphinx-en-us, or set the folder of another model"
        let manager = FileManager.default
        guard let names = try? manager.contentsOfDirectory(atPath: folder).sorted() else {
            throw PocketSphinxError(call: "model", detail: "the folder \(folder) is missing. \(advice)")
        }
        func holdsModel(_ name: String) -> Bool {
            ["mdef", "means", "variances", "transition_matrices"].allSatisfy {
                manager.isReadableFile(atPath: "\(folder)/\(name)/\($0)")
            }
        }
        guard let acoustic = names.first(where: holdsModel) else {
            throw PocketSphinxError(call: "model", detail: "no acoustic model in \(folder): \(advice)")
        }
        guard let dictionary = names.first(where: { $0.hasSuffix(".dict") }),
            manager.isReadableFile(atPath: "\(folder)/\(dictionary)")
        else {
            throw PocketSphinxError(
                call: "model", detail: "no pronunciation dictionary (*.dict) in \(folder): \(advice)")
        }
        self.folder = folder
        self.acoustic = "\(folder)/\(acoustic)"
        self.dictionary = "\(folder)/\(dictionary)"
    }

    /// The model's definition.
    var definition: String { acoustic + "/mdef" }

    /// The acoustic model's files, sorted.
    var acousticFiles: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: acoustic)) ?? []).sorted().map { "\(acoustic)/\($0)" }
    }

    /// Returns where the library may read the acoustic model.
    /// - Throws: `PocketSphinxError` that says how the trial ended, and what to do.
    func check(_ trials: SphinxTrials?) throws {
        try check("the acoustic model in \(acoustic)") { try trials?.acoustic(acousticFiles) }
    }

    /// Returns where the library may read the general language model with the dictionary, too.
    /// - Throws: `PocketSphinxError` that says how the trial ended, and what to do.
    func checkGeneral(_ trials: SphinxTrials?) throws {
        try check("the general language model \(generalLanguageModel)") {
            try trials?.general([generalLanguageModel, dictionary])
        }
    }

    private func check(_ what: String, _ trial: () throws -> Void) throws {
        do { try trial() } catch {
            throw PocketSphinxError(
                call: "trial",
                detail: "\(what) cannot be used: \(error). Install Debian's package pocketsphinx-en-us again "
                    + "(apt-get install --reinstall), or set the folder of another model")
        }
    }

    /// Sizes and times of the files: changes when another version of the model is installed.
    var fingerprint: String {
        [definition, "\(acoustic)/means", dictionary].map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
            let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return "\(path):\(size):\(Int64(date))"
        }.joined(separator: "|")
    }
}
