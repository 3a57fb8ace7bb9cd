@testable import Domain
@testable import Language
import CopilotTestKit
import Foundation
import SystemTestKit
import Testing

/// How an utterance is meant, and what narrows its command.
@Suite struct AnalysisTests {
    private func analysis(_ text: String) -> Analysis {
        let normaliser = English.books.normaliser
        return PhraseMatcher(normaliser.withoutFillers(normaliser.normalise(text)), in: English.index).analysis()
    }

    @Test(
        arguments: [
            ("turn the pump on", .command), ("could you turn the pump on please", .command),
            ("we could do with some light", .command), ("can we have the lights on", .command),
            ("I'd like to know how much we spent", .command), ("how about a bit of heat", .command),
            ("don't turn the pump on", .negation), ("no need to turn the pump on", .negation),
            ("leave the lights alone", .negation), ("I never said turn the pump on", .negation),
            ("can I turn the inverter on while driving", .question), ("what happens in away mode", .question),
            ("when did I last turn the pump on", .question), ("is the pump on", .question),
            ("I don't know where the torch is", .question),
            ("we forgot to turn the inverter on yesterday", .report), ("somebody moved the binoculars", .report),
            ("the lights flickered", .report), ("we've been to France and Spain", .report),
            ("I've locked myself out", .report),
            ("I nearly spent fifty quid on wine", .hypothesis), ("we might spend a hundred pounds", .hypothesis),
            ("we should turn the heating off", .hypothesis), ("I wish the heating was on", .hypothesis),
        ] as [(String, Analysis.Mood)])
    func theMood_isFound(text: String, mood: Analysis.Mood) {
        #expect(analysis(text).mood == mood, "\(analysis(text))")
    }

    @Test(
        arguments: [
            ("cab lights on in five minutes", .time, "in five minutes"),
            ("turn the heating off at eleven", .time, "at eleven"),
            ("cab lights on until midnight", .time, "until midnight"),
            ("night mode at half past ten tonight", .time, "at half past ten"),
            ("pump on for an hour and a half", .time, "for an hour and a half"),
            ("heating on every morning", .time, "every morning"),
            ("close the vent if it rains", .condition, "if it rains"),
            ("set away mode when we leave", .condition, "when we leave"),
            ("turn the pump off once the tank is full", .condition, "once the tank is full"),
            ("all lights off except the kitchen", .exception, "except the kitchen"),
        ] as [(String, Analysis.Modifier.Kind, String)])
    func whatNarrowsTheCommand_isFound(text: String, kind: Analysis.Modifier.Kind, words: String) {
        #expect(analysis(text).modifiers.contains { $0.kind == kind && $0.words == words }, "\(analysis(text))")
    }

    @Test(arguments: ["set the heating to eleven degrees", "lights to fifty percent", "once more", "turn the pump on"])
    func valuesAndPlainCommands_areNotNarrowed(text: String) {
        #expect(analysis(text).modifiers.isEmpty, "\(analysis(text))")
    }

    @Test(arguments: [
        ("turn all the lights off", Analysis.Scope.all), ("which lights are on", .which),
        ("are any batteries low", .any), ("how many windows are open", .count),
    ])
    func theScope_isFound(text: String, scope: Analysis.Scope) { #expect(analysis(text).scope == scope) }

    @Test(arguments: [
        String(repeating: "if ", count: 3_000), String(repeating: "the ", count: 16_000),
        "if when unless once we if " + String(repeating: "until ", count: 500), "not never no need not",
        "don't not never turn all but the pump off in five minutes at six until dark if it rains unless it snows",
    ])
    func sentencesOfNothingButCues_areRouted_andAskForNothing(text: String) {
        let routing = English.router.route(text)
        #expect(routing.chosen == nil)
        #expect(routing.suggested == nil)
    }

    @Test(
        arguments: [
            ("mach das Licht an", .command), ("könntest du das Licht anmachen", .command),
            ("mach das Licht nicht an", .negation), ("ist das Licht an", .question),
            ("wir haben das Licht angemacht", .report), ("wir könnten das Licht anmachen", .hypothesis),
        ] as [(String, Analysis.Mood)])
    func theMoodOfAnotherLanguage_isFoundByItsData(text: String, mood: Analysis.Mood) throws {
        #expect(try Self.german(text, in: TestLanguages.root).mood == mood)
    }

    @Test(
        arguments: [
            ("mach das Licht in fünf Minuten aus", .time, "in fünf Minuten"),
            ("Heizung an um sechs Uhr", .time, "um sechs Uhr"),
            ("mach das Licht aus wenn wir fahren", .condition, "wenn wir fahren"),
            ("alle Lampen aus außer der Leselampe", .exception, "außer der Leselampe"),
        ] as [(String, Analysis.Modifier.Kind, String)])
    func whatNarrowsACommandOfAnotherLanguage_isFoundByItsData(
        text: String, kind: Analysis.Modifier.Kind, words: String
    ) throws {
        let modifiers = try Self.german(text, in: TestLanguages.root).modifiers
        #expect(modifiers.map(\.kind) == [kind] && modifiers.map(\.words) == [words.lowercased()], "\(modifiers)")
    }

    @Test func aLanguageWithoutCues_takesEverythingForACommand() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let root = folder.file("languages")
        try FileManager.default.copyItem(atPath: TestLanguages.root, toPath: root)
        try FileManager.default.removeItem(atPath: "\(root)/de/analysis.yaml")
        #expect(try Self.german("nicht das licht an", in: root).isPlain)
    }

    private static func german(_ text: String, in root: String) throws -> Analysis {
        let books = try Phrasebooks(folder: LanguageFolder(language: "de", root: root))
        let index = PhraseIndex(books: books, names: books.sampleNames)
        return PhraseMatcher(books.normaliser.normalise(text), in: index).analysis()
    }
}
