import Control
import Foundation
import RingRenderer
import TerminalNCurses
import Testing

@testable import vanorb

@Suite struct WatchPictureTests {
    private static let sizes = [(40, 20), (80, 24), (130, 40)]

    private func canvas(_ model: WatchModel, _ size: (Int, Int), at time: Double = 10, _ depth: ColourDepth = .direct)
        -> Canvas
    {
        WatchPicture(model: model, time: time, depth: depth).canvas(columns: size.0, rows: size.1)
    }

    private func talking() -> WatchModel {
        WatchModelTests.model(
            .hint("how much money do I have"), .ring(look: "speaking", palette: "finance"),
            WatchModelTests.entry(1, "log diesel for fifty pounds", "Logged £50.00 for diesel."),
            .status("Speaking…", state: .speaking), .transcript("how much money do i have"),
            .reply("Your balance is £1,599.32."), .word("Your", start: 0, end: 4),
            .word("balance", start: 5, end: 12))
    }

    @Test(arguments: sizes) func talk_hasHint_status_bubblesAndKeys(size: (Int, Int)) {
        let canvas = canvas(talking(), size)
        let text = canvas.text
        #expect(text.contains("how much money do I have”"))
        #expect(text.contains("▶ Speaking…"))
        #expect(text.contains("Logged £50.00 for diesel."))
        #expect(text.contains("▐Your balance"))
        #expect(!text.contains("balance is"), "what has not been spoken is not seen")
        #expect(canvas.line(size.1 - 1).hasPrefix("space press"))
    }

    @Test(arguments: sizes) func theLabel_namesWhatDoesNotWork_andLeavesTheBubbles(size: (Int, Int)) {
        var model = WatchModelTests.model(
            .status("Ready", state: .ready), WatchModelTests.entry(1, "what time is it", "It's noon."))
        model.troubles = ["No microphone: type, or use SSH", "MQTT broker unreachable: devices can't be controlled"]
        let text = canvas(model, size).text
        #expect(text.contains("! No microphone: type, or use SSH"))
        #expect(text.contains("! MQTT broker unreachable:") && text.contains("It's noon."))
        #expect(!text.contains("Ready"))
        model.troubles = []
        #expect(canvas(model, size).text.contains("◆ Ready"))
    }

    @Test(arguments: sizes) func theWordBeingSpoken_isOrange_andTheOnesBeforeItWhite(size: (Int, Int)) throws {
        let canvas = canvas(talking(), size)
        let row = try #require((0..<size.1).first { canvas.line($0).contains("Your balance") })
        let line = (0..<size.0).compactMap { canvas[row, $0] }
        let start = try #require(line.firstIndex { $0.text == "Y" })
        #expect(line[start].ink.colour == Inks.text)
        #expect(line[start + 5].ink.colour == Inks.spokenWord)
    }

    @Test(arguments: sizes) func theOwnersBubbles_areOnTheRight_andTheAnswersOnTheLeft(size: (Int, Int)) throws {
        let canvas = canvas(talking(), size)
        let mine = try #require((0..<size.1).first { canvas.line($0).contains("log diesel") })
        let answer = try #require((0..<size.1).first { canvas.line($0).contains("Logged £50") })
        #expect(canvas[mine, pane(size) - 2]?.text == "▌")
        #expect(canvas[answer, 1]?.text == "▐")
        #expect(canvas[answer, 2]?.ink.background == Inks.bubble(.finance))
    }

    /// The columns in which one talks.
    private func pane(_ size: (Int, Int)) -> Int { size.0 >= WatchPicture.wide ? min(64, size.0 * 9 / 20) : size.0 }

    @Test(arguments: sizes) func aReply_standsClearOfTheTurnBefore(size: (Int, Int)) throws {
        let record = WatchModelTests.pumpTurn(1)
        let model = WatchModelTests.model(
            .turn(record), WatchModelTests.entry(1, "turn on the pump", "The pump is on."),
            .status("Thinking…", state: .thinking), .reply("It's Monday."), .status("Speaking…", state: .speaking),
            .word("It's", start: 0, end: 4))
        let canvas = canvas(model, size)
        let row = try #require((0..<size.1).first { canvas.line($0).contains("▐It's") })
        #expect((0..<pane(size)).allSatisfy { canvas[row - 1, $0]?.text == " " }, "\(canvas.text)")
        #expect(canvas.line(row - 2).contains("van.turn_on"))
    }

