/// Names of two words, most with a first word that few others have, as people name things; for vans that are full.
enum MadeUpNames {
    /// All there are: 2,688, the same ones every time.
    static let all: [String] = {
        let openings = [
            "bra", "cli", "do", "fen", "gla", "ho", "jin", "ka", "lo", "mer", "nu", "pla", "qui", "ru", "sti", "tra",
        ]
        let endings = [
            "ble", "cket", "dge", "fter", "gle", "lder", "mper", "nt", "pper", "rn", "sher", "ttle", "x", "zer",
        ]
        let things = [
            "box", "bag", "hose", "jacket", "bottle", "adapter", "kit", "rack", "cover", "strap", "filter", "mat",
        ]
        return things.flatMap { thing in openings.flatMap { a in endings.map { b in "\(a)\(b) \(thing)" } } }
    }()

    /// As many names of items as are wanted, or all there are.
    static func items(_ count: Int) -> ArraySlice<String> { all.prefix(max(0, count)) }

    /// As many names of devices, which are none of the first items.
    static func devices(_ count: Int) -> ArraySlice<String> { all.suffix(max(0, count)) }
}
