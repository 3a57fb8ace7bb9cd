import Language
import ArgumentParser
import Foundation

/// Shows what is in the phrasebooks: counts, clashes, expansions.
struct PhrasesReport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phrases",
        abstract: "Show what is in the phrasebooks: counts, clashes between intents, expansions.",
        discussion: """
            A clash is a sentence that a template of one intent makes and that another intent gets. A few are meant \
            (“gas twenty pounds” is an expense); those between handlers are worth a look.
            """)

    @Option(help: "Show expansions of this intent (finance.log_expense), or of a handler.")
    var expand: String?
    @Option(help: "How many expansions to draw from each template, for clashes and for --expand.")
    var draws = 12
    @Option(help: "The random seed.")
    var seed: UInt64 = 1
    @Flag(help: "Print JSON.")
    var json = false
    @OptionGroup var language: LanguageOptions

    func run() async throws {
        let index = try await language.index()
        var text = TrainingText(books: index.books, seed: seed)
        if let expand { return show(expand, index, &text) }
        let router = Router(index: index, classifier: nil)
        var report = Report()
        for book in index.books.books {
            for intent in book.intents {
                let name = "\(book.handler).\(intent.name)"
                report.intents.append(
                    .init(
                        intent: name, phrases: intent.phrases.count, keywords: intent.keywords.count,
                        paraphrases: intent.paraphrases.count,
                        expansions: intent.phrases.reduce(0) { $0 + $1.expansions(in: book, names: index.names) }))
                for phrase in intent.phrases {
                    for _ in 0..<draws {
                        guard let words = text.draw(phrase, book) else { break }
                        let sentence = words.joined(separator: " ")
                        let chosen = router.route(sentence).chosen.map { "\($0.handler).\($0.intent)" } ?? "none"
                        if chosen != name {
                            report.clashes.append(.init(sentence: sentence, from: name, goesTo: chosen))
                        }
                    }
                }
            }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            print(report.table)
        }
    }

    private func show(_ wanted: String, _ index: PhraseIndex, _ text: inout TrainingText) {
        for book in index.books.books {
            for intent in book.intents where "\(book.handler).\(intent.name)" == wanted || book.handler == wanted {
                print("\(book.handler).\(intent.name)")
                for phrase in intent.phrases {
                    let drawn = Set((0..<draws).compactMap { _ in text.draw(phrase, book)?.joined(separator: " ") })
                    for sentence in drawn.sorted() { print("  \(sentence)") }
                }
            }
        }
    }

    /// What the report holds.
    struct Report: Encodable {
        struct Row: Encodable {
            let intent: String
            let phrases: Int, keywords: Int, paraphrases: Int
            /// Sentences that the phrases can make, each slot's values counted; a number or free text is one.
            let expansions: Double
        }
        struct Clash: Encodable {
            let sentence: String, from: String, goesTo: String
        }
        var intents: [Row] = []
        var clashes: [Clash] = []

        var table: String {
            var lines = ["intent                          phrases keywords paraphrases  expansions"]
            for row in intents {
                let name = row.intent.padding(toLength: 32, withPad: " ", startingAt: 0)
                lines.append(
                    name
                        + String(
                            format: "%7d %8d %11d %11.3g", row.phrases, row.keywords, row.paraphrases, row.expansions))
            }
            let total = intents.reduce(0) { $0 + $1.phrases }
            lines.append("\(intents.count) intents, \(total) phrases, \(clashes.count) clashes among drawn sentences")
            var seen = Set<String>()
            for clash in clashes where seen.insert("\(clash.from)\(clash.goesTo)").inserted {
                let count = clashes.count { $0.from == clash.from && $0.goesTo == clash.goesTo }
                lines.append("  \(clash.from) → \(clash.goesTo) (\(count)): “\(clash.sentence)”")
            }
            return lines.joined(separator: "\n")
        }
    }
}
