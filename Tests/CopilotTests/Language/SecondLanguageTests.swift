@testable import Domain
@testable import Language
import CopilotTestKit
import Foundation
import Testing

/// A second language, German, of a few phrases for each handler: a folder of data, and not a line of code.
@Suite struct SecondLanguageTests {
    private static let books = Result {
        try Phrasebooks(folder: LanguageFolder(language: "de", root: TestLanguages.root))
    }

    @Test(arguments: [
        ("Schalte die Wasserpumpe ein", "van.turn_on"), ("könntest du den Kühlschrank ausmachen bitte", "none"),
        ("Kühlschrank aus bitte", "van.turn_off"), ("notiere 12,50 € für Diesel", "finance.log_expense"),
        ("buche fünfzig Euro für Lebensmittel gestern", "finance.log_expense"),
        ("Wo ist der Wasserkessel?", "manifest.find_item"), ("Feuer!", "emergency.fire"), ("Tschüss", "session.close"),
        ("Welcher Modus ist aktiv", "modes.get_mode"), ("neue Aufgabe Reifen prüfen", "checklist.add_task"),
    ])
    func aSentence_isRoutedByTheFoldersData(text: String, expected: String) throws {
        let books = try Self.books.get()
        var names = OwnerNames()
        for kind in SlotKind.allCases where kind.isOwners { names[kind] = books.samples(of: kind) }
        let chosen = Router(index: PhraseIndex(books: books, names: names), classifier: nil).route(text).chosen
        #expect(chosen.map { "\($0.handler).\($0.intent)" } ?? "none" == expected)
    }

    @Test func anExpense_isLoggedAnsweredAndUndone_inTheLanguage() async throws {
        let bench = try VanBench(books: Self.books.get())
        let talk = try await Talk(bench)
        let trace = await talk.conversation.say("Notiere 50 Euro für Diesel")
        #expect(trace.reply == "50,00 € für diesel notiert.")
        let entry = try await bench.stores.ledger.last()
        #expect(entry?.amount == Money(minorUnits: 5_000, currency: "EUR"))
        #expect(entry?.category == "fuel")
        #expect(await talk.conversation.say("rückgängig").reply == "Rückgängig gemacht: 50,00 € für diesel.")
        #expect(try await bench.stores.ledger.last() == nil)
    }

    @Test func theStatusLine_isInTheLanguage() async throws {
        let talk = try await Talk(VanBench(books: Self.books.get()))
        _ = await talk.conversation.say("Notiere 50 Euro für Diesel")
        _ = try await talk.events.first("the status") {
            if case .status(.ready, line: "Bereit", isMuted: false) = $0 { true } else { false }
        }
        let lines = talk.events.entries.compactMap { event -> String? in
            if case .status(_, let line, _) = event { line } else { nil }
        }
        #expect(lines.contains("Ich denke nach …"))
        #expect(Set(lines).isDisjoint(with: ["Ready", "Muted", "Listening…", "Thinking…", "Speaking…"]))
    }

    @Test func whatIsAnswered_isInTheLanguageAlone() async throws {
        let bench = try VanBench(
            devices: [VanBench.device("leselampe", .light), VanBench.device("wasserpumpe", .switch)],
            books: Self.books.get())
        bench.answersAll()
        _ = try await bench.stores.manifest.add(Item(name: "gasflasche", quantity: 2, place: "garage"))
        _ = try await bench.stores.manifest.add(Item(name: "wasserkessel", place: "unter der bank"))
        try await bench.run {
            let replies = [
                try await bench.say("mach die Leselampen an").text, try await bench.say("Wasserpumpe aus").text,
                try await bench.say("wo sind die Gasflaschen").text,
                try await bench.say("Wo ist mein Wasserkessel").text,
            ]
            #expect(
                replies == [
                    "Leselampe ist an.", "Wasserpumpe ist aus.", "Du hast 2 gasflaschen im Ort garage.",
                    "Wasserkessel ist unter der bank.",
                ])
        }
    }

    @Test func aFolder_isListedAsALanguage() {
        #expect(LanguageFolder.installed(root: TestLanguages.root) == ["de"])
        #expect(LanguageFolder.installed(root: LanguageFolder.shippedRoot).contains("en"))
    }
}
