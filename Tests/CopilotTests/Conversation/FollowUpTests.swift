@testable import Domain
@testable import Language
import CopilotTestKit
import Foundation
import Testing

/// What leans on what was said before.
@Suite struct FollowUpTests {
    /// The command that an utterance means after another one.
    private func meaning(_ utterance: String, after first: String, kind: String? = nil) -> Command? {
        guard let last = English.router.route(first).chosen else { return nil }
        let normaliser = English.books.normaliser
        let followUp = FollowUp(
            index: English.index, router: English.router, last: Command(last), deviceKind: kind)
        return followUp.command(normaliser.withoutFillers(normaliser.normalise(utterance)))
    }

    @Test(arguments: [
        "and last month?", "what about last month", "how about last month then", "and last month too",
        "same for last month", "okay, and last month", "and what about last month please",
    ])
    func anotherPeriod_keepsTheRestOfTheQuestion(utterance: String) {
        let command = meaning(utterance, after: "how much have I spent on diesel this month")
        #expect(command?.intent == "spent")
        #expect(command?.slots["category"]?.text == "fuel")
        #expect(command?.slots["period"]?.spoken == "last month")
    }

    @Test(arguments: [
        "how much have we spent this month", "what's our total spending this month", "how much did I spend this month",
        "how far did we drive this month", "how many nights were we away this month", "mpg this month",
        "what was my biggest expense this month", "list our trips this month",
        "which countries did we visit this month",
    ])
    func anyTotal_isAskedForAnotherPeriod(first: String) {
        for (utterance, said) in [("and last month?", "last month"), ("how about October?", "october")] {
            let command = meaning(utterance, after: first)
            let intent = English.router.route(first).chosen?.intent
            #expect(command?.intent == intent, "\(first) – \(utterance)")
            #expect(command?.slots["period"]?.spoken == said, "\(first) – \(utterance)")
        }
    }

    @Test(arguments: ["what about food", "and food", "and on food", "how about food then"])
    func anotherCategory_keepsThePeriod(utterance: String) {
        let command = meaning(utterance, after: "how much have I spent on diesel last week")
        #expect(command?.slots["category"]?.text != "fuel")
        #expect(command?.slots["period"]?.spoken == "last week")
    }

    @Test(arguments: ["how much is that in total", "and in total", "what does it all come to"])
    func theTotal_dropsTheCategory(utterance: String) {
        let command = meaning(utterance, after: "how much have I spent on diesel last week")
        #expect(command?.intent == "spent")
        #expect(command?.slots["category"] == nil)
        #expect(command?.slots["period"]?.spoken == "last week")
    }

    @Test(arguments: [
        ("turn that off again", "turn_off"), ("turn it back on", "turn_on"), ("switch it off please", "turn_off"),
        ("is it on", "get_state"), ("and turn it off", "turn_off"),
    ])
    func aPronoun_standsForTheLastDevice(utterance: String, intent: String) {
        let command = meaning(utterance, after: "turn on the water pump")
        #expect(command?.intent == intent)
        #expect(command?.slots["device"]?.names.first?.name == "water pump")
    }

    @Test(arguments: ["and the fridge?", "what about the fridge", "same for the fridge", "the same for the fridge too"])
    func anotherDevice_getsTheSame(utterance: String) {
        let command = meaning(utterance, after: "is the water pump on")
        #expect(command?.intent == "get_state")
        #expect(command?.slots["device"]?.names.first?.name == "fridge")
    }

    @Test func theSameDeviceInAnotherArea_isFoundByItsName() {
        let command = meaning("what about the bedroom?", after: "are the kitchen lights on")
        #expect(command?.slots["device"]?.names.first?.name == "bedroom lights")
    }

    @Test func aPronoun_standsForTheLastItem_alsoForItsPlace() {
        let moved = meaning("move it to the garage", after: "where is the tow rope")
        #expect(moved?.intent == "move_item")
        #expect(moved?.slots["item"]?.names.first?.name == "tow rope")
        #expect(moved?.slots["place"]?.names.first?.name == "garage")
        #expect(meaning("where is it", after: "move the tow rope to the garage")?.intent == "find_item")
    }

    @Test func anotherExpense_keepsNothingOfTheFirstButItsDay() {
        let command = meaning("and twenty for parking", after: "log fifty pounds for diesel yesterday")
        #expect(command?.intent == "log_expense")
        #expect(command?.slots["money"]?.content == .money(minorUnits: 2_000, currency: nil))
        #expect(command?.slots["category"]?.text != "fuel")
    }

