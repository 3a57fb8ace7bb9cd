@testable import Domain
@testable import Language
import CopilotTestKit
import Testing

/// No act on what was half understood: what the router makes of sentences where the classifier is sure of an intent.
@Suite struct MeaningTests {
    /// A classifier that is sure of one intent.
    private struct Sure: IntentClassifier {
        let intent: String

        func classify(_ text: String, count: Int) -> [IntentGuess] { [IntentGuess(intent: intent, probability: 0.98)] }
    }

    private func route(_ text: String, sure intent: String) -> Routing {
        Router(index: English.index, classifier: Sure(intent: intent)).route(text)
    }

    @Test(arguments: [
        ("don't you go turning the pump on", "van.turn_on"), ("no need for the pump on today", "van.turn_on"),
        ("we forgot to get the pump on", "van.turn_on"), ("somebody had the pump on", "van.turn_on"),
        ("can the pump stay on while driving", "van.turn_on"), ("I wish the pump was on", "van.turn_on"),
        ("I nearly spent fifty pounds on wine", "finance.log_expense"),
        ("we might spend fifty pounds on diesel", "finance.log_expense"),
        ("Dave owes me twenty pounds for diesel", "finance.log_income"),
        ("the water pump makes a funny noise", "van.turn_on"),
    ])
    func whatAsksForNothing_isNotActedOn(text: String, intent: String) {
        let routing = route(text, sure: intent)
        #expect(routing.chosen == nil, "\(String(describing: routing.chosen))")
        #expect(routing.suggested == nil)
    }

    @Test(arguments: [
        ("turn the water pump on in five minutes", Analysis.Modifier.Kind.time),
        ("turn the water pump on at eleven", .time), ("turn on the water pump until midnight", .time),
        ("turn the water pump off if it freezes", .condition), ("when it gets dark turn on the water pump", .condition),
    ])
    func aCommandForLater_isRefusedAndNamesWhy(text: String, kind: Analysis.Modifier.Kind) {
        let routing = route(text, sure: "van.turn_on")
        #expect(routing.chosen == nil)
        #expect(routing.refused?.modifier.kind == kind)
        #expect(routing.refused?.proposal.handler == "van")
    }

    @Test(arguments: [
        "remind me to fill up the water when we get to Aviemore", "remind me to call mum tomorrow",
    ])
    func aReminderForLater_isRefused_andBecomesNoTask(text: String) {
        let routing = route(text, sure: "checklist.add_task")
        #expect(routing.chosen == nil)
        #expect(routing.refused?.isReminder == true)
        #expect(route("remind me to empty the grey water", sure: "none").chosen?.intent == "add_task")
    }

    @Test func whatATemplateSaysInFull_isNotJudgedByWhatTakesTime() {
        let router = Router(index: English.index, classifier: Slow())
        #expect(router.route("turn on the water pump").guesses.first?.intent == "quick")
        #expect(router.route("the pump wants some juice").guesses.first?.intent == "slow")
    }

    /// A classifier that can say something at once as well.
    private struct Slow: IntentClassifier {
        func classify(_ text: String, count: Int) -> [IntentGuess] { [IntentGuess(intent: "slow", probability: 0.5)] }
        var quick: any IntentClassifier { Sure(intent: "quick") }
    }

    @Test func aDateThatTheIntentTakes_isNoReasonToRefuse() {
        let routing = route("log fifty pounds for diesel yesterday", sure: "finance.log_expense")
        #expect(routing.refused == nil)
        #expect(routing.chosen?.intent == "log_expense")
        #expect(routing.chosen?.slots["date"] != nil || routing.chosen?.slots["period"] != nil)
    }

    @Test func anActWithAWordLeftOver_isAskedBack() {
        let routing = route("turn flurb the water pump on", sure: "van.turn_on")
        #expect(routing.chosen == nil)
        #expect(routing.suggested?.intent == "turn_on")
        #expect(routing.suggested?.leftOver == ["flurb"])
        #expect(routing.suggested.flatMap { English.index.sentence(for: Command($0)) } == "turn on the water pump")
        #expect(routing.meaning == ["left over: flurb"])
    }

    @Test(arguments: [
        "turn the water pump off, it's too loud", "it's too loud in here, turn the water pump off",
        "water pump off, I can't sleep",
    ])
    func aReasonBesideTheCommand_doesNotStandInItsWay(text: String) {
        #expect(route(text, sure: "none").chosen?.intent == "turn_off")
    }

    @Test(arguments: [
        "he told me to turn the water pump off", "I'm going to turn the water pump off", "I'll turn the water pump off",
        "she's after turning the water pump off",
        "he's turning the water pump off", "our dad's turned the water pump off", "dad's left the water pump off",
    ])
    func aCommandWithinAStatement_isNone(text: String) {
        #expect(route(text, sure: "none").chosen == nil)
        #expect(route(text, sure: "van.turn_off").chosen == nil)
    }

