import Configuration
import Control
import Devices
import Foundation
import Language
import Testing

@testable import vanorb_lab

@Suite struct DeedReaderTests {
    private let reader: DeedReader

    init() throws {
        let file =
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/deploy/demo-van/devices.yaml"
        let books = try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot))
        reader = DeedReader(
            devices: try DeviceFile.devices(ConfigurationNode(contentsOf: file)), words: books.words)
    }

    private func deeds(
        _ intent: String, _ slots: [String: String] = [:], outcome: TurnOutcome = .done, effects: [String] = [],
        before: OwnerState = OwnerState(), after: OwnerState? = nil
    ) -> [Deed] {
        let parts = intent.split(separator: ".").map(String.init)
        let trace = TraceRecord(
            .init(turn: 1, source: .text, startedAt: Date()), heard: .init("a sentence"),
            interpretation: .init(handler: parts[0], intent: parts[1], level: .exact, slots: slots),
            result: .init(reply: "", outcome: outcome, effects: effects))
        return reader.turn(trace, before: before, after: after ?? before).deeds
    }

    @Test func whatWasPublished_isADeedOfItsDevice() {
        #expect(
            deeds("van.turn_on", ["device": "pump"], effects: ["mqtt: van/water_pump/set ON"])
                == [Deed("van.turn_on", ["device": "water pump", "area": "bathroom"])])
        #expect(
            deeds(
                "van.set_level", ["device": "kitchen lights", "level": "eighty"],
                effects: ["mqtt: van/kitchen_lights/set ON", "mqtt: van/kitchen_lights/brightness/set 204"])
                == [Deed("van.set_level", ["device": "kitchen lights", "area": "kitchen", "value": "80.0"])])
        #expect(
            deeds("van.set_option", ["device": "fridge"], effects: ["mqtt: van/fridge/source/set ac"])
                == [Deed("van.set_option", ["device": "fridge", "area": "kitchen", "option": "mains"])])
    }

    @Test func aChangeBySoMuch_isMeasuredAgainstBefore() {
        var before = OwnerState()
        before.devices = ["diesel heater": "off, set to 18 °C"]
        let deed = deeds(
            "van.adjust_temperature", ["device": "heater"], effects: ["mqtt: van/diesel_heater/temperature/set 16"],
            before: before)
        #expect(
            deed.map(\.slots) == [["device": "diesel heater", "area": "lounge", "value": "2.0"]])
        #expect(deed.map(\.intent) == ["van.adjust_temperature"])
    }

    @Test func aMode_isOneDeed_withAllItsDevices() {
        let effects = ["mode: night", "mqtt: van/kitchen_lights/set OFF", "mqtt: van/diesel_heater/temperature/set 16"]
        #expect(deeds("modes.set_mode", effects: effects) == [Deed("modes.set_mode", ["mode": "night"])])
    }

    @Test func anActWithoutEffect_isAClaim_andALookUpIsNone() {
        #expect(
            deeds("van.turn_off", ["device": "telly"])
                == [Deed("van.turn_off", ["device": "television"], isClaim: true)])
        #expect(deeds("van.get_state", ["device": "telly"]).isEmpty)
        #expect(deeds("finance.balance").isEmpty)
        #expect(deeds("van.turn_off", ["device": "telly"], outcome: .failed).isEmpty)
        #expect(deeds("van.turn_on", outcome: .failed, effects: ["mqtt: nothing acknowledged, no broker"]).isEmpty)
    }

    @Test func theFirstOfTwoCommands_countsWhereOnlyTheSecondHadAnEffect() {
        #expect(
            deeds("van.turn_off", ["device": "boiler"], effects: ["mqtt: van/roof_fan/set ON"]) == [
                Deed("van.turn_on", ["device": "roof fan", "area": "lounge"]),
                Deed("van.turn_off", ["device": "water heater"], isClaim: true),
            ])
    }

    @Test func whatChangedInTheOwnersData_isADeed() {
        var before = OwnerState(), after = OwnerState()
        before.items = [ItemRow(id: 1, name: "torch", quantity: 2, unitGrams: 300, place: "cab")]
        after.items = [ItemRow(id: 1, name: "torch", quantity: 2, unitGrams: 300, place: "glove box")]
        let moved = ["item": "torch", "place": "glove box", "quantity": "2", "weight": "300"]
        let effects = ["manifest: item 1, torch"]
        #expect(
            deeds("manifest.move_item", effects: effects, before: before, after: after)
                == [Deed("manifest.move_item", moved)])

        let amount = MoneyAmount(minorUnits: 1_850, currency: "GBP")
        after = before
        after.ledger = [LedgerRow(id: 5, kind: .expense, amount: amount, category: "fuel", date: Date())]
        #expect(
            deeds("finance.log_expense", effects: ["ledger: expense 5"], before: before, after: after)
                == [Deed("finance.log_expense", ["amount": "18.5", "currency": "GBP", "category": "fuel"])])
        // Also where nothing was to be changed.
        #expect(deeds("finance.balance", before: before, after: after).map(\.intent) == ["finance.log_expense"])
    }

    @Test func anAlarm_isADeed() {
        let effects = ["mqtt: vanorb/emergency {\"kind\":\"fire\"}"]
        #expect(deeds("emergency.fire", effects: effects) == [Deed("emergency.fire")])
        #expect(deeds("emergency.first_aid").isEmpty)
    }
}
