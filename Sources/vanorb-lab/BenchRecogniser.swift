import Domain
import Language
import ArgumentParser
import Foundation
import Setup
import SpeechMoonshine

/// Measures the constrained recogniser by itself: loading, rebuilding, hearing, and what it leaves behind.
struct BenchRecogniser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the constrained recogniser by itself: times and memory.",
        discussion: """
            Speaks sentences of the study's part "tune" with flite's four voices, and hears those of 3 to 4 seconds at \
            once, one after the other. Build with -c release first; leave the machine to itself.
            """)

    @Option(help: "A folder for the spoken sentences; kept for the next run.")
    var cache: String
    @Option(help: "Where deploy/second-ear put its files.")
    var folder = ShippedFiles.builtConstrainedRecogniser ?? "/var/lib/vanorb/second-ear"
    @Option(help: "How many sentences each voice speaks.")
    var sentences = 30
    @Option(help: "How often the model is loaded and given back.")
    var rounds = 100
    @Flag(help: "Print JSON.")
    var json = false
    @OptionGroup var language: LanguageOptions

    private static let newThings = [
        "saffron samovar", "brass sextant", "paella pan", "moth balls", "ukulele", "spare wiper", "hand drill", "kite",
        "butter dish", "sand ladder",
    ]

    func run() async throws {
        ProcessFacts.keepMemoryTogether()
        let index = try await language.index()
        var figures: [Figure] = []
        func add(_ name: String, _ value: Double, _ unit: String, limit: Double? = nil) {
            figures.append(Figure(name: name, value: value, unit: unit, limit: limit))
        }
        func milliseconds<Value>(_ work: () async throws -> Value) async rethrows -> (Value, Double) {
            let began = ContinuousClock.now
            let value = try await work()
            return (value, began.duration(to: .now).milliseconds)
        }

        Notes.say("\(rounds) rounds …")
        func round() throws { _ = try MoonshineRecogniser(folder: folder) }
        for _ in 0..<max(1, rounds / 10) { try round() }
        let first = ProcessFacts.residentBytes
        for number in 0..<rounds {
            try round()
            Notes.progress(number + 1, of: rounds, "rounds")
        }
        add("memory more after \(rounds) more rounds", Double(ProcessFacts.residentBytes - first) / 1e6, "MB", limit: 5)

        let bare = ProcessFacts.residentBytes
        let (recogniser, load) = try await milliseconds { try MoonshineRecogniser(folder: folder) }
        add("load, with its files checked", load, "ms")
        var (builder, making) = await milliseconds { VocabularyBuilder(index) }
        add("vocabulary of everything", making, "ms")
        let (_, preparing) = try await milliseconds { [builder] in try await recogniser.prepare(builder.vocabulary) }
        add("rebuild after a change of everything", preparing, "ms", limit: 1_000)
        var names = index.names
        var changes: [Double] = [], makings: [Double] = []
        for thing in Self.newThings {
            names[.item].append(OwnerName(name: thing))
            let changed = PhraseIndex(books: index.books, names: names)
            makings.append(await milliseconds { builder.update(to: changed) }.1)
            let vocabulary = builder.vocabulary
            changes.append(try await milliseconds { try await recogniser.prepare(vocabulary) }.1)
        }
        add("vocabulary after a change of one item, p50", makings.median, "ms")
        add("rebuild after a change of one item, p50", changes.median, "ms", limit: 20)

        let drawn = StudySentences(index: index, classifier: nil, seed: 1).draw(sentences, part: .tune)
        var times: [Double] = [], seconds = 0.0
        for (number, name) in FliteVoice.names.enumerated() {
            let voice = FliteVoice(name: name, cache: cache)
            for sentence in drawn {
                let sound = try voice.speak(sentence.text, lead: .milliseconds(400), tail: .milliseconds(500))
                let length = AudioFormat.duration(of: sound.count).seconds
                guard 3...4 ~= length else { continue }
                times.append(try await milliseconds { try await recogniser.hear(sound, answering: false) }.1)
                seconds += length
            }
            Notes.progress(number + 1, of: FliteVoice.names.count, name)
        }
        add("utterances of 3 to 4 s", Double(times.count), "utterances")
        add("their length on average", seconds / Double(max(1, times.count)), "s")
        add("hearing one, p50", times.percentile(0.5), "ms", limit: 200)
        add("hearing one, p95", times.percentile(0.95), "ms")
        add("memory of the constrained recogniser", Double(ProcessFacts.residentBytes - bare) / 1e6, "MB")
        try Figure.print(figures, json: json)
    }
}