    /// Where the classifier hears the same in the whole, what is said behind the command need not be understood.
    @Test(arguments: [
        "turn the water pump off like they do in films", "turn the water pump off, every phone in the van is dead",
    ])
    func talkBehindAWholeCommand_doesNotStandInItsWay(text: String) {
        #expect(route(text, sure: "van.turn_off").chosen?.intent == "turn_off")
    }

    @Test(arguments: [
        "turn the water pump off he said", "turn the water pump off she told me",
        "turn the water pump off I said to him", "turn the water pump off is what she kept shouting",
        "turn the water pump off I was joking", "turn the water pump off just kidding",
        "turn the water pump off no actually don't bother", "turn the water pump off no don't bother",
    ])
    func aCommandThatIsQuotedOrTakenBack_isNone(text: String) {
        #expect(route(text, sure: "van.turn_off").chosen == nil)
        #expect(route(text, sure: "none").chosen == nil)
    }

    @Test(arguments: ["the blind in the kitchen", "the water pump in the kitchen", "the awning light by the bedroom"])
    func aNameByItself_isNoOrder(text: String) {
        #expect(route(text, sure: "van.close").chosen?.intent != "close")
        #expect(route(text, sure: "van.turn_off").chosen?.intent != "turn_off")
    }

    @Test(arguments: [
        "fifty quid of diesel at that garage would be mad", "eighty quid on diesel near the border they reckon",
    ])
    func anAmountThatIsOnlyTalkedOf_isNoEntry(text: String) { #expect(route(text, sure: "none").chosen == nil) }

    @Test(arguments: [
        "inverter on my old dear", "turn the inverter on, my phone's dead",
        "turn the inverter on quick before it floods",
        "turn the inverter on, we're supposed to be working", "right, that'll do, inverter on",
    ])
    func aReasonOrAnAddress_doesNotStandInTheWayOfACommand(text: String) {
        #expect(route(text, sure: "none").chosen?.intent == "turn_on")
    }

    @Test func whatOneWantsToSee_andWhatOneIsQuickFor_areNoConditions() {
        #expect(route("press the doorbell, see if he jumps", sure: "none").chosen?.intent == "press")
        #expect(route("wind the awning in quick before it rips", sure: "none").chosen?.intent == "close")
        #expect(route("wind the awning in before we go to bed", sure: "none").chosen == nil)
        #expect(route("close the roof vent if it rains", sure: "none").chosen == nil)
    }

    @Test func aQuestion_isAnswered_withTalkBehindIt_andNoOther() {
        let asked = route("how full is the fresh water tank, my hair wants a wash", sure: "none")
        #expect(asked.chosen.map { English.router.isQuestion($0) } == true)
        #expect(route("can we leave the dog with you", sure: "none").chosen == nil)
    }

    @Test func whatIsToBeSuggested_isAnOrder_andNoReport() throws {
        for book in English.books.books {
            for intent in book.intents where intent.isAct {
                guard let words = English.index.sentence(for: Command(handler: book.handler, intent: intent.name))
                else {
                    continue
                }
                #expect(!["i", "we"].contains(words.split(separator: " ").first.map(String.init)), "\(words)")
            }
        }
    }

    @Test func whatSomebodySaid_mayBeTheReason() {
        #expect(route("turn the water pump off, mum said it's too loud", sure: "none").chosen?.intent == "turn_off")
    }

    @Test(arguments: [
        "turn the water pump off at the mains", "turn the water pump off with the fridge",
        "turn the water pump off in flurb", "turn the water pump off three times over",
    ])
    func whatGoesOnWithACommand_isNoTalkBehindIt(text: String) {
        #expect(route(text, sure: "van.turn_off").chosen == nil)
    }

    @Test(arguments: [
        "put a spirit level on the inventory it lives in the kitchen drawer",
        "add three water pistols to the inventory they're in the garage",
    ])
    func aSentence_isNoName(text: String) {
        #expect(route(text, sure: "manifest.add_item").chosen == nil)
    }

    @Test func aPlaceBeforeTheInventory_isWhereTheThingIs() {
        let command = route("add three sleep suits in the garage to the inventory", sure: "none").chosen
        #expect(command?.slots["thing"]?.text == "sleep suits")
        #expect(command?.slots["place"]?.names.map(\.name) == ["garage"])
    }

    @Test func aMemory_isNoEntry() {
        let text = "we paid thirty two euros for parking in bruges that time do you remember"
        #expect(route(text, sure: "finance.log_expense").chosen == nil)
    }

    @Test func twoThingsThatAreLeftOut_areNoSecondCommand() {
        let found = parts("turn off every light except the bathroom and reading ones", sure: "van.turn_off")
        if case .several(let commands) = found { Issue.record("\(commands)") }
    }

    // MARK: corrections

    private func finding(_ text: String) -> Correction.Finding {
        let normaliser = English.books.normaliser
        let router = English.router, utterance = normaliser.withoutFillers(normaliser.normalise(text))
        return Correction(index: English.index, router: router).find(utterance, whole: router.route(text))
    }

    @Test func aCorrectedAmount_isTheOneThatCounts() {
        guard case .corrected(let command) = finding("log five pounds for coffee, no, six pounds") else {
            Issue.record("not corrected")
            return
        }
        #expect(command.intent == "log_expense")
        #expect(command.slots["money"]?.content == .money(minorUnits: 600, currency: "GBP"))
        #expect(command.slots["category"]?.text == "treats")
    }

    @Test func aCorrectedDevice_isTheOneThatCounts() {
        guard case .corrected(let command) = finding("turn on the water pump, no wait, the fridge") else {
            Issue.record("not corrected")
            return
        }
        #expect(command.slots["device"]?.names.map(\.name) == ["fridge"])
    }

    @Test(arguments: ["turn on the water pump, no wait", "log five pounds for coffee, forget it"])
    func whatIsTakenBack_isNotDone(text: String) { #expect(finding(text) == .withdrawn) }

    /// The second half takes the place of the words that it is put for.
    @Test(arguments: [
        ("put the reading light on, no, sorry, the kitchen one", "turn_on", "kitchen lights"),
        ("kitchen lights off, sorry, I mean the bedroom ones off", "turn_off", "bedroom lights"),
        ("turn the water pump on, I mean off, turn the water pump off", "turn_off", "water pump"),
    ])
    func aMendedSlip_isWhatCounts(text: String, intent: String, device: String) {
        guard case .corrected(let command) = finding(text) else {
            Issue.record("not corrected")
            return
        }
        #expect(command.intent == intent)
        #expect(command.slots["device"]?.names.map(\.name) == [device])
        #expect(command.slots["area"] == nil)
    }

    @Test func aListThatWasMistaken_isNotTheTask() {
        guard case .corrected(let command) = finding("add a task to departure, er, no, arrival to fill the water tank")
        else {
            Issue.record("not corrected")
            return
        }
        #expect(command.slots["list"]?.text == "arrival")
        #expect(command.slots["task"]?.text == "fill the water tank")
    }

    @Test(arguments: ["there's no need to put the heater on", "remind me to tell mum no nuts"])
    func whatOnlySoundsLikeACorrection_isNone(text: String) { #expect(finding(text) == .none) }

    // MARK: what is asked for, and of what

    /// A thing that no name vouches for is another thing.
    @Test(arguments: ["lock the safe", "let's have some light in the boot", "lock the toolbox"])
    func anUnknownThing_isNotLeftOutOfAccount(text: String) {
        #expect(route(text, sure: text.hasPrefix("lock") ? "van.lock" : "van.turn_on").chosen == nil)
    }

    /// “Leave the fridge on, everything else off” is about both, and not “turn off the fridge”.
    @Test func twoTargets_areNotOne() {
        let routing = route("keep the fridge going and knock everything else off", sure: "van.turn_off")
        #expect(routing.chosen?.slots["device"] == nil)
    }

    @Test func aReasonsPlace_isTheCommandsPlace() {
        let command = route("I'm cooking in the kitchen, turn the lights on", sure: "none").chosen
        #expect(command?.intent == "turn_on")
        #expect(command?.slots["area"]?.names.map(\.name) == ["kitchen"])
    }

    @Test(arguments: [
        ("away mode, we're out for the day", "set_mode"), ("turn the water pump off, I'm going to bed", "turn_off"),
        ("put some light on in the kitchen, I can't see a thing", "turn_on"),
    ])
    func aTimeInTheReason_isTheReasons(text: String, intent: String) {
        #expect(route(text, sure: "none").chosen?.intent == intent)
    }

    /// What is counted has no name that is known, and is no heating.
    @Test func aNumberThatTheReasonCounts_isNoTemperature() {
        #expect(route("we're down to three gas canisters so change it to three", sure: "none").chosen == nil)
    }

    @Test func whatOthersSayOfTheirMoney_isNoEntry() {
        #expect(route("my mate reckons his wages went up a hundred quid", sure: "finance.log_income").chosen == nil)
    }

    // MARK: parts of a sentence

    private func parts(_ text: String, sure intent: String) -> TwoActions.Finding {
        let normaliser = English.books.normaliser, utterance = normaliser.withoutFillers(normaliser.normalise(text))
        let router = Router(index: English.index, classifier: Sure(intent: intent))
        return TwoActions(index: English.index, router: router).find(utterance, whole: router.route(text))
    }

    /// Nothing that else is said in the fright stands in its way.
    @Test func anEmergencyInAPart_isOne() {
        let found = parts("he's got pains in his chest and he's gone a very funny colour", sure: "none")
        guard case .several(let commands) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(commands.map(\.handler) == [HandlerName.emergency])
    }

    @Test func twoAmounts_areTwoEntries() {
        let found = parts(
            "log twenty euros for the market and thirty five euros for the chemist", sure: "finance.log_expense")
        guard case .several(let commands) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(commands.map { $0.slots["money"]?.spoken } == ["twenty euros", "thirty five euros"])
    }

    @Test func talk_isNoTwoGuesses() {
        #expect(parts("somebody's been and used all the hot water", sure: "none") == .one)
    }
}
