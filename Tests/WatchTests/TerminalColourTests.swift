import Foundation
import RingRenderer
import Testing

@testable import TerminalNCurses

/// Terminals drawn on for longer than the pairs of colours last that ncurses has: 65,535 of them, half an hour of an
/// orb.
@Suite(.serialized) struct TerminalColourTests {
    private static let columns = 80, rows = 24

    /// A terminal that writes into a file what it would show.
    private final class Recorder {
        let terminal: Terminal
        private let path: String, output: Int32, input: Int32

        init(_ environment: [String: String]) throws {
            path = FileManager.default.temporaryDirectory.appending(path: "terminal-\(UUID().uuidString)").path
            output = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0o600)
            input = open("/dev/null", O_RDONLY)
            try #require(output >= 0 && input >= 0)
            terminal = try Terminal(environment: environment, output: output, input: input)
            try #require(terminal.size == (TerminalColourTests.columns, TerminalColourTests.rows))
        }

        /// What drawing `canvas` sends.
        func sent(drawing canvas: Canvas) throws -> String {
            ftruncate(output, 0)
            terminal.draw(canvas)
            return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        }

        func end() {
            terminal.close()
            unlink(path)
        }
    }

    /// A canvas on which each cell has colours of its own, others for each number.
    private func colourful(_ number: Int, _ colours: (Int) -> (RGB8, RGB8)) -> Canvas {
        var canvas = Canvas(columns: Self.columns, rows: Self.rows, background: .black)
        for row in 0..<Self.rows {
            for column in 0..<Self.columns {
                let (front, back) = colours((number * Self.rows + row) * Self.columns + column)
                // Another letter each time, so that each cell is sent.
                canvas.write(number.isMultiple(of: 2) ? "a" : "b", row: row, column: column, Ink(front, on: back))
            }
        }
        return canvas
    }

    private func count(_ pattern: String, in text: String) -> Int { text.components(separatedBy: pattern).count - 1 }

    @Test func directColours_lastForLongerThanPairsDo() throws {
        let recorder = try Recorder(["TERM": "xterm-256color", "COLORTERM": "truecolor"])
        defer { recorder.end() }
        try #require(recorder.terminal.depth == .direct)
        var text = ""
        for frame in 0..<80 {
            // 32 levels a channel are told apart; the first eight numbers are the colours of old.
            text = try recorder.sent(
                drawing: colourful(frame) { number in
                    let (low, high) = (number % 32_000 + 32, number / 32_000)
                    func colour(_ value: Int) -> RGB8 {
                        RGB8(UInt8(value >> 10 & 31) << 3, UInt8(value >> 5 & 31) << 3, UInt8(value & 31) << 3)
                    }
                    return (colour(low), colour(32 + high * 32))
                })
        }
        #expect(count("38:2::", in: text) == Self.columns * Self.rows, "each cell has its own colour")
        var last = Canvas(columns: Self.columns, rows: Self.rows, background: .black)
        last.write("orb", row: 3, column: 3, Ink(RGB8(248, 16, 104), on: RGB8(16, 24, 128)))
        text = try recorder.sent(drawing: last)
        #expect(text.contains("38:2::248:16:104m"))
        #expect(text.contains("48:2::16:24:128m"))
        #expect(recorder.terminal.depth == .direct)
    }

    @Test func theColoursOfAPalette_areAllShown_whateverMeetsWhat() throws {
        let recorder = try Recorder(["TERM": "xterm-256color"])
        defer { recorder.end() }
        try #require(recorder.terminal.depth == .palette256)
        // The cube and the greys, each on each: 57,600 pairs, the first ones again at the end.
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        var colours: [RGB8] = []
        for red in levels { for green in levels { for blue in levels { colours.append(RGB8(red, green, blue)) } } }
        for step in 0..<24 {
            let grey = UInt8(8 + 10 * step)
            colours.append(RGB8(grey, grey, grey))
        }
        var text = ""
        for frame in 0..<62 {
            text = try recorder.sent(
                drawing: colourful(frame) { (colours[$0 / 240 % 240], colours[$0 % 240]) })
        }
        #expect(count("48;5;", in: text) >= Self.columns * Self.rows * 9 / 10)
    }

    @Test func theEightColoursOfOld_areAllShown_eachOnEach() throws {
        let recorder = try Recorder(["TERM": "xterm"])
        defer { recorder.end() }
        try #require(recorder.terminal.depth == .palette8)
        func colour(_ number: Int) -> RGB8 {
            RGB8(number & 1 > 0 ? 255 : 0, number & 2 > 0 ? 255 : 0, number & 4 > 0 ? 255 : 0)
        }
        var text = ""
        // The last pairs come to be drawn when all others are there already.
        for frame in 0..<2 {
            text = try recorder.sent(drawing: colourful(frame) { (colour(7 - $0 / 8 % 8), colour(7 - $0 % 8)) })
        }
        for back in 0..<8 { #expect(text.contains("\u{1B}[4\(back)m"), "the ground \(back)") }
        // Without a pair of its own a cell is drawn in the terminal's own colours, which `39;49` sets.
        for letter in ["a", "b"] { #expect(!text.contains("39;49m\(letter)")) }
    }
}

/// What the terminal's pairs are given to.
@Suite struct ColourPairsTests {
    @Test func aPairOfThisFrame_isNeverGivenAway_andOneThatCannotBeHadIsCounted() {
        var pairs = ColourPairs(limit: 4), defined: [Int32: Int32] = [:]
        func number(_ front: Int32) -> Int32? {
            pairs.number(of: front, on: 0) { pair, front, _ in
                defined[pair] = front
                return true
            }
        }
        pairs.beginFrame()
        let first = [10, 11, 12].map { number($0) }
        #expect(Set(first) == [1, 2, 3])
        #expect(number(13) == nil)
        #expect(pairs.failures == 1)
        #expect(number(11) == first[1], "what is there is had")
        pairs.beginFrame()
        #expect(pairs.failures == 0)
        #expect(number(12) == first[2])
        #expect(number(13).map { defined[$0] } == 13)
        #expect(number(12) == first[2] && defined[3] == 12)
    }

    @Test func aPairThatTheTerminalRefuses_isCounted_andTriedAgain() {
        var pairs = ColourPairs(limit: 8)
        pairs.beginFrame()
        #expect(pairs.number(of: 1, on: 2) { _, _, _ in false } == nil)
        #expect(pairs.failures == 1)
        #expect(pairs.number(of: 1, on: 2) { _, _, _ in true } != nil)
    }

    @Test func aTerminalWithoutPairs_hasNone() {
        var pairs = ColourPairs(limit: 0)
        pairs.beginFrame()
        #expect(pairs.number(of: 1, on: 2) { _, _, _ in true } == nil)
    }
}
