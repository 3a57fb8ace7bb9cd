/// Cuts a reply into sentences, so that the voice can begin with the first while the rest is still being made.
public struct SentenceSplitter: Sendable {
    private let abbreviations: Set<String>

    /// A splitter that knows some abbreviations, lower case with their dots (`e.g.`, `dr.`).
    public init(abbreviations: Set<String> = []) {
        self.abbreviations = abbreviations
    }

    /// The sentences in order; joined with single spaces they are the text again. A sentence ends at . ! or ? before
    /// white space or the end, never inside a number or behind an abbreviation.
    public func sentences(in text: String) -> [String] {
        var sentences: [String] = [], current: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            current.append(word)
            let bare = String(word).trimming { "\"”’')".contains($0) }
            if let last = bare.last, ".!?".contains(last), !abbreviations.contains(bare.lowercased()) {
                sentences.append(current.joined(separator: " "))
                current = []
            }
        }
        if !current.isEmpty { sentences.append(current.joined(separator: " ")) }
        return sentences
    }
}
