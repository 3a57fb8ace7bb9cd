import TerminalNCurses
import Testing

@testable import vanorb

@Suite struct OutputTableTests {
    @Test func rowsWithWideCharacters_standInTheirColumns() {
        var table = Table([("name", .left), ("no", .right), ("", .left)])
        for name in ["mug", "日本語", "🔦 torch"] { table.add([name, "7", "|"]) }
        let lines = table.lines(fitting: 80)
        #expect(lines == ["name      no", "mug        7  |", "日本語     7  |", "🔦 torch   7  |"])
        #expect(Set(lines.dropFirst().map { DisplayWidth.of($0) }) == [15])
    }

    @Test func aTextOfWideCharacters_isBrokenWhereTheTerminalEnds() {
        var table = Table([("", .left)])
        table.add(["日本語 日本語 日本語 日本語"])
        let lines = table.lines(fitting: 16).filter { !$0.isEmpty }
        #expect(lines == ["日本語 日本語", "日本語 日本語"])
    }
}
