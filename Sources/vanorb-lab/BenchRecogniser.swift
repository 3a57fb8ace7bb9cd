import Domain
import Language
import ArgumentParser
import Foundation
import Setup
import SpeechMoonshine

/// Measures the constrained recogniser alone: loading, vocabularies, transcription, and leaks.
struct BenchRecogniser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the constrained recogniser alone: times and memory.",
        discussion: """
            Speaks sentences of the study's part "tune" with flite's four voices, and transcribes those of 3 to 4 \
            seconds one after the other. Build with -c release first, and run nothing else.
            """)

    @Option(help: "A folder for the spoken sentences; kept for the next run.")
    var cache: String
    @Option(help: "The folder that deploy/second-ear filled.")
    var folder = ShippedFiles.builtConstrainedRecogniser ?? "/var/lib/vanorb/second-ear"
    @Option(help: "How many sentences each voice speaks.")
    var sentences = 30
    @Option(help: "How often the model is loaded and released.")
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
        var figures = try loading()
        let before = ProcessFacts.residentBytes
        let (recogniser, load) = try await Self.milliseconds { try MoonshineRecogniser(folder: folder) }
        figures.append(Figure(name: "load, with its files checked", value: load, unit: "ms"))
        figures += try await preparing(recogniser, index)
        figures += try await transcribing(recogniser, index)
        figures.append(
            Figure(
                name: "memory of the constrained recogniser",
                value: Double(ProcessFacts.residentBytes - before) / 1e6, unit: "MB"))
        try Figure.print(figures, json: json)
    }

    private static func milliseconds<Value>(_ work: () async throws -> Value) async rethrows -> (Value, Double) {
        let began = ContinuousClock.now
        let value = try await work()
        return (value, began.duration(to: .now).milliseconds)
    }

    /// Loads and releases the model again and again.
    private func loading() throws -> [Figure] {
        Notes.say("\(rounds) rounds …")
        func round() throws { _ = try MoonshineRecogniser(folder: folder) }
        for _ in 0..<max(1, rounds / 10) { try round() }
        let first = ProcessFacts.residentBytes
        for number in 0..<rounds {
            try round()
            Notes.progress(number + 1, of: rounds, "rounds")
        }
        return [
            Figure(
                name: "memory growth over \(rounds) more rounds",
                value: Double(ProcessFacts.residentBytes - first) / 1e6, unit: "MB", limit: 5)
        ]
    }

    /// Vocabularies: a new one, and changes of single names.
    private func preparing(_ recogniser: MoonshineRecogniser, _ index: PhraseIndex) async throws -> [Figure] {
        var (builder, building) = await Self.milliseconds { VocabularyBuilder(index) }
        let (_, preparing) = try await Self.milliseconds { [builder] in
            try await recogniser.prepare(builder.vocabulary)
        }
        var names = index.names
        var changes: [Double] = [], updates: [Double] = []
        for thing in Self.newThings {
            names[.item].append(OwnerName(name: thing))
            let changed = PhraseIndex(books: index.books, names: names)
            updates.append(await Self.milliseconds { builder.update(to: changed) }.1)
            let vocabulary = builder.vocabulary
            changes.append(try await Self.milliseconds { try await recogniser.prepare(vocabulary) }.1)
        }
        return [
            Figure(name: "whole vocabulary", value: building, unit: "ms"),
            Figure(name: "rebuild for a whole vocabulary", value: preparing, unit: "ms", limit: 1_000),
            Figure(name: "vocabulary after a change of one item, p50", value: updates.median, unit: "ms"),
            Figure(name: "rebuild after a change of one item, p50", value: changes.median, unit: "ms", limit: 20),
        ]
    }

    /// Sentences of 3 to 4 seconds.
    private func transcribing(_ recogniser: MoonshineRecogniser, _ index: PhraseIndex) async throws -> [Figure] {
        let drawn = StudySentences(index: index, classifier: nil, seed: 1).draw(sentences, part: .tune)
        var times: [Double] = [], seconds = 0.0
        for (number, name) in SyntheticVoice.flite.enumerated() {
            let voice = SyntheticVoice(name: name, cache: cache)
            for sentence in drawn {
                let sound = try voice.speak(sentence.text, lead: .milliseconds(400), tail: .milliseconds(500))
                let length = AudioFormat.duration(of: sound.count).seconds
                guard 3...4 ~= length else { continue }
                times.append(
                    try await Self.milliseconds { try await recogniser.transcribe(sound, answering: false) }.1)
                seconds += length
            }
            Notes.progress(number + 1, of: SyntheticVoice.flite.count, name)
        }
        return [
            Figure(name: "utterances of 3 to 4 s", value: Double(times.count), unit: "utterances"),
            Figure(name: "their mean length", value: seconds / Double(max(1, times.count)), unit: "s"),
            Figure(name: "transcribing one, p50", value: times.percentile(0.5), unit: "ms", limit: 200),
            Figure(name: "transcribing one, p95", value: times.percentile(0.95), unit: "ms"),
        ]
    }
}
