import CPocketSphinx
import Foundation

/// Language models in the library's own binary form, which loads in a tenth of the time of the text.
enum LanguageModelFile {
    /// Turns an ARPA text into the binary form.
    /// - Throws: `PocketSphinxError` with what the library logged; the target is whole or not there.
    static func compile(text: String, to path: String) throws {
        let part = path + ".part"
        let (isWritten, errors) = SphinxLog.collectingErrors { () -> Bool in
            // The base of the logarithms is the library's default, as the decoder has it.
            guard let logarithms = logmath_init(1.0001, 0, 0) else { return false }
            defer { logmath_free(logarithms) }
            guard let model = ngram_model_read(nil, text, NGRAM_ARPA, logarithms) else { return false }
            defer { ngram_model_free(model) }
            return ngram_model_write(model, part, NGRAM_BIN) == 0
        }
        guard isWritten, rename(part, path) == 0 else {
            unlink(part)
            throw PocketSphinxError(
                call: "ngram_model_write",
                detail: "cannot write the language model to \(path): "
                    + (errors.isEmpty ? String(cString: strerror(errno)) : errors.joined(separator: "; "))
                    + ". See that the folder may be written to and that its disk is not full")
        }
    }
}
