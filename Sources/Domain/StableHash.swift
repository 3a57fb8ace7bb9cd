import Foundation

/// A hash that is the same in every run and on every machine: FNV-1a with 64 bits (offset and prime by Fowler, Noll and
/// Vo). It guards against accidents, not against forgery.
@frozen public struct StableHash: Sendable, Equatable {
    @usableFromInline var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of what was added so far.
    @inlinable public var value: UInt64 { state }

    /// The hash of nothing.
    @inlinable public init() {}

    /// Adds bytes, behind those added before.
    @inlinable public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Adds eight bytes at once; the hash differs from that of the single bytes.
    @inlinable public mutating func add(word: UInt64) { state = (state ^ word) &* 0x100_0000_01B3 }

    /// Adds eight bytes at once, and mixes: a product carries upwards only, so that without it two words whose highest
    /// bits are wrong could cancel each other out.
    @inlinable public mutating func mix(word: UInt64) {
        add(word: word)
        state ^= state >> 29
    }

    /// Mixes in the bytes, eight at a time, and the length: eight times as fast as single bytes.
    public mutating func mixWords(of data: Data) {
        data.withUnsafeBytes { bytes in
            let whole = bytes.count / 8
            for index in 0..<whole {
                mix(word: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
            }
            for index in (whole * 8)..<bytes.count { mix(word: UInt64(bytes[index])) }
        }
        mix(word: UInt64(data.count))
    }

    /// The hash of the seed's bytes and the text's.
    public static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var hash = StableHash()
        hash.add((0..<8).map { UInt8(truncatingIfNeeded: seed >> ($0 * 8)) })
        hash.add(text.utf8)
        return hash.value
    }
}