    @Test(arguments: [
        "and what about the weather", "what about your mother", "and then she laughed", "that was a lovely dinner",
        "and the dog chased the fridge magnet", "it is raining", "make it snow", "and", "what about", "there",
        "how about some music", "and the winner is", "that reminds me of home",
    ])
    func chatter_isNoFollowUp(utterance: String) {
        for first in ["turn on the water pump", "how much have I spent on diesel", "where is the tow rope"] {
            let command = meaning(utterance, after: first)
            #expect(command == nil, "\(utterance) after \(first): \(String(describing: command))")
        }
    }

    @Test func aNewValue_goesToTheIntentThatTakesIt_byTheDevicesKind() throws {
        let corrects = English.books.intent("finance", "correct_last") != nil
        let command = meaning("make it sixty", after: "log fifty pounds for diesel")
        #expect((command?.intent == "correct_last") == corrects)
        let temperature = English.books.intent("van", "set_temperature") != nil
        let warmer = meaning("make it twenty one degrees", after: "turn on the heater", kind: "heater")
        #expect((warmer?.intent == "set_temperature") == temperature)
    }
}

/// Two commands in one sentence.
@Suite struct TwoActionsTests {
    private func find(_ text: String) -> TwoActions.Finding {
        let normaliser = English.books.normaliser
        let utterance = normaliser.withoutFillers(normaliser.normalise(text))
        return TwoActions(index: English.index, router: English.router).find(
            utterance, whole: English.router.route(text))
    }

    private func intents(_ text: String) -> [String] {
        guard case .several(let commands) = find(text) else { return [] }
        return commands.map { command in
            let name = command.slots.values.flatMap(\.names).first?.name
            return [command.intent, name].compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("turn off the water pump and the kitchen lights", ["turn_off water pump", "turn_off kitchen lights"]),
        ("turn the water pump and the fridge off", ["turn_off water pump", "turn_off fridge"]),
        ("turn on the fridge, the inverter and the boiler", ["turn_on fridge", "turn_on inverter", "turn_on boiler"]),
        ("turn on the fridge and turn off the inverter", ["turn_on fridge", "turn_off inverter"]),
        ("turn on the fridge then turn off the inverter", ["turn_on fridge", "turn_off inverter"]),
        ("log diesel for fifty pounds and end the trip", ["log_expense", "end_trip"]),
        ("log diesel for fifty pounds and parking for ten", ["log_expense", "log_expense"]),
        ("where is the tow rope and the head torch", ["find_item tow rope", "find_item head torch"]),
        ("start a trip to spain and switch to drive mode", ["start_trip", "set_mode drive"]),
        (
            "switch to drive mode and then turn off the water pump plus the boiler",
            ["set_mode drive", "turn_off water pump", "turn_off boiler"]
        ),
        ("turn on the fridge and then turn it off again", ["turn_on fridge", "turn_off fridge"]),
    ])
    func bothHalves_areFound_inTheirOrder(text: String, expected: [String]) {
        #expect(intents(text) == expected)
    }

    @Test(arguments: [
        "add a task to check tyres and oil", "add a task to check tyres and turn off the water pump",
        "remind me to close the vent and turn off the fridge", "how much money do I have",
        "she sang and the band played on", "log fifty pounds for salt and pepper", "and and and and",
    ])
    func oneCommand_staysWhole(text: String) { #expect(find(text) == .one) }

    @Test(arguments: [
        ("turn off the water pump and frobnicate the wibble", "frobnicate the wibble"),
        ("log diesel for fifty pounds and juggle three oranges", "juggle three oranges"),
    ])
    func aHalfThatIsNotUnderstood_isNamed(text: String, words: String) { #expect(find(text) == .half(words)) }

    @Test func aNameThatHoldsAnd_isOneName() {
        var names = English.books.sampleNames
        names[.item] += [OwnerName(name: "salt and pepper")]
        let index = PhraseIndex(books: English.books, names: names)
        let router = Router(index: index, classifier: nil)
        let routing = router.route("where is the salt and pepper")
        let utterance = English.books.normaliser.normalise("where is the salt and pepper")
        #expect(TwoActions(index: index, router: router).find(utterance, whole: routing) == .one)
        #expect(routing.chosen?.slots["item"]?.names.first?.name == "salt and pepper")
    }
}
