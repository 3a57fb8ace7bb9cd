import Domain

/// A stretch of a transcript that filled a free-text slot of a command.
package struct FreeStretch: Equatable {
    /// The command's place among those of the sentence, and its slot.
    package let command: Int, slot: String
    /// The words of the transcript.
    package let words: Range<Int>

    /// The stretches that free text was taken from, in the transcript's order; none of questions, which keep no text.
    package static func all(in commands: [Command], of transcript: Transcript, _ books: Phrasebooks) -> [FreeStretch] {
        let said = transcript.words.map(\.text)
        var found: [FreeStretch] = []
        for (place, command) in commands.enumerated() {
            let names = freeSlots(command.handler, command.intent, books)
            for (name, value) in command.slots where names.contains(name) && value.content == .text {
                let words = value.text.lowercased().split(separator: " ").map(String.init)
                guard let range = range(of: words, in: said),
                    !found.contains(where: { $0.words.overlaps(range) })
                else { continue }
                found.append(FreeStretch(command: place, slot: name, words: range))
            }
        }
        return found.sorted { $0.words.lowerBound < $1.words.lowerBound }
    }

    /// Where it was heard: from the end of the word before to the beginning of the word behind, or to the end.
    package func samples(in transcript: Transcript) -> Range<Int> {
        let all = transcript.words
        let start = words.lowerBound > 0 ? all[words.lowerBound - 1].end : 0
        let end = words.upperBound < all.count ? all[words.upperBound].start : .max
        return start..<max(start, end)
    }

    /// The slots of an intent that take free text and keep it.
    package static func freeSlots(_ handler: String, _ intent: String, _ books: Phrasebooks) -> Set<String> {
        var names = Set<String>()
        for book in books.books where book.handler == handler {
            for known in book.intents where known.name == intent && !known.asks {
                for slot in known.slots {
                    if case .kind(.text, _) = book.slots[slot.list] { names.insert(slot.name) }
                }
            }
        }
        return names
    }

    /// Where `words` are first said one behind the other.
    package static func range(of words: [String], in said: [String]) -> Range<Int>? {
        guard !words.isEmpty, words.count <= said.count else { return nil }
        return (0...(said.count - words.count)).lazy.map { $0..<$0 + words.count }.first { Array(said[$0]) == words }
    }
}
