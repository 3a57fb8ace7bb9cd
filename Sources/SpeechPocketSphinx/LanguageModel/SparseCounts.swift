/// Weights under keys, kept as a list so that sums are made in an order that never changes: a dictionary's order, and
/// with it the last digits of a sum, differs from one run of the program to the next.
struct SparseCounts {
    struct Entry {
        var key: UInt64
        var weight: Double
    }

    private(set) var entries: [Entry] = []
    private var isMerged = true
    /// How many entries there may be before `mergeIfLong` merges them.
    private var longest = long
    private static let long = 500_000

    init() {}

    init(key: UInt64, weight: Double) { entries = [Entry(key: key, weight: weight)] }

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ key: UInt64, _ weight: Double) {
        entries.append(Entry(key: key, weight: weight))
        isMerged = false
    }

    mutating func add(_ other: SparseCounts, scaledBy scale: Double) {
        guard scale > 0, !other.entries.isEmpty else { return }
        for entry in other.entries { entries.append(Entry(key: entry.key, weight: entry.weight * scale)) }
        isMerged = false
    }

    func scaled(by scale: Double) -> SparseCounts {
        guard scale > 0 else { return SparseCounts() }
        guard scale != 1 else { return self }
        var result = self
        for index in result.entries.indices { result.entries[index].weight *= scale }
        return result
    }

    /// Sorts by key and adds up what has the same key. The sort is stable, so the sums are the same every time.
    mutating func merge() {
        guard !isMerged else { return }
        isMerged = true
        guard entries.count > 1 else { return }
        entries.sort { $0.key < $1.key }
        var last = 0
        for index in 1..<entries.count {
            if entries[index].key == entries[last].key {
                entries[last].weight += entries[index].weight
            } else {
                last += 1
                entries[last] = entries[index]
            }
        }
        entries.removeSubrange((last + 1)...)
    }

    /// Merges when so much was added that it is likely to shrink by it: bounds the memory at no more than a sort or
    /// two.
    mutating func mergeIfLong() {
        guard entries.count > longest else { return }
        merge()
        longest = max(Self.long, entries.count * 2)
    }

    func merged() -> SparseCounts {
        var result = self
        result.merge()
        return result
    }

    /// The entries with `key` in place of their own; used to sum over a part of the key.
    func regrouped(by key: (UInt64) -> UInt64) -> SparseCounts {
        var result = SparseCounts()
        result.entries = entries.map { Entry(key: key($0.key), weight: $0.weight) }
        result.isMerged = false
        result.merge()
        return result
    }
}

/// Up to three word numbers of 21 bits in one key, the last word in the lowest bits.
enum NGramKey {
    static let bits: UInt64 = 21
    static let mask: UInt64 = (1 << bits) - 1
    static let maximumWords = 1 << 21

    static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 { first << bits | second }
    static func triple(_ pair: UInt64, _ third: UInt64) -> UInt64 { pair << bits | third }
    static func triple(_ first: UInt64, followedBy pair: UInt64) -> UInt64 { first << (2 * bits) | pair }
    static func last(_ key: UInt64) -> UInt64 { key & mask }
    /// The key without its last word.
    static func history(_ key: UInt64) -> UInt64 { key >> bits }
    /// The first word of a pair.
    static func first(ofPair key: UInt64) -> UInt64 { key >> bits }
    /// A triple without its first word.
    static func tail(ofTriple key: UInt64) -> UInt64 { key & (mask << bits | mask) }
}
