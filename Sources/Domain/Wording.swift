/// What can stand in a text that is both said and shown.
public protocol Worded: Sendable {
    /// How it is said and shown.
    var wording: Wording { get }
}

extension String: Worded {
    /// The same said and shown.
    public var wording: Wording { Wording(self) }
}

/// A text in two forms: “309 pounds 08” as the voice says it, “£309.08” as a screen shows it. Most of it is the same in
/// both; the parts that differ are kept apart, so that a screen can follow the voice.
public struct Wording: Sendable, Equatable, Worded, CustomStringConvertible {
    private struct Piece: Sendable, Equatable {
        var spoken: String
        var written: String
        var isSame: Bool { spoken == written }
    }

    /// No two neighbours are the same in both forms: equal texts have equal pieces.
    private var pieces: [Piece] = []

    /// A text that is said as it is shown.
    public init(_ text: String = "") { append(Piece(spoken: text, written: text)) }

    /// A part that is said in another way than it is shown.
    public init(spoken: String, written: String) { append(Piece(spoken: spoken, written: written)) }

    /// As the voice says it.
    public var spoken: String { pieces.map(\.spoken).joined() }
    /// As a screen shows it.
    public var written: String { pieces.map(\.written).joined() }
    /// True where there is nothing to say and nothing to show.
    public var isEmpty: Bool { pieces.isEmpty }
    /// Itself.
    public var wording: Wording { self }
    /// As a screen shows it: what logs, effects and errors quote.
    public var description: String { written }

    private mutating func append(_ piece: Piece) {
        guard !piece.spoken.isEmpty || !piece.written.isEmpty else { return }
        if piece.isSame, let last = pieces.last, last.isSame {
            let text = last.spoken + piece.spoken
            pieces[pieces.count - 1] = Piece(spoken: text, written: text)
        } else {
            pieces.append(piece)
        }
    }

    /// One text behind the other.
    public static func + (first: Wording, second: Wording) -> Wording {
        var both = first
        both += second
        return both
    }

    /// Adds a text behind this one.
    public static func += (first: inout Wording, second: Wording) {
        for piece in second.pieces { first.append(piece) }
    }

    /// Where on a screen stands what the voice says.
    /// - Parameter spoken: the first character in the spoken form, and the one behind its last.
    /// - Returns: the characters in the written form. A part that is shown in another way than it is said is there as a
    ///   whole from its first word on.
    public func writtenRange(ofSpoken spoken: Range<Int>) -> Range<Int> {
        var said = 0, shown = 0, start: Int?, end = 0
        for piece in pieces {
            let spokenCount = piece.spoken.count, writtenCount = piece.written.count
            let stretch = said..<(said + spokenCount)
            if start == nil, spoken.lowerBound < stretch.upperBound {
                start = shown + (piece.isSame ? max(0, spoken.lowerBound - said) : 0)
            }
            if spoken.upperBound > said {
                end = shown + (piece.isSame ? min(spokenCount, spoken.upperBound - said) : writtenCount)
            }
            said += spokenCount
            shown += writtenCount
        }
        let from = start ?? shown
        return from..<max(from, end)
    }

    // MARK: as sentences are built

    /// The text with its first letter in upper case.
    package var capitalisedFirst: Wording { changingFirst { $0.prefix(1).uppercased() + $0.dropFirst() } }

    /// The text with its first letter in lower case.
    package var loweredFirst: Wording { changingFirst { $0.prefix(1).lowercased() + $0.dropFirst() } }

    private func changingFirst(_ change: (String) -> String) -> Wording {
        guard let first = pieces.first else { return self }
        var changed = Wording(spoken: change(first.spoken), written: change(first.written))
        for piece in pieces.dropFirst() { changed.append(piece) }
        return changed
    }

    /// The text without a full stop at its end.
    package var withoutFullStop: Wording {
        guard let last = pieces.last, last.spoken.hasSuffix("."), last.written.hasSuffix(".") else { return self }
        var cut = Wording()
        for piece in pieces.dropLast() { cut.append(piece) }
        cut.append(Piece(spoken: String(last.spoken.dropLast()), written: String(last.written.dropLast())))
        return cut
    }
}

extension Wording: ExpressibleByStringInterpolation {
    /// What is put together from words and texts.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var whole = Wording()

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}
        /// Words as they stand.
        public mutating func appendLiteral(_ literal: String) { whole += Wording(literal) }
        /// A text in its two forms.
        public mutating func appendInterpolation(_ part: Wording) { whole += part }
        /// A number, or another value as it describes itself.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            whole += Wording(value.description)
        }
    }

    /// A text that is said as it is shown.
    public init(stringLiteral: String) { self.init(stringLiteral) }
    /// A text put together.
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.whole }
}

extension Sequence<Wording> {
    /// All of them, with something between.
    public func joined(separator: Wording = "") -> Wording {
        var whole = Wording(), isFirst = true
        for part in self {
            if !isFirst { whole += separator }
            whole += part
            isFirst = false
        }
        return whole
    }
}
