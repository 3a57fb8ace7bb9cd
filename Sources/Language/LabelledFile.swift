import Domain
import Configuration
import Foundation

/// Files of labelled sentences: a sentence, a tab, and `handler.intent` or `none` on each line.
package enum LabelledFile {
    /// The sentences of all `.tsv` files in a subfolder of a language; none where there is no such folder.
    /// - Throws: `ConfigurationError` with the line that is no labelled sentence.
    package static func sentences(_ folder: LanguageFolder, _ subfolder: String) throws -> [TrainingSentence] {
        let path = "\(folder.path)/\(subfolder)"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".tsv") }
        return try names.sorted().flatMap { try sentences(of: "\(path)/\($0)") }
    }

    private static func sentences(of file: String) throws -> [TrainingSentence] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ConfigurationError(file: file, line: nil, message: "cannot be read as UTF-8 text")
        }
        var sentences: [TrainingSentence] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let handlers = HandlerName.order + ["none"]
            guard fields.count == 2, handlers.contains(String(fields[1].prefix { $0 != "." })) else {
                throw ConfigurationError(
                    file: file, line: number + 1, message: "expected a sentence, a tab, and handler.intent or none")
            }
            sentences.append(TrainingSentence(text: fields[0], intent: fields[1]))
        }
        return sentences
    }
}
