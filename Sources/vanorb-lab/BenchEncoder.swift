import ArgumentParser
import Domain
import Foundation
import IntentEncoder
import IntentLinear
import Language
import Setup

/// Measures the sentence encoder alone, and routing with and without it.
struct BenchEncoder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the sentence encoder: times and memory, and routing with and without it.",
        discussion: """
            Encodes and routes the sentences on which the classifier is calibrated, one after the other. Build with \
            -c release first, and run nothing else.
            """)

    @Option(help: "The folder that deploy/encoder filled.")
    var folder = ShippedFiles.builtEncoder ?? "/var/lib/vanorb/encoder"
    @Option(help: "The classifier's model, with its hint beside it.")
    var model = "/usr/share/vanorb/intents.model"
    @Option(help: "The language.")
    var language = "en"
    @Option(help: "Print so many of the sentences that take longest to route.")
    var slowest = 0
    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        ProcessFacts.keepMemoryTogether()
        let books = try Phrasebooks(
            folder: LanguageFolder(language: language, root: LanguageFolder.shippedRoot), customFiles: [])
        let sentences = try IntentTraining.sentences(books: books)[2].sentences.map(\.text)
        guard !sentences.isEmpty else {
            throw ValidationError("the language “\(language)” has no sentences to measure")
        }
        let ngrams = try IntentModel(contentsOf: model), path = IntentTraining.hintPath(of: model)
        ProcessFacts.giveBackMemory()
        let before = ProcessFacts.residentBytes
        let started = ContinuousClock.now
        let encoder = try MiniLM(folder: folder)
        let hint = try SemanticHint(contentsOf: path)
        let both = try SemanticClassifier(model: ngrams, hint: hint, encoder: encoder, path: path)
        let load = started.duration(to: .now).milliseconds
        var figures = Self.figures("a sentence encoded", sentences, limits: (4, 10)) { _ = encoder.encode($0) }
        ProcessFacts.giveBackMemory()
        let memory = Double(ProcessFacts.residentBytes - before) / 1e6
        figures.insert(Figure(name: "load, with its files checked", value: load, unit: "ms"), at: 0)
        figures.insert(Figure(name: "memory of encoder and hint", value: memory, unit: "MB", limit: 60), at: 1)
        let index = PhraseIndex(books: books, names: names(books))
        for (name, classifier) in [("n-grams alone", ngrams as any IntentClassifier), ("n-grams and encoder", both)] {
            let router = Router(index: index, classifier: classifier)
            figures += Self.figures("routing, \(name)", sentences) { _ = router.route($0) }
            for sentence in slow(sentences, router) { Notes.say(sentence) }
        }
        let bad = [
            String(repeating: "x", count: 65_536), Array(repeating: "heating", count: 1000).joined(separator: " "),
            Array(repeating: "heating", count: MiniLM.limit - 2).joined(separator: " "),
        ]
        figures += Self.figures("64 kB, a thousand words, or as many as fit", bad) { _ = encoder.encode($0) }.suffix(1)
        try Figure.print(figures, json: json)
    }

    private func slow(_ sentences: [String], _ router: Router) -> [String] {
        let times = sentences.map { sentence in
            let began = ContinuousClock.now
            _ = router.route(sentence)
            return (began.duration(to: .now).milliseconds, sentence)
        }
        return times.sorted { $0.0 > $1.0 }.prefix(slowest).map { "\(String(format: "%.1f", $0.0)) ms: \($0.1)" }
    }

    private func names(_ books: Phrasebooks) -> OwnerNames {
        var names = OwnerNames()
        for kind in SlotKind.allCases where kind.isOwners { names[kind] = books.samples(of: kind) }
        return names
    }

    private static func figures(
        _ name: String, _ sentences: [String], limits: (Double, Double)? = nil, _ work: (String) -> Void
    ) -> [Figure] {
        // What is loaded with the first use is not a sentence's own.
        sentences.first.map(work)
        let times = sentences.map { sentence in
            let began = ContinuousClock.now
            work(sentence)
            return began.duration(to: .now).milliseconds
        }
        return [
            Figure(name: "\(name), p50", value: times.median, unit: "ms", limit: limits?.0),
            Figure(name: "\(name), p99", value: times.percentile(0.99), unit: "ms", limit: limits?.1),
        ]
    }
}
