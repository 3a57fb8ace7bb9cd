/// Everything the owner can say, as weighted sentences over words: the phrasebooks with the owner's own names filled
/// in. Recognisers make their language model from it; it knows nothing of intents or meanings.
public struct Vocabulary: Sendable, Equatable {
    /// A sentence pattern. Alternatives are equally likely; an optional part is as likely to be said as not.
    public indirect enum Pattern: Sendable, Equatable, Hashable {
        /// One lower-case word.
        case word(String)
        /// All parts, in order.
        case sequence([Pattern])
        /// One of the parts.
        case choice([Pattern])
        /// The part, or nothing.
        case optional(Pattern)
        /// One value of the class at this index of `classes`.
        case wordClass(Int)
    }

    /// A pattern that is a whole sentence.
    public struct Sentence: Sendable, Equatable {
        /// What is said.
        public let pattern: Pattern
        /// Its share of all that is said, relative to the other sentences; positive.
        public let weight: Double
        /// The command in it, without the polite words around; nil for what makes sense only after something else.
        public let command: Pattern?
        /// True for what is only said where something was asked.
        public let isAnswer: Bool

        /// A sentence of `weight` that is a command as it stands.
        public init(pattern: Pattern, weight: Double) { self.init(pattern: pattern, weight: weight, command: pattern) }

        /// A sentence of `weight` with a command in it, or none.
        public init(pattern: Pattern, weight: Double, command: Pattern?, isAnswer: Bool = false) {
            self.pattern = pattern
            self.weight = weight
            self.command = command
            self.isAnswer = isAnswer
        }
    }

    /// A list of equally likely values that sentences share: the owner's items, the numbers, the categories.
    public struct WordClass: Sendable, Equatable {
        /// The slot's name, for messages.
        public let name: String
        /// The values; no value is empty. A value may refer to classes of a lower index only.
        public let values: [Pattern]
        /// True where the values are only what is likely, and any words may be said instead: free text.
        public let isOpen: Bool
        /// How a recogniser that writes figures and signs may put values: “£#.##”, with `#` for a whole number before a
        /// point and for a digit behind it.
        public let written: [String]

        /// A class of `values`.
        public init(name: String, values: [Pattern], isOpen: Bool = false, written: [String] = []) {
            self.name = name
            self.values = values
            self.isOpen = isOpen
            self.written = written
        }
    }

    /// The language's folder name, such as `en`.
    public let language: String
    /// The sentences that can be recognised.
    public let sentences: [Sentence]
    /// The classes that the sentences refer to.
    public let classes: [WordClass]

    /// What may be said before or after any command and changes nothing: “could you”, “please”.
    public let polite: [[String]]

    /// How the owner says some of the words, and others, as phones of the CMU set: instead of a dictionary's.
    public let pronunciations: [String: [[String]]]

    /// How else words may be written, by word: “tire” for “tyre”, “5” for “five”.
    public let writing: [String: [String]]

    /// Answers to questions in addition to the sentences: a bare number, a name, “the second one”.
    public let answers: [Pattern]

    /// What joins two commands in one sentence: “and then”.
    public let joins: [[String]]

    /// What may be said behind a command of when, or on what condition, it is meant: heard, so that it is not carried out
    /// without.
    public var later: [Pattern] = []

    /// Words that are often swallowed, and say the same when they are: articles.
    public var unstressed: Set<String> = []

    /// A vocabulary of `sentences` over `classes`.
    public init(
        language: String, sentences: [Sentence], classes: [WordClass], polite: [[String]] = [],
        pronunciations: [String: [[String]]] = [:], writing: [String: [String]] = [:], joins: [[String]] = [],
        answers: [Pattern] = []
    ) {
        self.language = language
        self.sentences = sentences
        self.classes = classes
        self.polite = polite
        self.pronunciations = pronunciations
        self.writing = writing
        self.joins = joins
        self.answers = answers
    }

    /// Every word that occurs, sorted.
    public var words: [String] {
        var found = Set<String>()
        func visit(_ pattern: Pattern) {
            switch pattern {
            case .word(let word): found.insert(word)
            case .sequence(let parts), .choice(let parts): parts.forEach(visit)
            case .optional(let part): visit(part)
            case .wordClass: break
            }
        }
        sentences.forEach { visit($0.pattern) }
        classes.forEach { $0.values.forEach(visit) }
        return found.sorted()
    }
}
