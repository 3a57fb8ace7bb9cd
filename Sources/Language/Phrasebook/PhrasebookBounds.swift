import Configuration

/// What a phrasebook may hold at most. Templates are kept as they are written, with rules filled in, and are searched
/// for each utterance: a few lines that use each other could stand for more than any memory holds.
enum PhrasebookBounds {
    /// The most files of custom commands, the longest of them, and the length of all, in bytes.
    static let files = 500, fileSize = 1 << 20, allFilesSize = 4 << 20
    /// The longest template, in characters as written.
    static let templateLength = 4_000
    /// The longest word, in letters: no recogniser has more sounds in a row for one.
    static let wordLength = 60
    /// The most parts (words, slots, groups) of one template, its rules filled in.
    static let parts = 2_000
    /// The most parts of all templates of all custom phrasebooks.
    static let allParts = 60_000
    /// The most alternatives of one group.
    static let alternatives = 1_000
    /// The most values of one slot.
    static let values = 5_000
    /// How deep groups may stand in each other, rules filled in.
    static let depth = 40
    /// How deep rules may use each other.
    static let ruleDepth = 20
    /// The most sentences that one template may make, each value of a slot's list counted, the owner's names as one.
    static let sentences = 1e15

    /// Why something is refused.
    struct Excess: Error {
        let message: String

        init(_ message: String, most: Int) {
            self.message = "\(message): \(PlainNumber.grouped(most)) are allowed"
        }
    }
}

/// How big a template is.
struct TemplateExtent {
    /// Words, slots and groups.
    private(set) var parts = 0
    /// The sentences that it makes.
    private(set) var sentences = 1.0

    /// - Parameter values: how many values a slot has.
    /// - Throws: as soon as the template is found to be beyond a bound: it is followed no further.
    init(of template: Template, values: (String) -> Double = { _ in 1 }) throws(PhrasebookBounds.Excess) {
        sentences = try count(template, 1, values)
        guard sentences <= PhrasebookBounds.sentences else {
            throw PhrasebookBounds.Excess(
                "the template makes more sentences than can be listened for", most: Int(PhrasebookBounds.sentences))
        }
    }

    private mutating func count(
        _ template: Template, _ level: Int, _ values: (String) -> Double
    ) throws(PhrasebookBounds.Excess) -> Double {
        parts += 1
        guard parts <= PhrasebookBounds.parts else {
            throw .init(
                "the template has too many words, slots and groups, rules filled in", most: PhrasebookBounds.parts)
        }
        guard level <= PhrasebookBounds.depth else {
            throw .init("groups stand too deep in each other, rules filled in", most: PhrasebookBounds.depth)
        }
        switch template {
        case .word(let word):
            guard word.count <= PhrasebookBounds.wordLength else {
                throw .init("a word is too long, in letters", most: PhrasebookBounds.wordLength)
            }
            return 1
        case .rule: return 1
        case .slot(let list, _): return values(list)
        case .optional(let part): return try 1 + count(part, level + 1, values)
        case .sequence(let parts):
            var product = 1.0
            for part in parts { product *= try count(part, level + 1, values) }
            return product
        case .choice(let parts):
            guard parts.count <= PhrasebookBounds.alternatives else {
                throw .init(
                    "a group has \(PlainNumber.grouped(parts.count)) alternatives", most: PhrasebookBounds.alternatives)
            }
            var sum = 0.0
            for part in parts { sum += try count(part, level + 1, values) }
            return sum
        }
    }
}

/// What is left for the owner's phrasebooks together.
final class PhrasebookBudget {
    private var parts = 0, bytes = 0
    /// The parts of the file that is being read.
    private var ofThisFile = 0

    /// Counts a file.
    func begin(bytes count: Int) throws(PhrasebookBounds.Excess) {
        ofThisFile = 0
        guard bytes + count <= PhrasebookBounds.allFilesSize else {
            throw .init("all phrasebooks together are too large, in bytes", most: PhrasebookBounds.allFilesSize)
        }
        bytes += count
    }

    /// Counts what is in the file.
    func add(_ count: Int) throws(PhrasebookBounds.Excess) {
        ofThisFile += count
        guard parts + ofThisFile <= PhrasebookBounds.allParts else {
            throw .init(
                "all phrasebooks together have too many words, slots and groups, rules filled in",
                most: PhrasebookBounds.allParts)
        }
    }

    /// The file counts; one that is left out takes nothing from the others.
    func keep() {
        parts += ofThisFile
        ofThisFile = 0
    }
}
