import Domain

/// Sentences made from templates with slots, as a phrasebook makes them; the same on every run.
enum SyntheticCorpus {
    private static let values: [String: [String]] = [
        "amount": ["£5", "£12.50", "50 pounds", "8 euros", "£120", "3 pounds 20", "£45.99", "20 quid"],
        "category": ["diesel", "groceries", "camping", "parking", "gas", "tolls", "coffee", "repairs"],
        "item": ["first aid kit", "tow rope", "water hose", "levelling blocks", "torch", "axe", "fire extinguisher"],
        "place": ["garage", "overhead locker", "bench seat", "wardrobe", "glovebox", "roof box"],
        "light": ["kitchen lights", "bedroom lamp", "awning light", "reading light", "step light"],
        "device": ["water pump", "fridge", "heater", "inverter", "fan"],
        "cover": ["roof vent", "blind", "awning", "skylight"],
        "mode": ["drive", "camp", "night", "away"],
        "task": ["check tyres", "empty the toilet", "close the vents", "fill the water", "turn off the gas"],
        "country": ["spain", "france", "portugal", "scotland", "norway"],
        "number": ["10", "20", "30", "50", "75", "100"],
        "period": ["this week", "last month", "today", "this year", "yesterday"],
    ]

    private static let phrases: [String: [String]] = [
        "finance.log_expense": [
            "log {category} for {amount}", "log {amount} for {category}", "i spent {amount} on {category}",
            "add an expense of {amount} for {category}", "paid {amount} for {category} {period}",
        ],
        "finance.log_income": [
            "log income of {amount}", "i was paid {amount}", "add {amount} income {period}", "received {amount}",
        ],
        "finance.balance": [
            "how much money do i have", "what is my balance", "how much is left", "what is the balance {period}",
        ],
        "finance.spent": [
            "how much did i spend on {category} {period}", "what have i spent {period}", "{category} spending {period}",
        ],
        "finance.set_budget": [
            "set a budget of {amount} for {category}", "my {category} budget is {amount}",
            "budget {amount} for {category}",
        ],
        "finance.budget_left": [
            "how much budget is left for {category}", "what is left of the {category} budget",
            "am i over budget on {category}",
        ],
        "manifest.find_item": [
            "where is the {item}", "where did i put the {item}", "find the {item}", "which locker has the {item}",
        ],
        "manifest.have_item": ["have i got a {item}", "do i have a {item}", "is there a {item} aboard"],
        "manifest.add_item": [
            "add a {item} to the {place}", "put the {item} on the list in the {place}",
            "there is a {item} in the {place}",
        ],
        "manifest.remove_item": ["remove the {item}", "delete the {item} from the list", "the {item} is gone"],
        "manifest.list_place": ["what is in the {place}", "list the {place}", "what do i keep in the {place}"],
        "manifest.payload_left": ["am i overweight", "how much more can i carry", "what is my payload"],
        "van.turn_on": ["turn on the {light}", "switch the {device} on", "turn the {light} on", "{device} on"],
        "van.turn_off": ["turn off the {light}", "switch the {device} off", "turn the {light} off", "{device} off"],
        "van.set_level": [
            "set the {light} to {number} percent", "dim the {light} to {number}", "{light} {number} percent",
        ],
        "van.open": ["open the {cover}", "put the {cover} up", "can the {cover} open"],
        "van.close": ["close the {cover}", "shut the {cover}", "put the {cover} down"],
        "van.get_state": ["is the {device} on", "is the {light} off", "what is the {device} doing"],
        "modes.set_mode": ["switch to {mode} mode", "{mode} mode", "set {mode} mode", "go to {mode} mode"],
        "modes.get_mode": ["which mode am i in", "what mode is it", "what is the mode"],
        "checklist.add_task": ["add a task to {task}", "remind me to {task}", "new task {task}"],
        "checklist.complete_task": ["tick off {task}", "{task} is done", "i did {task}", "mark {task} as done"],
        "checklist.list_left": ["what is left to do", "which tasks are open", "what have i still to do"],
        "travel.start_trip": ["start a trip to {country}", "we are off to {country}", "begin a trip to {country}"],
        "travel.end_trip": ["end the trip", "the trip is over", "finish the trip to {country}"],
        "travel.distance": ["how far have we driven {period}", "how many miles {period}", "distance {period}"],
        "none": [
            "what do you think of {country}", "the weather was nice {period}", "she bought {number} apples",
            "he was talking about the football {period}", "pass me the salt", "did you call your mother {period}",
            "i am hungry", "that film was {number} minutes too long", "let us have a cup of tea",
        ],
    ]

    /// About `perIntent` different sentences of each intent.
    static func sentences(perIntent: Int = 60) -> [TrainingSentence] {
        phrases.sorted { $0.key < $1.key }.flatMap { intent, templates in
            var seen = Set<String>()
            return (0..<perIntent).compactMap { turn -> TrainingSentence? in
                let text = fill(templates[turn % templates.count], turn: turn / templates.count)
                return seen.insert(text).inserted ? TrainingSentence(text: text, intent: intent) : nil
            }
        }
    }

    /// `count` intents with invented words, for measuring size and speed.
    static func invented(intents count: Int, perIntent: Int) -> [TrainingSentence] {
        let syllables = ["ba", "ko", "ri", "tel", "mun", "sha", "vor", "li", "pez", "dan", "gru", "hin"]
        func word(_ number: Int) -> String {
            syllables[number % 12] + syllables[number / 12 % 12] + syllables[number / 144 % 12]
        }
        return (0..<count).flatMap { intent in
            (0..<perIntent).map { turn in
                let words = (0..<7).map { place in word(intent * 5 + (place * 31 + turn * (place + 1) * 17) % 90) }
                return TrainingSentence(text: words.joined(separator: " "), intent: "made.intent\(intent)")
            }
        }
    }

    private static func fill(_ template: String, turn: Int) -> String {
        var text = template
        var turn = turn
        for (slot, choices) in values.sorted(by: { $0.key < $1.key }) where text.contains("{\(slot)}") {
            text = text.replacing("{\(slot)}", with: choices[turn % choices.count])
            // Another step for each slot, so that their values do not march in step.
            turn = turn / 2 + turn * 3
        }
        return text
    }
}
