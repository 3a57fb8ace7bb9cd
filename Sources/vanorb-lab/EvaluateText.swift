import Domain
import Language
import ArgumentParser
import Foundation
import IntentLinear

/// Routes labelled sentences and counts what is understood. Nothing is carried out.
struct EvaluateText: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Route labelled sentences and count what is understood; nothing is carried out.",
        discussion: """
            Each line of the file is a sentence, a tab, and what is expected: a handler (finance), an intent \
            (finance.log_expense), session, custom, none, or alternatives with | between them. Empty lines and lines \
            that begin with # are left out. Without --devices and --data the van is the one of the language's samples.
            """)

    @Option(help: "The labelled sentences, tab-separated.")
    var labels: String
    @Flag(help: "Print JSON.")
    var json = false
    @Flag(help: "Print the errors, each with its routing.")
    var wrong = false
    @OptionGroup var language: LanguageOptions

    func run() async throws {
        let sentences = try LabelledLine.lines(of: labels)
        let index = try await language.index()
        let router = Router(index: index, classifier: try await language.classifier(index.books))
        // What is loaded with the first use is not a sentence's own.
        _ = router.route("what is the weather in the next town")
        let results = sentences.map { line -> EvaluatedLine in
            let started = ContinuousClock.now
            let (routing, commands) = router.commands(in: line.text)
            return EvaluatedLine(line, routing, commands, started.duration(to: .now).milliseconds)
        }
        let report = TextReport(results)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            print(report.table(showsWrong: wrong))
        }
    }
}

/// One line of a file of labelled sentences.
struct LabelledLine {
    let text: String
    /// What is right, each a handler, an intent, `session` or `none`.
    let expected: [String]

    /// - Throws: `ValidationError` with the line's number.
    static func lines(of file: String) throws -> [LabelledLine] {
        let text: String
        do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw ValidationError("\(file) cannot be read as UTF-8 text")
        }
        var lines: [LabelledLine] = []
        // A line end of “\r\n” is one character to Swift.
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 2 else {
                throw ValidationError("\(file):\(number + 1): expected a sentence, a tab, and a label")
            }
            let expected = fields[1].split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let handlers = HandlerName.order + ["none"]
            for label in expected where !handlers.contains(String(label.prefix { $0 != "." })) {
                throw ValidationError(
                    "\(file):\(number + 1): “\(label)” is not a label; expected handler.intent or none")
            }
            lines.append(LabelledLine(text: String(fields[0]), expected: expected))
        }
        guard !lines.isEmpty else { throw ValidationError("\(file) holds no sentences") }
        return lines
    }

    /// True when a routing that ended in `label` is what was expected.
    func accepts(_ label: String) -> Bool {
        expected.contains { $0 == label || label.hasPrefix($0 + ".") }
    }
}

/// A sentence with its result.
struct EvaluatedLine: Encodable {
    let text: String
    let expected: String
    /// `handler.intent`, or `none` for the fallback.
    let got: String
    let level: String
    let confidence: Double
    let milliseconds: Double
    let correct: Bool
    /// The classifier's likeliest intents.
    let guesses: [IntentGuess]
    /// What the sentence says beside a command, and the words that nothing accounts for.
    let meaning: [String]
    let isInScope: Bool

    enum CodingKeys: String, CodingKey {
        case text = "sentence"
        case expected, got, level, confidence, milliseconds, correct, guesses, meaning
    }

    init(_ line: LabelledLine, _ routing: Routing, _ commands: [Command], _ milliseconds: Double) {
        text = line.text
        expected = line.expected.joined(separator: "|")
        let labels = commands.map { "\($0.handler).\($0.intent)" }
        // A tie ends in a question between readings; it is right when the right one is among them.
        let tied = routing.tied.map { "\($0.handler).\($0.intent)" }
        // So does an act that is asked back, and one that is refused is named.
        let suggested = (routing.suggested ?? routing.refused?.proposal).map { ["\($0.handler).\($0.intent)"] } ?? []
        let asked = labels.isEmpty ? tied + suggested : []
        got =
            labels.first { line.accepts($0) } ?? labels.first ?? asked.first { line.accepts($0) } ?? asked.first
            ?? "none"
        level =
            labels.count > 1
            ? "several"
            : !routing.tied.isEmpty
                ? "tied"
                : asked.isEmpty ? routing.chosen?.level.name ?? "none" : routing.suggested == nil ? "refused" : "asked"
        confidence = routing.chosen?.confidence ?? 0
        self.milliseconds = milliseconds
        correct = line.accepts(got)
        guesses = routing.guesses
        meaning = routing.meaning
        isInScope = !line.expected.contains("none")
    }
}

/// Measures understanding and hearing on labelled sentences and recordings.
struct Evaluate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Measure understanding and acting on labelled sentences, and recognition on labelled recordings.",
        subcommands: [EvaluateText.self, EvaluateActs.self, EvaluateSpeech.self])
}
