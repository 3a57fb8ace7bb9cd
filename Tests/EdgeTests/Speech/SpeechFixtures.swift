import Domain
import Foundation
import Logging

@testable import SpeechPocketSphinx

/// A folder of its own for a test, removed at its end.
final class WorkFolder {
    let path: String

    init() { path = FileManager.default.temporaryDirectory.path + "/speech-room-\(UUID().uuidString)" }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

/// Keeps what is logged.
final class LogRecorder: @unchecked Sendable {
    // Unchecked: guarded by `lock`.
    private let lock = NSLock()
    private var lines: [String] = []

    var text: String { lock.withLock { lines.joined(separator: "\n") } }

    func logger() -> Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.lock.withLock { recorder.lines.append("\(event.level): \(event.message)") }
        }
    }
}

let quiet = Logger(label: "speech-tests") { _ in SwiftLogNoOpLogHandler() }

func words(_ text: String) -> Vocabulary.Pattern {
    .sequence(text.split(separator: " ").map { .word(String($0)) })
}

func vocabulary(_ sentences: [String]) -> Vocabulary {
    Vocabulary(language: "en", sentences: sentences.map { .init(pattern: words($0), weight: 1) }, classes: [])
}

/// A few sentences of a van, with classes.
enum VanVocabulary {
    static let items = ["first aid kit", "tow rope", "fire extinguisher", "tent pegs", "toolbox", "water hose"]
    static let devices = ["water pump", "kitchen light", "heater", "bedroom lights"]
    static let amounts = ["fifty", "twenty", "ten", "five"]

    static let vocabulary = Vocabulary(
        language: "en",
        sentences: [
            .init(
                pattern: .sequence([
                    .word("log"), .word("diesel"), .optional(.word("for")), .wordClass(2), .word("pounds"),
                ]), weight: 1),
            .init(
                pattern: .sequence([
                    .choice([.word("turn"), .word("switch")]), .choice([.word("on"), .word("off")]),
                    .optional(.word("the")), .wordClass(1),
                ]), weight: 1),
            .init(
                pattern: .sequence([.word("where"), .word("is"), .optional(.word("the")), .wordClass(0)]), weight: 1),
            .init(pattern: words("how much money do i have"), weight: 1),
            .init(pattern: words("start a trip to spain"), weight: 1),
        ],
        classes: [
            .init(name: "item", values: items.map(words)), .init(name: "device", values: devices.map(words)),
            .init(name: "amount", values: amounts.map(words)),
        ])
}

func recogniser(_ folder: WorkFolder, phonemiser: (any Phonemiser)? = nil, logger: Logger = quiet)
    -> PocketSphinxRecogniser
{
    PocketSphinxRecogniser(SphinxFiles(work: folder.path), phonemiser: phonemiser, logger: logger)
}

extension PocketSphinxRecogniser {
    /// Feeds the sentence as the microphone would, and finishes.
    func hear(_ sentence: SpokenSentence) async throws -> (transcripts: [Transcript], partials: [String]) {
        try await begin()
        var partials: [String] = []
        for block in sentence.blocks {
            if let partial = try await accept(block) { partials.append(partial) }
        }
        return (try await finish(), partials)
    }
}
