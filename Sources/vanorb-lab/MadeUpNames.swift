import ArgumentParser

/// Names for vans that are full: 2,688 of a kind, the same ones every time.
enum MadeUpNames: String, ExpressibleByArgument, CaseIterable {
    /// Two everyday words: “folding stool”, as people name things.
    case words
    /// A made-up first word: “tragle bag”. Many differ in one sound only, which is harder than any van.
    case syllables

    /// The first `count` names of items, or all.
    func items(_ count: Int) -> ArraySlice<String> { all.prefix(max(0, count)) }

    /// As many names of devices, none of which are among the first items.
    func devices(_ count: Int) -> ArraySlice<String> { all.suffix(max(0, count)) }

    private var all: [String] {
        switch self {
        case .words: Self.ofWords
        case .syllables: Self.ofSyllables
        }
    }

    private static let ofWords: [String] = {
        let kinds = """
            red blue green yellow black white small large spare old new folding plastic wooden metal rubber leather \
            cotton woollen camping kitchen garden travel winter summer rain bicycle tool electric solar water gas phone \
            camera dog baby guest picnic beach ski fishing climbing swimming cleaning sewing bathroom emergency repair
            """
        let things = """
            bag box bottle bucket cable chair cloth cover cup cushion dish filter flask gloves hammer hat hook hose \
            jacket jar kettle knife ladder lamp mat mirror mug net pan pen pillow pipe plate pump rack rope rug saw \
            scissors shovel spoon stool strap table tape tent torch towel tray trousers whistle wrench basket blanket \
            brush scarf
            """
        return joined(kinds.split(separator: " "), things.split(separator: " "))
    }()

    private static let ofSyllables: [String] = {
        let openings = "bra cli do fen gla ho jin ka lo mer nu pla qui ru sti tra".split(separator: " ")
        let endings = "ble cket dge fter gle lder mper nt pper rn sher ttle x zer".split(separator: " ")
        let words = openings.flatMap { opening in endings.map { Substring(opening + $0) } }
        return joined(
            words, "box bag hose jacket bottle adapter kit rack cover strap filter mat".split(separator: " "))
    }()

    private static func joined(_ firsts: [Substring], _ lasts: [Substring]) -> [String] {
        lasts.flatMap { last in firsts.map { "\($0) \(last)" } }
    }
}