    @Test(arguments: sizes) func whatWasTyped_isTheOwnersBubble_whileItIsThoughtOfAndAnswered(size: (Int, Int)) throws {
        var model = WatchModelTests.model(
            WatchModelTests.entry(1, "turn on the pump", "The pump is on."),
            .status("Thinking…", state: .thinking), .transcript("what day is it"))
        let thinking = canvas(model, size)
        let typed = try #require((0..<size.1).first { thinking.line($0).contains("what day is it") })
        #expect(thinking[typed, pane(size) - 2]?.text == "▌")
        model.apply(.reply("It's Monday."), at: 1)
        model.apply(.status("Speaking…", state: .speaking), at: 1)
        model.apply(.word("It's", start: 0, end: 4), at: 1)
        let speaking = canvas(model, size)
        let row = try #require((0..<size.1).first { speaking.line($0).contains("▐It's") })
        #expect(speaking.line(row - 1).contains("what day is it"))
    }

    @Test(arguments: [(40, 20), (80, 24)]) func theStripBelowATab_showsTheNoticeBeingSpoken_andNotTheLastReply(
        size: (Int, Int)
    ) {
        var model = WatchModelTests.model(
            .status("Ready", state: .ready), WatchModelTests.entry(1, "turn on the pump", "The pump is on."),
            .action("tab", target: "ledger"))
        #expect(canvas(model, size).text.contains("The pump is on."))
        model.apply(.status("Listening…", state: .listening), at: 1)
        model.apply(.status("Speaking…", state: .speaking), at: 2)
        model.apply(.notice("I didn't hear anything."), at: 2)
        // Later than the footer has it.
        let text = canvas(model, size, at: 2 + WatchModel.noticeSeconds).text
        #expect(text.contains("▶ Speaking…"))
        #expect(text.contains("I didn't hear anything."))
        #expect(!text.contains("The pump is on."))
    }

    @Test(arguments: Look.allCases) func theOrb_isTheRingRenderersOwn(look: Look) throws {
        let model = WatchModelTests.model(.ring(look: look.rawValue, palette: "van"))
        let canvas = canvas(model, (80, 24))
        let profile = Profile(nightCap: 0.6, showsClosedDot: true, gamma: 1)
        let rows = 9
        let orb = Orb(columns: rows * 2, rows: rows, profile: profile).cells(model.scene, at: 10)
        for (row, line) in orb.enumerated() {
            for (column, cell) in line.enumerated() where cell.upper != .black {
                let drawn = try #require(canvas[3 + row, 31 + column])
                #expect(drawn.text == "▀")
                #expect(drawn.ink.colour.red >= cell.upper.red)
            }
        }
        #expect(orb.flatMap { $0 }.contains { $0.upper != .black || $0.lower != .black })
    }

    private static let grownOrbs = [((160, 50), 20), ((130, 40), 16), ((300, 100), 32), ((40, 60), 20)]

    @Test(arguments: grownOrbs) func theOrb_growsWithTheWindow_andStaysRound(size: (Int, Int), rows: Int) {
        let model = WatchModelTests.model(.ring(look: "speaking", palette: "van"))
        let canvas = canvas(model, size)
        let profile = Profile(nightCap: 0.6, showsClosedDot: true, gamma: 1)
        let orb = Orb(columns: rows * 2, rows: rows, profile: profile).cells(model.scene, at: 10)
        let left = (pane(size) - rows * 2) / 2
        // Below the bar of tabs and two rows for the hint.
        let drawn = orb.indices.map { row in orb[row].indices.map { canvas[3 + row, left + $0]?.text == "▀" } }
        #expect(drawn == orb.map { line in line.map { $0.upper != .black || $0.lower != .black } })
        #expect(drawn.joined().contains(true))
    }

    @Test func night_leavesTheOrbOnlyRed() {
        var model = WatchModelTests.model(.ring(look: "ready", palette: "van"))
        model.isNight = true
        let canvas = canvas(model, (80, 24))
        let orb = (0..<24).flatMap { row in (0..<80).compactMap { canvas[row, $0] } }.filter { $0.text == "▀" }
        #expect(!orb.isEmpty)
        #expect(orb.allSatisfy { $0.ink.colour.blue <= Inks.background.blue })
    }

    @Test func withoutColours_theOrbIsDrawnWithCharacters() {
        let canvas = canvas(WatchModelTests.model(.ring(look: "ready", palette: "van")), (80, 24), .none)
        #expect(!canvas.text.contains("▀"))
        #expect(canvas.text.contains("*") || canvas.text.contains("#") || canvas.text.contains("="))
    }

    @Test(arguments: sizes) func aTab_isShownWithItsRows_andWhatIsSaidBesideOrBelow(size: (Int, Int)) {
        var model = talking()
        model.apply(.action("tab", target: "manifest"), at: 1)
        let rows = (1...60).map { TabPage.Row(id: "item:\($0)", title: "thing \($0)", value: "garage") }
        model.shelf.fill(.manifest, with: TabPage(summary: "60 items", rows: rows))
        let text = canvas(model, size).text
        #expect(text.contains("3 Manifest"))
        #expect(text.contains("60 items"))
        #expect(text.contains("thing 1 "))
        #expect(text.contains("garage"))
        #expect(text.contains("▼"))
        #expect(text.contains("Your balance"))
        model.shelf.move(by: 59)
        #expect(canvas(model, size).text.contains("thing 60"))
    }

