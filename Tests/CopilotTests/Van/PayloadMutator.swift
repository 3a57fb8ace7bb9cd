/// Makes broken payloads of good ones, the same for the same seed.
struct PayloadMutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64, by Steele, Lea and Flood.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// 0..<count; 0 of nothing.
    mutating func below(_ count: Int) -> Int { count > 0 ? Int(next() % UInt64(count)) : 0 }

    /// What stands in the place of a value, or anywhere.
    private static let fragments: [[UInt8]] = [
        "null", "true", "{}", "[]", "\"\"", "\"+\"", "\"a/#\"", "\" \"", "-1", "0", "1e308", "99999999999999999999",
        "\"\\u0000\"", "\"{{ value_json\"", "\"{{ value }}\"", "\"~\"", "[[[[[[", "{\"a\":{\"b\":", "[null,1,\"x\"]",
        "\"on\"", "\"light\"", "\"\\ud83d\\ude80\"", "{\"topic\":\"a/+/b\"}", "\"_\"", "0.5",
    ].map { Array($0.utf8) }

    /// The payload with one to four things wrong with it.
    mutating func mutated(_ payload: [UInt8]) -> [UInt8] {
        var bytes = payload
        for _ in 0...below(4) {
            // Most of what comes is JSON; bytes alone would seldom get past its reader.
            if below(4) > 0 { replaceValue(&bytes) } else { disturb(&bytes) }
        }
        return bytes
    }

    /// Puts something else where a value stood, or leaves it out.
    private mutating func replaceValue(_ bytes: inout [UInt8]) {
        let start = below(bytes.count)
        guard let colon = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[") })
        else { return disturb(&bytes) }
        let ends = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")]
        let end = bytes[(colon + 1)...].firstIndex { ends.contains($0) } ?? bytes.count
        bytes.replaceSubrange(colon + 1..<end, with: Self.fragments[below(Self.fragments.count)])
    }

    private mutating func disturb(_ bytes: inout [UInt8]) {
        let place = below(bytes.count)
        switch below(5) {
        case 0 where !bytes.isEmpty: bytes[place] = UInt8(below(256))
        case 1 where !bytes.isEmpty: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(below(256)), at: place)
        case 3: bytes.removeSubrange(place...)
        default: bytes.insert(contentsOf: bytes[place..<min(place + below(40), bytes.count)], at: place)
        }
    }
}
