/// A hash that is the same in every run and on every machine: FNV-1a with 64 bits (offset and prime by Fowler, Noll and
/// Vo). It guards against accidents, not against forgery.
package struct StableHash {
    /// The hash of what was added so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    /// Adds bytes, behind those added before.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The hash of the seed's bytes and the text's.
    package static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var hash = StableHash()
        hash.add((0..<8).map { UInt8(truncatingIfNeeded: seed >> ($0 * 8)) })
        hash.add(text.utf8)
        return hash.value
    }
}
