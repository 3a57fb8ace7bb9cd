/// Which of the terminal's pairs of colours stands for which two colours.
///
/// A terminal has a limited number of pairs (65,536 at most, 64 of eight colours), and an orb comes to more of them in
/// half an hour. `alloc_pair` of ncurses 6.4 should make room and fails instead once all are used, so the pairs are
/// kept here: one that no cell shows any more is given to the next two colours.
struct ColourPairs: Sendable {
    /// Two colours, as the terminal numbers them.
    private struct Colours: Hashable {
        let front: Int32, back: Int32
    }

    /// Pairs 1 to `count`; pair 0 is the terminal's own and cannot be changed.
    private let count: Int
    private var numbers: [Colours: Int] = [:]
    /// By the pair's number, from 1 on: its colours, and the frame in which it was used last.
    private var colours: [Colours?] = [nil]
    private var lastUses: [Int] = [0]
    private var frame = 2
    /// Where the last pair was taken; the next one is looked for behind it.
    private var hand = 0
    /// How many pairs could not be had in this frame.
    private(set) var failures = 0

    /// No pair yet, of a terminal that has pairs below `limit`.
    init(limit: Int) { count = max(0, limit - 1) }

    /// A new frame: pairs of the one before it may be given away where there are no older ones.
    mutating func beginFrame() {
        frame += 1
        failures = 0
    }

    /// The pair of two colours, which stays theirs for the rest of the frame.
    /// - Parameter define: makes a pair the pair of two colours; false where the terminal refuses.
    /// - Returns: nil where all are needed in this frame, or the terminal refuses; it is counted.
    mutating func number(
        of front: Int32, on back: Int32, define: (_ pair: Int32, _ front: Int32, _ back: Int32) -> Bool
    ) -> Int32? {
        let wanted = Colours(front: front, back: back)
        if let known = numbers[wanted] {
            lastUses[known] = frame
            return Int32(known)
        }
        guard let pair = free(), define(Int32(pair), front, back) else {
            failures += 1
            return nil
        }
        if let former = colours[pair] { numbers[former] = nil }
        numbers[wanted] = pair
        (colours[pair], lastUses[pair]) = (wanted, frame)
        return Int32(pair)
    }

    /// A pair never used, else one that is on the screen no longer, else one that will not be after this frame.
    private mutating func free() -> Int? {
        if colours.count <= count {
            colours.append(nil)
            lastUses.append(0)
            return colours.count - 1
        }
        return next(unusedFor: 2) ?? next(unusedFor: 1)
    }

    private mutating func next(unusedFor frames: Int) -> Int? {
        for step in 0..<count {
            let pair = (hand + step) % count + 1
            guard frame - lastUses[pair] >= frames else { continue }
            hand = pair % count
            return pair
        }
        return nil
    }
}
