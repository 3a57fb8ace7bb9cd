import Control
import Foundation
import RingRenderer
import Testing

@testable import vanorb

@Suite struct WatchModelTests {
    /// A view that has seen `events`, one every tenth of a second.
    static func model(_ events: WatchEvent...) -> WatchModel {
        var model = WatchModel()
        for (number, event) in events.enumerated() { model.apply(event, at: Double(number) / 10) }
        return model
    }

    static func entry(_ turn: Int, _ user: String, _ assistant: String) -> WatchEvent {
        .history(
            HistoryEntry(turn: turn, user: user, assistant: assistant, startedAt: Date(timeIntervalSince1970: 0)))
    }

    @Test func words_areRevealedAsTheyAreSpoken_andTheWholeReplyWhenItJoinsTheHistory() throws {
        var model = Self.model(
            .status("Speaking…", state: .speaking), .reply("The pump is on."), .word("The", start: 0, end: 3),
            .word("pump", start: 4, end: 8))
        #expect(model.reply?.spoken == 8)
        #expect(model.reply?.word == 4..<8)
        model.apply(Self.entry(3, "turn on the pump", "The pump is on."), at: 1)
        #expect(model.reply == nil)
        let last = try #require(model.exchanges.last)
        #expect(last.user == "turn on the pump")
        #expect(last.assistant == "The pump is on.")
    }

    static func pumpTurn(_ turn: Int) -> TraceRecord {
        TraceRecord(
            .init(turn: turn, source: .voice, startedAt: Date(timeIntervalSince1970: 0)),
            heard: .init("turn on the pump"),
            interpretation: .init(handler: "van", intent: "turn_on", level: .exact, confidence: 1),
            result: .init(reply: "The pump is on.", outcome: .done))
    }

    @Test func aTurn_isShownWithItsIntentAndConfidence() {
        let model = Self.model(.turn(Self.pumpTurn(3)), Self.entry(3, "turn on the pump", "The pump is on."))
        #expect(model.exchanges.last?.decision == "van.turn_on, exact (1.00), done")
    }

    @Test func loudness_fallsByItself_andCountsWhileListeningOnly() {
        var model = Self.model(.status("Listening…", state: .listening), .level(0.9))
        #expect(abs(model.loudness(at: 0.1) - 0.9) < 1e-9)
        #expect(abs(model.loudness(at: 0.2) - 0.6) < 1e-9)
        #expect(model.loudness(at: 2) == 0)
        model.apply(.status("Thinking…", state: .thinking), at: 0.2)
        #expect(model.loudness(at: 0.2) == 0)
    }

    @Test func anUtteranceThatCameToNothing_leavesNoWordsBehind() {
        let model = Self.model(
            .status("Listening…", state: .listening), .partial("turn the", audioSeconds: 1),
            .status("Ready", state: .ready)
        )
        #expect(model.transcript.isEmpty)
    }

    @Test func aTurnThatWasInterrupted_joinsTheHistoryLate_andLeavesTheNextOnesWords() {
        var model = Self.model(
            .status("Thinking…", state: .thinking), .reply("The pump is on."), .status("Speaking…", state: .speaking),
            .status("Thinking…", state: .thinking), .transcript("what day is it"))
        #expect(model.reply == nil, "the old reply is not the new turn's")
        model.apply(Self.entry(1, "turn on the pump", "The pump is on."), at: 1)
        #expect(model.transcript == "what day is it")
        model.apply(.reply("It's Monday."), at: 1)
        model.apply(Self.entry(2, "what day is it", "It's Monday."), at: 2)
        #expect(model.transcript.isEmpty)
        #expect(model.reply == nil)
        #expect(model.exchanges.map(\.turn) == [1, 2])
    }

