@testable import Domain
@testable import Language
@testable import Dialogue
import Foundation
import Testing

/// Replies, sentences, vocabulary and training text.
@Suite struct TextTests {
    @Test(arguments: [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]), ("It is 3.5 litres.", ["It is 3.5 litres."]),
        ("That is £1,250.50 in all. Good.", ["That is £1,250.50 in all.", "Good."]), ("No end", ["No end"]),
        ("See Dr. Who at St. Ives. Bye.", ["See Dr. Who at St. Ives.", "Bye."]), ("", []), ("   ", []),
        ("Use e.g. a rope. Or i.e. that.", ["Use e.g. a rope.", "Or i.e. that."]),
        ("It opens at 9 a.m. on Mondays. Good.", ["It opens at 9 a.m. on Mondays.", "Good."]),
        ("It costs £3.50. I paid 1.5. Fine.", ["It costs £3.50.", "I paid 1.5.", "Fine."]),
        ("Wait... what?", ["Wait...", "what?"]),
        ("He said “go.” Then left.", ["He said “go.”", "Then left."]), ("At 10:30. Yes.", ["At 10:30.", "Yes."]),
    ])
    func sentences_endWhereAPersonEndsThem(text: String, sentences: [String]) {
        let splitter = SentenceSplitter(abbreviations: English.books.speaking.abbreviations)
        #expect(splitter.sentences(in: text) == sentences)
    }

    @Test func sentences_joinedAreTheTextAgain() {
        let text = "The emergency number here is 9 9 9. I can't make calls. Use a phone. It costs £3.50!"
        #expect(SentenceSplitter().sentences(in: text).joined(separator: " ") == text)
    }

    @Test(arguments: [
        ("Hello {name}.", ["name": "Anna"], "Hello Anna."), ("Hello {name}.", [:], "Hello ."),
        ("{n} {n:item|items}", ["n": "1"], "1 item"), ("{n} {n:item|items}", ["n": "2"], "2 items"),
        ("{\"a\": \"{x}\"}", ["x": "1"], "{\"a\": \"1\"}"), ("{ x }", ["x": "1"], "{ x }"), ("{", [:], "{"),
        ("{a}{b}", ["a": "1", "b": "2"], "12"), ("{x}", ["x": "{y}", "y": "z"], "{y}"), ("}{", [:], "}{"),
    ])
    func placeholders_areFilled(text: String, values: [String: String], filled: String) {
        #expect(PlaceholderText(text).filled(values) == filled)
    }

    // MARK: replies

    @Test func everyReplyThatTheSourcesName_exists_withWhatItNeeds() throws {
        let sources = testsFolder + "/../Sources"
        let speaking = ["Domain/", "Language/", "Devices/", "AudioPipeline/", "Handlers/", "Dialogue/"]
        let files = (FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? [])
            .filter { file in speaking.contains { file.hasPrefix($0) } }
        let keys = English.books.replies.keys
        let groups = Set(keys.map { String($0.prefix { $0 != "." }) })
        var named = Set<String>()
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            for match in text.matches(of: /"([a-z_]+)\.([A-Za-z_0-9]+)"/) where groups.contains(String(match.1)) {
                named.insert("\(match.1).\(match.2)")
            }
        }
        #expect(named.count > 60)
        // A key that is put together is named by its beginning.
        let whole = named.filter { !keys.contains($0) }.filter { name in !keys.contains { $0.hasPrefix(name + "_") } }
        #expect(whole.isEmpty, "the replies lack \(whole.sorted())")
        for reason in ["missing", "busy", "noPermission", "lost", "unusable"] {
            #expect(keys.contains("microphone.\(reason)"))
            #expect(keys.contains("speaker.\(reason)"))
        }
        for month in 1...12 { #expect(keys.contains("date.month\(month)")) }
        for intent in ["emergency", "fire", "gas", "carbon_monoxide", "medical"] {
            #expect(keys.contains("emergency.\(intent)"))
        }
    }

    @Test func aKeyThatIsMissing_givesItself() { #expect(English.books.replies("no.such") == "no.such") }

    @Test(
        arguments: [
            (5_000, "GBP", "50 pounds"), (100, "GBP", "1 pound"), (1_245, "GBP", "12 pounds 45"),
            (45, "GBP", "45 pence"),
            (305, "GBP", "3 pounds 05"), (-5_000, "GBP", "minus 50 pounds"), (0, "GBP", "0 pounds"),
            (1, "GBP", "1 penny"),
            (2_000, "EUR", "20 euros"), (500, "JPY", "500 yen"), (700, "KRW", "700 KRW"),
            (1_234, "XYZ", "12 point 34 XYZ"),
            (1_500, "KWD", "1 point 500 KWD"),
        ] as [(Int64, String, String)])
    func money_isSaidAsAPersonWould(minor: Int64, currency: String, said: String) {
        let forms = SpokenForms(replies: English.books.replies, words: English.books.words, calendar: VanBench.calendar)
        #expect(forms.money(Money(minorUnits: minor, currency: currency)).spoken == said)
    }

    /// One and several of each currency that has a name.
    private static let names = [
        "ALL": ("lek", "lek"), "BGN": ("lev", "leva"), "CHF": ("franc", "francs"), "CZK": ("koruna", "korunas"),
        "DKK": ("Danish krone", "Danish kroner"), "EUR": ("euro", "euros"), "GBP": ("pound", "pounds"),
        "GEL": ("lari", "lari"), "HUF": ("forint", "forints"), "INR": ("rupee", "rupees"), "JPY": ("yen", "yen"),
        "MAD": ("dirham", "dirhams"), "NOK": ("krone", "kroner"), "PLN": ("zloty", "zlotys"), "RON": ("leu", "lei"),
        "RSD": ("dinar", "dinars"), "SEK": ("krona", "kronor"), "THB": ("baht", "baht"), "TRY": ("lira", "lira"),
        "UAH": ("hryvnia", "hryvnia"), "USD": ("dollar", "dollars"),
    ]

    @Test func one_isSaidInTheSingular_inEveryCurrencyThatHasAName() {
        let replies = English.books.replies
        let known = replies.keys.filter { $0.hasPrefix("money.") && $0.dropFirst(6).allSatisfy(\.isUppercase) }
        #expect(Set(known.map { String($0.dropFirst(6)) }) == Set(Self.names.keys))
        let forms = SpokenForms(replies: replies, words: English.books.words, calendar: VanBench.calendar)
        for (code, (one, many)) in Self.names {
            let whole = (0..<Money.exponent(of: code)).reduce(Int64(1)) { product, _ in product * 10 }
            func said(_ minorUnits: Int64) -> String {
                forms.money(Money(minorUnits: minorUnits, currency: code)).spoken
            }
            #expect(said(whole) == "1 \(one)")
            #expect(said(-whole) == "minus 1 \(one)")
            #expect(said(2 * whole) == "2 \(many)")
            #expect(said(21 * whole) == "21 \(many)")
            guard whole > 1 else { continue }
            #expect(said(whole * 3 / 2) == "1 \(one) 50")
            #expect(said(whole * 5 / 2) == "2 \(many) 50")
        }
    }

    @Test func theSmallestInteger_isSaidWithoutHarm() {
        let forms = SpokenForms(replies: English.books.replies, words: English.books.words, calendar: VanBench.calendar)
        #expect(forms.money(Money(minorUnits: .min, currency: "GBP")).spoken.hasPrefix("minus "))
    }

    @Test func lists_areJoined() {
        let forms = SpokenForms(replies: English.books.replies, words: English.books.words, calendar: VanBench.calendar)
        #expect(forms.list([String]()) == "")
        #expect(forms.list(["a"]) == "a")
        #expect(forms.list(["a", "b"]) == "a and b")
        #expect(forms.list(["a", "b", "c"]) == "a, b and c")
        #expect(forms.choice(["a", "b", "c"]) == "a, b or c")
    }

    @Test func days_areSaidAsSeenFromToday() {
        let forms = SpokenForms(replies: English.books.replies, words: English.books.words, calendar: VanBench.calendar)
        #expect(forms.day(VanBench.now, now: VanBench.now) == "today")
        #expect(forms.day(VanBench.date(2026, 11, 20, 0, 1), now: VanBench.now) == "yesterday")
        #expect(forms.day(VanBench.date(2026, 2, 3), now: VanBench.now) == "3 February")
    }

    // MARK: vocabulary and training text

    @Test func whatIsHeardBehindACommand_ofWhenItIsMeant_keepsItFromBeingDoneNow() {
        let rules = English.books.analysis
        let book = Phrasebook(handler: "", language: "en", file: rules.file, slots: rules.slots, intents: [])
        var training = TrainingText(books: English.books, names: English.books.sampleNames, seed: 7)
        #expect(rules.heard.count > 4)
        #expect(VocabularyBuilder.vocabulary(of: English.index).later.count == rules.heard.count)
        for template in rules.heard {
            for _ in 0..<25 {
                guard let words = training.draw(template, book)?.joined(separator: " ") else { continue }
                let routing = English.router.route("turn on the water pump \(words)")
                #expect(routing.chosen == nil && routing.refused != nil, "\(words)")
            }
        }
    }

    @Test func everySentenceToTrainOn_isMadeOfTheVocabularysWords() {
        let vocabulary = VocabularyBuilder.vocabulary(of: English.index)
        let known = Set(vocabulary.words)
        var training = TrainingText(books: English.books, names: English.books.sampleNames, seed: 5)
        var missing: [String: String] = [:], count = 0
        for book in English.books.books {
            for phrase in book.intents.flatMap(\.phrases) {
                for _ in 0..<6 {
                    guard let words = training.draw(phrase, book) else { break }
                    count += 1
                    let text = English.books.normaliser.normalise(words.joined(separator: " ")).text
                    for word in text.split(separator: " ").map(String.init) where !known.contains(word) {
                        missing[word] = text
                    }
                }
            }
        }
        #expect(count > 1_000)
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func theVocabulary_isOfBoundedSize_andWellFormed() {
        let vocabulary = VocabularyBuilder.vocabulary(of: English.index)
        print(
            "vocabulary: \(vocabulary.words.count) words, \(vocabulary.sentences.count) sentences, "
                + "\(vocabulary.classes.count) classes")
        #expect((300...5_000).contains(vocabulary.words.count))
        // Who is called by a name sounds like “he” or “she”, whose phrases are the same.
        let named = English.books.books.flatMap { book in
            book.intents.flatMap(\.phrases).filter { phrase in
                phrase.slots.contains { book.slots[$0.list] == .kind(.word, bare: false) }
            }
        }
        #expect(!named.isEmpty)
        #expect(
            vocabulary.sentences.count == English.books.phraseCount - named.count + 7 + English.books.examples.count)
        #expect(vocabulary.classes.count < 120)
        #expect(vocabulary.sentences.allSatisfy { $0.weight > 0 })
        #expect(vocabulary.classes.filter(\.isOpen).map(\.name) == ["text"])
        #expect(vocabulary.polite.contains(["please"]))
        for word in vocabulary.words {
            #expect(
                word == word.lowercased() && !word.isEmpty && !word.contains(where: { $0.isWhitespace || $0.isNumber }))
        }
        // What answers a question may need classes that no sentence has.
        #expect(vocabulary.answers.allSatisfy { highestClass($0) < vocabulary.classes.count })
        for (number, wordClass) in vocabulary.classes.enumerated() {
            #expect(!wordClass.values.isEmpty, "\(wordClass.name)")
            for value in wordClass.values { #expect(highestClass(value) < number, "\(wordClass.name)") }
        }
    }

    private func highestClass(_ pattern: Vocabulary.Pattern) -> Int {
        switch pattern {
        case .word: -1
        case .sequence(let parts), .choice(let parts): parts.map(highestClass).max() ?? -1
        case .optional(let part): highestClass(part)
        case .wordClass(let number): number
        }
    }

    @Test func thePhrasesOfASlotWithoutValues_areLeftOut() {
        let vocabulary = VocabularyBuilder.vocabulary(of: PhraseIndex(books: English.books, names: OwnerNames()))
        #expect(vocabulary.sentences.count < English.books.phraseCount)
        #expect(!vocabulary.classes.contains { $0.name == "device" })
    }

    @Test func theVocabulary_afterNamesHaveChanged_isTheOneThatIsMadeAnew() {
        var names = English.index.names
        var builder = VocabularyBuilder(English.index)
        func change(_ edit: (inout OwnerNames) -> Void) {
            edit(&names)
            let index = PhraseIndex(books: English.books, names: names)
            builder.update(to: index)
            let new = builder.vocabulary, anew = VocabularyBuilder.vocabulary(of: index)
            // Told apart first: a whole vocabulary in a message is a hundred pages.
            #expect(new.classes.count == anew.classes.count)
            let differing = zip(new.classes, anew.classes).filter { $0 != $1 }.map(\.0.name)
            #expect(differing == [])
            let isSame = new == anew
            #expect(isSame)
        }
        change { $0[.item].append(OwnerName(name: "saffron samovar")) }
        change { $0[.device].removeLast() }
        change { $0[.task] = [] }
        change { $0.pronunciations = ["samovar": [["S", "AE", "M"]]] }
        change { $0 = OwnerNames() }
        change { $0 = English.index.names }
    }

    @Test func whatIsDrawnToBeSaid_hasNoSuperfluousArticles() {
        var training = TrainingText(books: English.books, names: English.books.sampleNames, seed: 4)
        let articles = English.books.rules.articles
        var drawn: [String] = []
        for book in English.books.books {
            for phrase in book.intents.flatMap(\.phrases) {
                for _ in 0..<6 {
                    guard let words = training.drawSaid(phrase, book) else { continue }
                    let isDoubled = zip(words, words.dropFirst()).contains {
                        articles.contains($0) && articles.contains($1)
                    }
                    #expect(!isDoubled, "\(words.joined(separator: " "))")
                    drawn.append(words.joined(separator: " "))
                }
            }
        }
        #expect(drawn.count > 1_000)
        #expect(!drawn.contains { $0.contains("bedroom the ") })
        #expect(drawn.contains { $0.contains(" the ") })
    }

    @Test func aNewPhrase_changesNothingOfWhatIsDrawnFromTheOthers() throws {
        let folder = NSTemporaryDirectory() + "/training-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func sentences(_ name: String, _ phrases: [String]) throws -> Set<String> {
            let file = "\(folder)/\(name).yaml"
            let text = """
                language: en
                slots:
                  drink: [tea, coffee, cocoa, milk, water, lemonade, hot chocolate, soup]
                intents:
                  brew:
                    phrases: [\(phrases.map { "\"\($0)\"" }.joined(separator: ", "))]
                    publish: {topic: kitchen/brew, payload: "now"}
                """
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let books = try Phrasebooks(
                folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot), customFiles: [file],
                replacingBuiltIn: true)
            var training = TrainingText(books: books, seed: 3)
            return Set(training.sentences(perPhrase: 2).map(\.text))
        }
        let phrases = ["(make|brew|cook|fix) [me|us] [a|some] {drink}", "(i|we) [really] (want|need|fancy) {drink}"]
        let before = try sentences("before", phrases)
        #expect(before.count >= 3)
        #expect(try sentences("after", ["put the {drink} on"] + phrases).isSuperset(of: before))
    }

    @Test func trainingText_isTheSameForTheSameSeed() {
        var one = TrainingText(books: English.books, seed: 9), other = TrainingText(books: English.books, seed: 9)
        #expect(one.sentences(perPhrase: 2) == other.sentences(perPhrase: 2))
    }

    @Test func whatIsTrainedOn_isRoutedToItsIntent_orToOneThatSaysTheSame() {
        var training = TrainingText(books: English.books, names: English.books.sampleNames, seed: 2)
        var wrong: [String] = [], count = 0
        // Paraphrases are for the classifier, which is not here.
        for book in English.books.books {
            for intent in book.intents {
                for phrase in intent.phrases {
                    guard let words = training.draw(phrase, book) else { continue }
                    let text = words.joined(separator: " "), expected = "\(book.handler).\(intent.name)"
                    let chosen = English.router.route(text).chosen.map { "\($0.handler).\($0.intent)" } ?? "none"
                    count += 1
                    if chosen != expected { wrong.append("“\(text)” (\(expected)) → \(chosen)") }
                }
            }
        }
        print("drawn sentences: \(count), routed elsewhere: \(wrong.count)")
        #expect(Double(wrong.count) < 0.05 * Double(count), "\(wrong.joined(separator: "\n"))")
    }

    @Test func speechThatIsNotForTheVan_seldomFires_evenWithoutTheClassifier() throws {
        let others = try English.books.training().filter { $0.intent == "none" }
        let fired = others.compactMap { sentence in
            English.router.route(sentence.text).chosen.map { "“\(sentence.text)” → \($0.handler).\($0.intent)" }
        }
        #expect(others.count > 500)
        #expect(Double(fired.count) < 0.05 * Double(others.count), "\(fired.joined(separator: "\n"))")
    }
}
