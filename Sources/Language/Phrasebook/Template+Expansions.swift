import Domain

extension Template {
    /// How many sentences it can make: each value of a list and each of the owner's names counts, numbers, measures and
    /// free text as one.
    public func expansions(in book: Phrasebook, names: OwnerNames) -> Double {
        switch self {
        case .word, .rule: return 1
        case .sequence(let parts): return parts.reduce(1) { $0 * $1.expansions(in: book, names: names) }
        case .choice(let parts): return parts.reduce(0) { $0 + $1.expansions(in: book, names: names) }
        case .optional(let part): return 1 + part.expansions(in: book, names: names)
        case .slot(let list, _):
            switch book.slots[list] {
            case .list(let values): return values.reduce(0) { $0 + $1.template.expansions(in: book, names: names) }
            case .template(let template): return template.expansions(in: book, names: names)
            case .kind(let kind, _): return kind.isOwners ? max(1, Double(names[kind].count)) : 1
            case nil: return 0
            }
        }
    }
}