    @Test func theAnswer_isTheOldOneInReadyAndClosedOnly_andWhatIsSpokenMeanwhile() {
        var model = Self.model(.status("Ready", state: .ready), Self.entry(1, "turn on the pump", "The pump is on."))
        #expect(model.answer.text == "The pump is on.")
        model.apply(.status("Listening…", state: .listening), at: 1)
        #expect(model.answer.text.isEmpty)
        model.apply(.status("Speaking…", state: .speaking), at: 2)
        model.apply(.notice("I didn't hear anything."), at: 2)
        #expect(model.answer == .init(whole: "I didn't hear anything."))
        model.apply(.status("Ready", state: .ready), at: 3)
        #expect(model.answer.text == "The pump is on.")
        model.apply(.status("Thinking…", state: .thinking), at: 4)
        #expect(model.answer.text.isEmpty)
        model.apply(.reply("It's Monday."), at: 4)
        model.apply(.status("Speaking…", state: .speaking), at: 4)
        #expect(model.answer == .init(text: "It's Monday."))
        model.apply(.notice("I lost the speaker; the rest is only shown."), at: 5)
        #expect(model.answer == .init(text: "It's Monday."), "a reply goes before a notice beside it")
    }

    @Test func aLookOrPaletteOfANewerDaemon_changesNothing() {
        let model = Self.model(
            .ring(look: "thinking", palette: "finance"), .ring(look: "dancing", palette: "plaid"),
            WatchEvent(kind: "of-the-future"))
        #expect(model.scene.look == .thinking)
        #expect(model.scene.palette == .finance)
    }

    @Test func aStandingPicture_needsNoFrames() {
        var model = Self.model(.ring(look: "muted", palette: "default"))
        #expect(!model.isAnimated(at: 1))
        model.apply(.notice("The disk is nearly full."), at: 1)
        #expect(model.isAnimated(at: 2))
        #expect(!model.isAnimated(at: 1 + WatchModel.noticeSeconds))
        model.apply(.ring(look: "ready", palette: "default"), at: 20)
        #expect(model.isAnimated(at: 20))
        model.link = .lost("gone")
        #expect(!model.isAnimated(at: 20))
    }

    @Test func whatDoesNotWork_standsInPlaceOfReady_andGoesByItself() {
        var model = Self.model(.status("Ready", state: .ready))
        #expect(model.troubleInLabel == nil)
        let parts = [
            PartStatus(name: "broker", state: .failed, detail: "refused"),
            PartStatus(name: "microphone", state: .failed, detail: "no such device"),
            PartStatus(name: "speaker", state: .ok, detail: "there"),
        ]
        model.troubles = WatchTroubles.of(Self.status(parts))
        #expect(model.troubleInLabel == "No microphone: type, or use SSH")
        #expect(Array(model.furtherTroubles) == ["MQTT broker unreachable: devices can't be controlled"])
        model.apply(.status("Thinking…", state: .thinking), at: 1)
        #expect(model.troubleInLabel == nil && model.furtherTroubles.count == 2, "what goes on is not hidden")
        model.apply(.status("Ready", state: .ready), at: 2)
        model.troubles = WatchTroubles.of(
            Self.status([PartStatus(name: "broker", state: .warning, detail: "turned off in the settings")]))
        #expect(model.troubleInLabel == nil && model.furtherTroubles.isEmpty)
    }

    private static func status(_ parts: [PartStatus]) -> StatusResult {
        StatusResult(
            process: .init(version: "1", uptimeSeconds: 0, residentBytes: 0, cpuSeconds: 0),
            activity: .init(state: .ready, muted: false, mode: nil), bus: BusStatus(connected: false, detail: ""),
            parts: parts, speech: .init(recogniser: "", voice: nil),
            counts: .init(devices: 0, items: 0, phrases: 0))
    }

    @Test func turnsBeforeTheViewCame_areRememberedOnce() {
        var model = Self.model(Self.entry(2, "b", "B"))
        model.remember([1, 2].map { HistoryEntry(turn: $0, user: "u\($0)", assistant: "", startedAt: Date()) })
        #expect(model.exchanges.map(\.turn) == [2, 1])
    }
}

@Suite struct TabShelfTests {
    private static func shelf() -> TabCache {
        var shelf = TabCache()
        let rows = [
            TabPage.Row(id: "area:a", title: "Galley", tone: .heading), TabPage.Row(id: "device:1", title: "pump"),
            TabPage.Row(id: "area:b", title: "Cab", tone: .heading), TabPage.Row(id: "device:2", title: "lamp"),
        ]
        shelf.fill(.van, with: TabPage(rows: rows))
        return shelf
    }

