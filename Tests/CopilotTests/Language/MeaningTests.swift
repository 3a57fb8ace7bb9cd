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

    @Test(arguments: ["he told me to turn the water pump off", "I'm going to turn the water pump off"])
    func aCommandWithinAStatement_isNone(text: String) { #expect(route(text, sure: "none").chosen == nil) }

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
}
