import Foundation

/// A grammar on disk and in memory: compact, so that the part for an utterance is extracted in a few milliseconds.
///
/// The file: magic and counts, then the words, each ended by a line feed, then twelve bytes a transition; numbers are
/// little-endian. It is read on the machine that wrote it, and a cache verifies it.
struct CompactGrammar {
    /// A transition; `word` is −1 for an epsilon transition.
    struct Arc {
        let from: Int32
        let to: Int32
        let word: Int32
        let share: Float
    }

    let stateCount: Int
    let start: Int32
    /// Where follow-up sentences begin; −1 where there are none.
    let leaningStart: Int32
    let end: Int32
    /// Where free text begins and ends.
    let open: [Open]
    let words: [String]
    /// Sorted by the state that they leave.
    let arcs: [Arc]

    /// A stretch of free text, from state to state.
    struct Open: Equatable {
        let start: Int32
        let end: Int32
    }

    init(_ grammar: Grammar) {
        stateCount = grammar.stateCount
        start = Int32(grammar.start)
        leaningStart = Int32(grammar.leaningStart ?? -1)
        end = Int32(grammar.end)
        words = grammar.words
        open = grammar.open.map { Open(start: Int32($0.start), end: Int32($0.end)) }
        arcs = grammar.transitions.map { transition in
            Arc(
                from: Int32(transition.from), to: Int32(transition.to), word: Int32(transition.word ?? -1),
                share: Float(max(1e-6, min(1, transition.share))))
        }.sorted { $0.from < $1.from }
    }

    private static let magic: [UInt8] = Array("VanOrbG3".utf8)

    var bytes: [UInt8] {
        var bytes = Self.magic
        func append(_ value: Int32) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        for value in [Int32(stateCount), start, leaningStart, end, Int32(words.count), Int32(arcs.count)] {
            append(value)
        }
        append(Int32(open.count))
        for stretch in open {
            append(stretch.start)
            append(stretch.end)
        }
        let text = Array(words.joined(separator: "\n").utf8)
        append(Int32(text.count))
        bytes += text
        for arc in arcs {
            append(arc.from)
            append(arc.to)
            append(arc.word)
            append(Int32(bitPattern: arc.share.bitPattern))
        }
        return bytes
    }

    /// - Returns: nil for bytes that are not a grammar.
    init?(_ data: Data) {
        var place = Self.magic.count
        guard data.count > place + 32, Array(data.prefix(place)) == Self.magic else { return nil }
        let read: () -> Int32? = {
            guard place + 4 <= data.count else { return nil }
            defer { place += 4 }
            let first = data.startIndex + place
            return (0..<4).reduce(Int32(0)) { $0 | Int32(truncatingIfNeeded: Int(data[first + $1]) << (8 * $1)) }
        }
        guard let states = read(), let start = read(), let leaning = read(), let end = read(), let wordCount = read(),
            let arcCount = read(), let openCount = read(), states > 0, arcCount >= 0, wordCount >= 0,
            (0..<states).contains(start), (-1..<states).contains(leaning), (0..<states).contains(end), openCount >= 0,
            data.count - place >= 8 * Int(openCount)
        else { return nil }
        var open: [Open] = []
        for _ in 0..<openCount {
            guard let first = read(), let last = read(), (0..<states).contains(first), (0..<states).contains(last)
            else { return nil }
            open.append(Open(start: first, end: last))
        }
        guard let length = read(), length >= 0, place + Int(length) + 16 * Int(arcCount) == data.count else {
            return nil
        }
        let text = data[(data.startIndex + place)..<(data.startIndex + place + Int(length))]
        place += Int(length)
        let words = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        guard words.count == Int(wordCount) else { return nil }
        var arcs: [Arc] = []
        arcs.reserveCapacity(Int(arcCount))
        let valid = 0..<states
        for _ in 0..<arcCount {
            guard let from = read(), let to = read(), let word = read(), let share = read(), valid.contains(from),
                from >= (arcs.last?.from ?? 0), valid.contains(to), word >= -1, word < wordCount
            else { return nil }
            arcs.append(Arc(from: from, to: to, word: word, share: Float(bitPattern: UInt32(bitPattern: share))))
        }
        stateCount = Int(states)
        self.start = start
        leaningStart = leaning
        self.end = end
        self.open = open
        self.words = words
        self.arcs = arcs
    }
}