    @Test func actions_openTabsAndThings_andGoBack() {
        var shelf = Self.shelf()
        shelf.follow("tab", "ledger")
        #expect(shelf.open == .ledger)
        shelf.follow("open", "device:2")
        #expect(shelf.open == .van)
        #expect(shelf.showsFacts)
        #expect(shelf.row?.title == "lamp")
        shelf.follow("move", "back")
        #expect(!shelf.showsFacts)
        shelf.follow("move", "back")
        #expect(shelf.open == .ledger)
        shelf.follow("close", nil)
        #expect(shelf.open == nil)
    }

    @Test func moving_skipsHeadings_andStopsAtTheEnds() {
        var shelf = Self.shelf()
        shelf.show(.van)
        #expect(shelf.row?.title == "pump")
        shelf.follow("move", "next")
        #expect(shelf.row?.title == "lamp")
        shelf.follow("move", "next")
        #expect(shelf.row?.title == "lamp")
        shelf.follow("move", "previous")
        shelf.follow("move", "previous")
        #expect(shelf.row?.title == "pump")
    }

    @Test func aStar_staysOnItsRow_untilItIsTakenOff() {
        var shelf = Self.shelf()
        shelf.show(.van)
        shelf.follow("star", "device:1")
        #expect(shelf.starred == ["device:1"])
        shelf.follow("unstar", "device:1")
        #expect(shelf.starred.isEmpty)
        shelf.fill(.van, with: TabPage(rows: shelf.pages[.van]?.rows ?? [], starred: ["device:2"]))
        #expect(shelf.starred == ["device:2"], "the daemon keeps them")
    }

    @Test func theDaemon_isToldWhatIsShown() {
        var shelf = Self.shelf()
        #expect(shelf.screen == ScreenArguments())
        shelf.show(.van)
        #expect(
            shelf.screen
                == ScreenArguments(tab: "van", thing: "device:1", name: "pump", count: 2, canGoBack: true))
        shelf.move(by: 1)
        #expect(shelf.screen.place == 1)
        shelf.show(.settings)
        #expect(shelf.screen == ScreenArguments(tab: "settings", canGoBack: true))
    }

    @Test func settings_areListedWithValueAndSource() {
        let row = SettingRow(
            key: "speech.rate", value: "0.6", defaultValue: "0.5", origin: .owner, timing: .atOnce,
            meaning: "How fast.")
        let page = WatchFeed.settings(
            SettingsResult(file: "/etc/vanorb/vanorb.yaml", problem: nil, isRunning: true, settings: [row]))
        #expect(page.rows.map(\.title) == ["speech.rate"])
        #expect(page.rows.first?.value == "0.6" && page.rows.first?.detail == "your file")
    }

    @Test func aDeviceOutOfReach_keepsItsLastValue_withItsAge() {
        var row = DeviceRow(
            id: "pump", name: "water pump", kind: "switch", state: "on", online: false, source: "devices.yaml")
        row.ageSeconds = 300
        let never = DeviceRow(id: "fan", name: "fan", kind: "fan", online: false, source: "devices.yaml")
        let page = WatchFeed.van(DevicesListResult(devices: [row, never]))
        let values = page.rows.filter { $0.id.hasPrefix("device:") }.map(\.value)
        #expect(values == ["offline, on 5 min ago", "offline"])
    }

    @Test(arguments: [("tab", "moon"), ("open", "unicorn:3"), ("open", ""), ("dance", "x"), ("move", "sideways")])
    func anActionOfANewerDaemon_changesNothing(action: String, target: String) {
        var shelf = Self.shelf()
        shelf.show(.van)
        shelf.follow(action, target)
        #expect(shelf.open == .van)
        #expect(shelf.row?.title == "pump")
    }

    @Test func aSelectedRowThatIsGone_givesWayToTheFirst() {
        var shelf = Self.shelf()
        shelf.show(.van)
        shelf.move(by: 1)
        shelf.fill(.van, with: TabPage(rows: [TabPage.Row(id: "device:1", title: "pump")]))
        #expect(shelf.row?.title == "pump")
        shelf.fill(.van, with: TabPage())
        #expect(shelf.row == nil)
        shelf.move(by: 1)
        shelf.expand()
        #expect(!shelf.showsFacts)
    }
}
