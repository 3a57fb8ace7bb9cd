import Domain

/// A slot list, ready to search.
package enum CompiledSlot: Sendable {
    case list(PhraseAutomaton, values: [String?])
    case names(SlotKind)
    case number
    case money
    case measure(SlotKind, bare: Bool)
    case period
    case text
    case word
}

/// All phrasebooks with the owner's names, compiled for matching. Made anew in the background when either changes.
public struct PhraseIndex: Sendable {
    /// The phrasebooks that it was made from.
    public let books: Phrasebooks
    /// The owner's names that it was made from.
    public let names: OwnerNames
    /// Those, and what is made from them: the other ways in which tasks are spoken of.
    package let allNames: OwnerNames
    /// The words of the phrasebooks and of the names.
    package let table: WordTable
    let nameAutomata: [SlotKind: PhraseAutomaton]
    private let compiled: CompiledPhrases

    package var phrases: PhraseAutomaton { compiled.phrases }
    package var keywords: PhraseAutomaton { compiled.keywords }
    package var slots: [CompiledSlot] { compiled.slots }
    /// The intents of the tags of `phrases` and `keywords`.
    var intents: [CompiledPhrases.Intent] { compiled.intents }
    /// Slot numbers by phrasebook file and list name.
    var slotNumbers: [String: [String: Int]] { compiled.slotNumbers }
    var cues: AnalysisCues { compiled.cues }

    /// Compiles `books`, if nobody has yet, with `names`.
    public init(books: Phrasebooks, names: OwnerNames) {
        self.books = books
        self.names = names
        compiled = books.compiled
        allNames = books.words.adding(to: names, books.normaliser)
        var table = compiled.table
        nameAutomata = Self.automata(of: allNames, normaliser: books.normaliser, table: &table)
        self.table = table
    }

    /// The words that an intent's own phrases, and people's sentences for it, account for.
    func ownWords(of handler: String, _ intent: String) -> Set<String> {
        compiled.ownWords["\(handler).\(intent)"] ?? []
    }

    /// An automaton for each kind of the owner's names.
    private static func automata(
        of names: OwnerNames, normaliser: Normaliser, table: inout WordTable
    ) -> [SlotKind: PhraseAutomaton] {
        var automata: [SlotKind: PhraseAutomaton] = [:]
        for kind in SlotKind.allCases where kind.isOwners {
            var builder = PhraseAutomatonBuilder(isStemmed: true) { [$0] }
            for (index, name) in names[kind].enumerated() {
                for spelling in [name.name] + name.aliases {
                    let words = normaliser.canonicalWords(spelling).map(Template.word)
                    if !words.isEmpty { builder.add(.sequence(words), tag: index, table: &table) { _ in nil } }
                }
            }
            automata[kind] = builder.finished()
        }
        return automata
    }
}
