import Domain
import Foundation

/// A 128-bit hash of contents: `StableHash` and a second hash of the same kind, eight bytes at a time, finished as
/// MurmurHash3 finishes its own (public domain, Austin Appleby). It guards against accidents, not against forgery.
///
/// Twice as long as `StableHash`, as a collision would use the wrong vocabulary unnoticed.
struct ContentDigest {
    private var low = StableHash()
    private var high: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// The hash so far in hexadecimal.
    var text: String { Self.hexadecimal(Self.finished(low.value)) + Self.hexadecimal(Self.finished(high)) }

    mutating func add(_ word: UInt64) {
        low.mix(word: word)
        high = ((high << 31 | high >> 33) &+ word) &* 0xff51_afd7_ed55_8ccd
    }

    mutating func add(_ data: Data) {
        data.withUnsafeBytes { bytes in
            let whole = bytes.count / 8
            for index in 0..<whole { add(bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
            for index in (whole * 8)..<bytes.count { add(UInt64(bytes[index])) }
        }
        add(UInt64(data.count))
    }

    mutating func add(_ text: String) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count % 8 == 0 { add(word) }
        }
        add(word)
        add(UInt64(count))
    }

    /// Adds everything a language model is built from.
    mutating func add(_ vocabulary: Vocabulary) {
        add(vocabulary.language)
        for (word, variants) in vocabulary.pronunciations.sorted(by: { $0.key < $1.key }) {
            add("\(word)=\(variants)")
        }
        for wordClass in vocabulary.classes {
            add(UInt64(wordClass.values.count) << 1 | (wordClass.isOpen ? 1 : 0))
            wordClass.values.forEach { add($0) }
        }
        add(UInt64(vocabulary.sentences.count))
        for sentence in vocabulary.sentences {
            add(sentence.weight.bitPattern)
            add(sentence.pattern)
            add(sentence.command ?? .sequence([]))
        }
    }

    private mutating func add(_ pattern: Vocabulary.Pattern) {
        switch pattern {
        case .word(let word):
            add(1)
            add(word)
        case .sequence(let parts):
            add(2)
            add(UInt64(parts.count))
            parts.forEach { add($0) }
        case .choice(let parts):
            add(3)
            add(UInt64(parts.count))
            parts.forEach { add($0) }
        case .optional(let part):
            add(4)
            add(part)
        case .wordClass(let index):
            add(5)
            add(UInt64(bitPattern: Int64(index)))
        }
    }

    private static func finished(_ sum: UInt64) -> UInt64 {
        var sum = sum
        sum = (sum ^ sum >> 33) &* 0xff51_afd7_ed55_8ccd
        sum = (sum ^ sum >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return sum ^ sum >> 33
    }

    private static func hexadecimal(_ sum: UInt64) -> String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
