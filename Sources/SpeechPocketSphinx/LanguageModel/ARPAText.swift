import Foundation
import CPocketSphinx

extension LanguageModel {
    /// The model in the ARPA format for back-off n-gram models, as SRILM's manual page ngram-format(5) describes it and
    /// PocketSphinx reads it: base-10 logarithms, one section for each length, histories with their back-off weight.
    func arpaText() -> [UInt8] {
        var text = ARPAWriter()
        text.reserve((bigrams.count + trigrams.count) * 48 + words.count * 32)
        text.write("\\data\\\nngram 1=\(words.count)\nngram 2=\(bigrams.count)\nngram 3=\(trigrams.count)\n")
        let names = words.map { Array($0.utf8) }

        text.write("\n\\1-grams:\n")
        for (number, name) in names.enumerated() {
            text.write(logarithmOf: unigrams[number])
            text.write(name, after: 0x20)
            text.write(backoff: backoffAfterWord[number])
        }
        text.write("\n\\2-grams:\n")
        var histories = backoffAfterPair[...]
        for row in bigrams {
            text.write(logarithmOf: row.probability)
            text.write(names[Int(NGramKey.history(row.key))], after: 0x20)
            text.write(names[Int(NGramKey.last(row.key))], after: 0x20)
            while let history = histories.first, history.key < row.key { histories.removeFirst() }
            let isHistory = histories.first?.key == row.key
            text.write(backoff: isHistory ? histories.first?.probability ?? 1 : 1)
        }
        text.write("\n\\3-grams:\n")
        for row in trigrams {
            let pair = NGramKey.history(row.key)
            text.write(logarithmOf: row.probability)
            text.write(names[Int(NGramKey.history(pair))], after: 0x20)
            text.write(names[Int(NGramKey.last(pair))], after: 0x20)
            text.write(names[Int(NGramKey.last(row.key))], after: 0x20)
            text.write("\n")
        }
        text.write("\n\\end\\\n")
        return text.bytes
    }
}

/// Writes numbers and words without `String`, which would take most of the time of building a model.
private struct ARPAWriter {
    private(set) var bytes: [UInt8] = []

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func write(_ word: [UInt8], after separator: UInt8) {
        bytes.append(separator)
        bytes.append(contentsOf: word)
    }

    mutating func write(backoff weight: Double) {
        bytes.append(0x20)
        write(logarithmOf: weight)
        bytes.append(0x0A)
    }

    /// A logarithm with four decimals; -99 stands for never, as the format has it.
    mutating func write(logarithmOf probability: Double) {
        guard probability > 1e-90 else { return write("-99.0000") }
        let scaled = Int((log10(probability) * 10_000).rounded())
        if scaled < 0 { bytes.append(0x2D) }
        let magnitude = abs(scaled)
        write(digits: magnitude / 10_000, atLeast: 1)
        bytes.append(0x2E)
        write(digits: magnitude % 10_000, atLeast: 4)
    }

    private mutating func write(digits number: Int, atLeast width: Int) {
        var divisor = 1
        for _ in 1..<max(1, width) { divisor *= 10 }
        while number / divisor >= 10 { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            bytes.append(UInt8(0x30 + rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }
}

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
