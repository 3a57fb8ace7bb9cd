/// Turns a sentence into hashed features: words, pairs of words, and runs of three and four characters within words.
///
/// The words carry the meaning; the runs of characters keep a misheard or inflected word near to its kin. All features
/// weigh the same and the vector has length 1, so that long and short sentences compare.
struct Features: Sendable, Equatable {
    /// Buckets are the lower bits of the hash.
    let bits: Int

    /// Features in 2 to the power of `bits` buckets, 8…24.
    init(bits: Int) { self.bits = bits }

    /// The buckets that the sentence fills, ascending and each once.
    func buckets(of text: String) -> [UInt32] {
        var found: [UInt32] = []
        let words = Self.words(text)
        let mask = UInt32(1) << UInt32(bits) - 1
        func add(_ kind: UInt8, _ bytes: some Sequence<UInt8>) {
            found.append(Self.hash(kind, bytes) & mask)
        }
        for (index, word) in words.enumerated() {
            add(UInt8(ascii: "w"), word)
            if index > 0 { add(UInt8(ascii: "b"), words[index - 1] + [UInt8(ascii: " ")] + word) }
            // The marks at both ends distinguish beginning and ending from the middle.
            let marked = [UInt8(ascii: "<")] + word + [UInt8(ascii: ">")]
            for length in 3...4 where marked.count >= length {
                for start in 0...(marked.count - length) {
                    add(UInt8(ascii: "c"), marked[start..<(start + length)])
                }
            }
        }
        found.sort()
        var unique: [UInt32] = []
        unique.reserveCapacity(found.count)
        for bucket in found where bucket != unique.last { unique.append(bucket) }
        return unique
    }

    /// The words in lower case, as UTF-8, with every number folded to `#`: `£12.50` becomes `£#`.
    static func words(_ text: String) -> [[UInt8]] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map { word in
            var folded: [UInt8] = []
            var isInNumber = false
            for byte in word.utf8 {
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                let isPoint = byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
                if isDigit, !isInNumber { folded.append(UInt8(ascii: "#")) }
                isInNumber = isDigit || isInNumber && isPoint
                if !isInNumber { folded.append(byte) }
            }
            return folded
        }
    }

    /// FNV-1a, 32 bits (Fowler, Noll and Vo; offset 0x811C9DC5, prime 0x01000193), its halves folded so that the lower
    /// bits depend on all of it.
    static func hash(_ kind: UInt8, _ bytes: some Sequence<UInt8>) -> UInt32 {
        var hash: UInt32 = (0x811C_9DC5 ^ UInt32(kind)) &* 0x0100_0193
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return hash ^ (hash >> 16)
    }
}