    @Test func everySizeAndState_isDrawnWithoutHarm() {
        var model = talking()
        model.apply(.notice(String(repeating: "long ", count: 50)), at: 1)
        model.shelf.fill(.van, with: TabPage(rows: [TabPage.Row(id: "device:1", title: "🔦 torch", value: "on")]))
        var states = [model]
        model.typing = "log"
        states.append(model)
        model.typing = nil
        model.showsHelp = true
        states.append(model)
        model.shelf.follow("open", "device:1")
        states.append(model)
        model.link = .lost("VanOrb is not running")
        states.append(model)
        for state in states {
            for columns in [0, 1, 19, 20, 33, 40, 99, 100, 300] {
                for rows in [0, 1, 7, 8, 9, 20, 100] { _ = canvas(state, (columns, rows)) }
            }
        }
    }

    @Test(arguments: [(20, 8), (40, 20), (47, 20)]) func theKeys_leaveNoScrapsOfATabBeneath(size: (Int, Int)) {
        var model = talking()
        model.apply(.action("tab", target: "manifest"), at: 1)
        model.shelf.fill(
            .manifest, with: TabPage(rows: (1...60).map { TabPage.Row(id: "item:\($0)", title: "thing \($0)") }))
        model.showsHelp = true
        let canvas = canvas(model, size)
        // All between the bar of tabs and the footer.
        for row in 1..<size.1 - 1 {
            #expect((0..<size.0).allSatisfy { canvas[row, $0]?.ink.background == HelpSheet.ground }, "row \(row)")
        }
        #expect(canvas.text.contains("press the"))
    }

    @Test func theKeys_leaveTheRestToBeSeen_whereThereIsRoom() {
        var model = talking()
        model.showsHelp = true
        let canvas = canvas(model, (80, 24))
        #expect(canvas[10, 21]?.ink.background != HelpSheet.ground)
        #expect(canvas[10, 22]?.ink.background == HelpSheet.ground)
    }

    @Test func aNameThatWouldSteerTheTerminal_isHarmless() {
        var model = WatchModelTests.model(WatchModelTests.entry(1, "bell\u{7}", "\u{1B}[31mred\u{202E}"))
        model.link = .connected
        let text = canvas(model, (80, 24)).text
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        #expect(!text.unicodeScalars.contains("\u{7}"))
        #expect(!text.unicodeScalars.contains("\u{202E}"))
    }
}

@Suite struct CanvasTests {
    @Test func wideCharacters_takeTwoColumns_andAreNeverHalved() {
        var canvas = Canvas(columns: 5, rows: 1, background: .black)
        #expect(canvas.write("日本語", row: 0, column: 0, Ink(.black)) == 4)
        #expect(canvas.line(0) == "日本")
        #expect(canvas[0, 1]?.text == nil)
    }

    @Test func text_isBrokenBetweenWords_andAWordOnlyWhereItIsTooLong() {
        #expect(TextFlow.lines("the first aid kit", width: 9).map(\.text) == ["the first", "aid kit"])
        #expect(TextFlow.lines("the first aid kit", width: 9).map(\.start) == [0, 10])
        #expect(TextFlow.lines("abcdefgh ij", width: 4).map(\.text) == ["abcd", "efgh", "ij"])
        #expect(TextFlow.lines("a\nb", width: 9).map(\.text) == ["a b"])
        #expect(TextFlow.lines("日", width: 1).map(\.text) == ["日"])
        #expect(TextFlow.lines("", width: 9).isEmpty)
        #expect(TextFlow.shortened("garage shelf", to: 7) == "garage…")
        #expect(TextFlow.shortened("garage", to: 6) == "garage")
        #expect(TextFlow.shortened("garage", to: 0).isEmpty)
    }

    private static let known: [(RGB8, Int32)] = [
        (RGB8(255, 0, 0), 196), (RGB8(0, 0, 0), 16), (RGB8(255, 255, 255), 231), (RGB8(8, 8, 8), 232),
        (RGB8(128, 128, 128), 244), (RGB8(95, 135, 175), 67),
    ]

    @Test(arguments: known)
    func aColour_becomesTheNearestOfXtermsPalette(colour: RGB8, number: Int32) {
        #expect(ColourDepth.palette256.number(of: colour) == number)
    }

    @Test func aDirectColour_isNeverTakenForOneOfTheEightOfOld() {
        // Terminal descriptions of direct colour read 0 to 7 as numbers of the palette.
        for blue in UInt8(0)...7 { #expect(ColourDepth.direct.number(of: RGB8(0, 0, blue)) == 0) }
    }
}
