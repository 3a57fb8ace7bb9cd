/// Numbers as they are typed: what is malformed is refused with the reason, before anything reads a value out of it.
enum TypedNumber {
    /// Digits beyond these are none that anything in a van counts to.
    private static let mostDigits = 15

    /// - Throws: `TypedRefusal` that names the word and how numbers are written, for each word of `text` that holds a
    ///   figure and is no number with its sign, currency and unit.
    static func check(_ text: String) throws(TypedRefusal) {
        for word in text.split(whereSeparator: \.isWhitespace) where word.contains(where: \.isNumber) {
            if let reason = fault(in: word) { throw TypedRefusal("“\(word)” is not a number: \(reason)") }
        }
    }

    /// The first malformed number of words that hold no amount.
    static func firstFault(in words: [String]) -> TypedRefusal? {
        for word in words where word.contains(where: \.isNumber) {
            // A word with letters in it is a name, such as “7up” or “a4”; “1e5” and figures of other scripts are not.
            let isNumeric = !word.contains(where: \.isLetter) || word.contains(/^[-−+£$€¥]*[0-9.,]+[eE][-+]?[0-9]+$/)
            if isNumeric, let reason = fault(in: Substring(word)) {
                return TypedRefusal("“\(word)” is not a number: \(reason)")
            }
        }
        return nil
    }

    private static func fault(in word: Substring) -> String? {
        let word = String(word).trimming { "'\"“”‘’#~".contains($0) }
        guard word.allSatisfy({ !$0.isNumber || $0.isASCII }) else { return "write it with the figures 0 to 9." }
        guard !word.contains(/[0-9.,][eE][-+]?[0-9]/) else { return "write it out, such as 1000 for 1e3." }
        // A sign and a currency before it; a currency or a unit, and the end of a sentence, behind it.
        let ahead = word.prefixMatch(of: /[-−+]?(?:[£$€¥]|[A-Z]{3})?(?=[0-9])|(?:[£$€¥]|[A-Z]{3})[-−+]/)
        let behind = word[(ahead?.range.upperBound ?? word.startIndex)...]
        guard let number = behind.wholeMatch(of: /([0-9][0-9.,]*?)[£$€¥%°]?[A-Za-z²³]*[.,;:!?]?/)?.output.1 else {
            return word.contains(/^[^0-9]*[.,][0-9]/)
                ? "write the nought before the decimals, such as 0.5."
                : "expected are figures such as 1250.50, with one sign at most."
        }
        guard number.count(where: \.isNumber) <= mostDigits else { return "it has more than \(mostDigits) digits." }
        let isGrouped =
            number.wholeMatch(of: /[0-9]+(?:\.[0-9]+)?|[0-9]+,[0-9]{1,2}/) != nil
            || number.wholeMatch(of: /[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?/) != nil
            || number.wholeMatch(of: /[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]{1,2}/) != nil
        return isGrouped ? nil : "thousands stand in groups of three, such as 1,250.50, 1.250,50 or 1250.50."
    }
}
