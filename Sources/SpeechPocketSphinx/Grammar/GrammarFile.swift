import Copilot
import Foundation

/// A grammar as it is kept on disk and held in memory: compact, so that the part of it that an utterance may be is
/// taken out in a few milliseconds.
///
/// The file: magic and counts, then the words, each ended by a line feed, then twelve bytes a transition; numbers are
/// little-endian. It is read on the machine that wrote it, and a cache seals it.
struct CompactGrammar {
    /// A transition; `word` is −1 where nothing is said.
    struct Arc {
        let from: Int32
        let to: Int32
        let word: Int32
        let share: Float
    }

    let stateCount: Int
    let start: Int32
    /// Where sentences begin that lean on another; −1 where there are none.
    let leaningStart: Int32
    let end: Int32
    let words: [String]
    let arcs: [Arc]

    init(_ grammar: Grammar) {
        stateCount = grammar.stateCount
        start = Int32(grammar.start)
        leaningStart = Int32(grammar.leaningStart ?? -1)
        end = Int32(grammar.end)
        words = grammar.words
        arcs = grammar.transitions.map { transition in
            Arc(
                from: Int32(transition.from), to: Int32(transition.to), word: Int32(transition.word ?? -1),
                share: Float(max(1e-6, min(1, transition.share))))
        }
    }

    private static let magic: [UInt8] = Array("VanOrbG2".utf8)

    var bytes: [UInt8] {
        var bytes = Self.magic
        func append(_ value: Int32) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        for value in [Int32(stateCount), start, leaningStart, end, Int32(words.count), Int32(arcs.count)] {
            append(value)
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

    /// - Returns: nil for bytes that are no grammar.
    init?(_ data: Data) {
        var place = Self.magic.count
        guard data.count > place + 28, Array(data.prefix(place)) == Self.magic else { return nil }
        let read: () -> Int32? = {
            guard place + 4 <= data.count else { return nil }
            defer { place += 4 }
            let first = data.startIndex + place
            return (0..<4).reduce(Int32(0)) { $0 | Int32(truncatingIfNeeded: Int(data[first + $1]) << (8 * $1)) }
        }
        guard let states = read(), let start = read(), let leaning = read(), let end = read(), let wordCount = read(),
            let arcCount = read(),
            let length = read(), states > 0, arcCount >= 0, wordCount >= 0, length >= 0,
            (0..<states).contains(start), (-1..<states).contains(leaning), (0..<states).contains(end),
            place + Int(length) + 16 * Int(arcCount) == data.count
        else { return nil }
        let text = data[(data.startIndex + place)..<(data.startIndex + place + Int(length))]
        place += Int(length)
        let words = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        guard words.count == Int(wordCount) else { return nil }
        var arcs: [Arc] = []
        arcs.reserveCapacity(Int(arcCount))
        let valid = 0..<states
        for _ in 0..<arcCount {
            guard let from = read(), let to = read(), let word = read(), let share = read(), valid.contains(from),
                valid.contains(to), word >= -1, word < wordCount
            else { return nil }
            arcs.append(Arc(from: from, to: to, word: word, share: Float(bitPattern: UInt32(bitPattern: share))))
        }
        stateCount = Int(states)
        self.start = start
        leaningStart = leaning
        self.end = end
        self.words = words
        self.arcs = arcs
    }

    /// True for a sentence that makes sense only after another: “and last month”.
    func leans(_ words: [String]) -> Bool {
        guard leaningStart >= 0 else { return false }
        var states = silently([leaningStart])
        for word in words {
            var next = Set<Int32>()
            for arc in arcs where arc.word >= 0 && states.contains(arc.from) && self.words[Int(arc.word)] == word {
                next.insert(arc.to)
            }
            guard !next.isEmpty else { return false }
            states = silently(next)
        }
        return states.contains(end)
    }

    private func silently(_ states: Set<Int32>) -> Set<Int32> {
        var reached = states, before = 0
        // A list in a list in a list: as many rounds as regions lie within each other.
        while reached.count > before {
            before = reached.count
            for arc in arcs where arc.word < 0 && reached.contains(arc.from) { reached.insert(arc.to) }
        }
        return reached
    }
}
