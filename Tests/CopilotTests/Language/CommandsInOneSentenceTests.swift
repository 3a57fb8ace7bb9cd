import Testing

@testable import Domain
@testable import Language

/// What one sentence would do, by itself.
@Suite struct CommandsInOneSentenceTests {
    private func intents(_ text: String) -> [String] {
        English.router.commands(in: text).commands.map { "\($0.handler).\($0.intent)" }
    }

    @Test(arguments: [
        ("log diesel for fifty pounds and end the trip", ["finance.log_expense", "travel.end_trip"]),
        (
            "turn off the water pump, log fifty pounds for diesel, and end the trip",
            ["van.turn_off", "finance.log_expense", "travel.end_trip"]
        ),
        ("log diesel for fifty pounds and turn on the water pump", ["finance.log_expense", "van.turn_on"]),
        ("turn off the water pump and the fridge", ["van.turn_off", "van.turn_off"]),
        ("log a hundred and nine pounds for groceries", ["finance.log_expense"]),
        ("how much money do i have", ["finance.balance"]),
        ("log diesel for fifty pounds and sing a song", []),
    ])
    func commands_areFoundInTheirOrder_allOrNone(text: String, expected: [String]) {
        #expect(intents(text) == expected)
    }

    @Test func aNumberIsNotCutInTwo() {
        #expect(intents("set the heater to eighteen and a half degrees") == ["van.set_temperature"])
    }

    @Test func anAlarm_isNotRefused_forWhatElseWasSaid() {
        let intent = intents("there's a fire and i can't find my shoes").first ?? ""
        #expect(intent.hasPrefix("emergency."))
    }

    /// A classifier that hears an emergency in everything.
    private struct Frightened: IntentClassifier {
        func classify(_ text: String, count: Int) -> [IntentGuess] {
            [IntentGuess(intent: "emergency.emergency", probability: 0.95)]
        }
    }

    @Test func halfASentence_isNoEmergency_onAGuess() {
        let router = Router(index: English.index, classifier: Frightened())
        let found = router.commands(in: "somebody's been and used all the hot water").commands
        #expect(!found.contains { $0.handler == "emergency" })
    }

    @Test func aQuestion_isAnswered_whateverComesBehindIt() {
        #expect(intents("is the water pump on and all that jazz") != [])
    }
}
