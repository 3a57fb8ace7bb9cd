@testable import Language
import Testing

/// One form for everything that is said or typed.
@Suite struct NormaliserTests {
    private let normaliser = English.books.normaliser

    private func text(_ said: String) -> String { normaliser.withoutFillers(normaliser.normalise(said)).text }

    @Test(arguments: [
        ("Turn ON the Pump!", "turn on the pump"), ("[music] turn on (cough) the pump *sigh*", "turn on the pump"),
        ("turn on the (pump", "turn on the pump"), ("could you please turn on the pump", "turn on the pump"),
        ("can you tell me what's on, thanks", "what is on"), ("um well okay turn it on please now", "turn it on"),
        ("whatsapp", "what is at"), ("log deisel", "log diesel"), ("what’s on", "what is on"), ("I’m done", "done"),
        ("check the tires", "check the tyres"), ("50%", "fifty percent"), ("£12.45", "twelve pounds forty five"),
        ("first-aid kit", "first aid kit"), ("first‑aid kit", "first aid kit"), ("2.5kg", "two point five kilograms"),
        ("10:05", "ten zero five"), ("salt & pepper", "salt and pepper"), ("🙂", ""), ("  ", ""), ("...", ""),
        ("turn on 🙂 the pump", "turn on the pump"), ("-5", "minus five"), ("drive-mode", "drive mode"),
        ("please", "please"), ("1st", "one"), ("£", "£"), ("wi-fi", "wi fi"),
    ])
    func whatIsSaid_becomesOneForm(said: String, form: String) { #expect(text(said) == form) }

    @Test func theWordsAsSaid_areKept_forFreeText() {
        let utterance = normaliser.normalise("Remind me to check Anna's £20 note, please")
        #expect(utterance.words.contains("anna's"))
        #expect(utterance.words.contains("£20"))
    }

    @Test func whatWasNormalised_staysAsItIs() {
        for sentence in LabelledSentence.all {
            let once = normaliser.normalise(sentence.text).text
            #expect(normaliser.normalise(once).text == once)
        }
    }

    @Test(arguments: [
        String(repeating: "a", count: 10_000), String(repeating: "log fifty ", count: 1_000),
        String(repeating: "(", count: 10_000), String(repeating: "🙂", count: 10_000),
        String(repeating: "9", count: 10_000), String(repeating: "£1.", count: 3_333),
        String(repeating: "please ", count: 1_500), String(repeating: "point ", count: 1_500),
        String(repeating: "e\u{301}", count: 5_000), String(repeating: "\u{0}", count: 10_000),
        String(repeating: "add a task to ", count: 700), String(repeating: "1e308", count: 2_000),
    ])
    func tenThousandCharacters_areRoutedInBoundedTime(said: String) {
        var routing: Routing?
        let duration = ContinuousClock().measure { routing = English.router.route(said) }
        #expect((routing?.normalised.split(separator: " ").count ?? 0) <= Normaliser.tokenLimit)
        #expect(duration < .seconds(10), "\(duration)")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func whateverIsTyped_isRoutedWithoutHarm(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "log", "fifty", "£", "12.45", "-", "(", "]", "*", "diesel", "for", "and", "the", "turn", "on", "off",
            "fridge",
            "where", "is", "🙂", "\u{200F}", "'", "%", "9999999999999999999999", ".", ":", "a", "half", "dozen", "minus",
        ]
        for _ in 0..<60 {
            let count = Int.random(in: 0...12, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            _ = English.router.route(text)
        }
    }
}
