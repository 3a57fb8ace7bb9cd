import Foundation

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

    /// Adds the length and the bytes, eight at a time, which is eight times as fast; the hash is another than that of
    /// single bytes.
    package mutating func addWords(of data: Data) {
        data.withUnsafeBytes { bytes in
            let whole = bytes.count / 8
            for index in 0..<whole {
                addWord(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
            }
            for index in (whole * 8)..<bytes.count { addWord(UInt64(bytes[index])) }
        }
        addWord(UInt64(data.count))
    }

    private mutating func addWord(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        // A product carries upwards only: without this, two words whose highest bits are wrong would make up for it.
        value ^= value >> 29
    }

    /// The hash of the seed's bytes and the text's.
    package static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var hash = StableHash()
        hash.add((0..<8).map { UInt8(truncatingIfNeeded: seed >> ($0 * 8)) })
        hash.add(text.utf8)
        return hash.value
    }
}
