import Domain
import Foundation
import Handlers
import Language
import Logging

/// Free text by voice: what the vocabulary cannot foresee is heard once more, by a recogniser that knows other words.
@DialogueActor
struct Dictation {
    private let recogniser: (any Recogniser)?
    private let health: Health
    private let books: Phrasebooks
    /// How commands with free text begin.
    private let openings: Set<String>
    private let logger: Logger

    nonisolated init(_ parts: ConversationParts, logger: Logger) {
        recogniser = parts.recogniser
        health = parts.health
        books = parts.context.books
        openings = books.openings
        self.logger = logger
    }

    /// Dictated words that the recogniser is less sure of on average, 0…1, are not taken.
    private static let surety = 0.3
    /// An owner's own name that was heard this surely, 0…1, is not heard again.
    private static let nameSurety = 0.5

    /// The transcript with its free text heard once more, and how it is routed.
    /// - Returns: nil when it holds none, or what was dictated does not make the same command.
    func dictated(
        _ first: Transcript, _ routing: Routing, _ interpreter: Interpreter, in turn: Turn
    ) async -> (transcript: Transcript, routing: Routing)? {
        guard !first.words.isEmpty, let recogniser else { return nil }
        // Words outside the vocabulary make the first reading look unsure, however clear the command around them was.
        let commands = commands(in: first, routing, interpreter)
        let stretches = FreeStretch.all(in: commands, of: first, interpreter.index.books).filter {
            !isOwnersName(Array(first.words[$0.words]), interpreter.index)
        }
        guard !stretches.isEmpty, isSure(of: first, besides: stretches, interpreter.rejection) else { return nil }
        let began = ContinuousClock.now
        var words = first.words
        do {
            for stretch in stretches.reversed() {
                guard let dictated = try await recogniser.dictate(stretch.samples(in: first)),
                    dictated.confidence >= Self.surety
                else { continue }
                words.replaceSubrange(stretch.words, with: dictated.words)
            }
            health.report("dictation", .ok, "free text is heard with the general model")
        } catch {
            let isNew = !health.all.contains { $0.name == "dictation" && $0.state == .warning }
            if isNew { logger.warning("free text is heard with the phrasebooks' words only: \(error)") }
            health.report(
                "dictation", .warning, "\(error)",
                advice: "install the recogniser's general model; until then free text may be misheard")
            return nil
        }
        let took = began.duration(to: .now)
        turn.trace.add("dictation", took)
        turn.trace.extend("last sample to transcript", by: took)
        guard words != first.words else { return nil }
        let second = Transcript(words)
        let secondRouting = interpreter.router.route(second.text)
        let changed = self.commands(in: second, secondRouting, interpreter)
        guard Self.isSame(commands, changed, besides: stretches) else { return nil }
        return (second, secondRouting)
    }

    /// Whether the words so far begin a command with free text, so that a dictation is to be expected.
    func mayFollow(_ partial: String, asked question: Question?) -> Bool {
        if case .slot(_, let command) = question,
            !FreeStretch.freeSlots(command.handler, command.intent, books).isEmpty
        {
            return true
        }
        let words = partial.split(separator: " ")
        // A filler may come first.
        return (0..<min(3, words.count)).contains { start in
            (2...8).contains { openings.contains(words.dropFirst(start).prefix($0).joined(separator: " ")) }
        }
    }

    private func commands(
        in transcript: Transcript, _ routing: Routing, _ interpreter: Interpreter
    ) -> [Command] {
        let sure = Transcript(text: transcript.text, confidence: 1, words: transcript.words)
        if case .commands(let commands, _) = interpreter.interpretation(of: sure, routing) { return commands }
        return []
    }

    /// Whether the command around the free text was heard well enough to be acted on. An answer may be nothing else.
    private func isSure(
        of transcript: Transcript, besides stretches: [FreeStretch], _ rejection: Double
    ) -> Bool {
        let others = transcript.words.indices.filter { place in !stretches.contains { $0.words.contains(place) } }
        guard !others.isEmpty else { return true }
        return Transcript(others.map { transcript.words[$0] }).confidence >= rejection
    }

    /// What the vocabulary knows as a name is told better by it than by a general model.
    private func isOwnersName(_ words: [TranscribedWord], _ index: PhraseIndex) -> Bool {
        guard Transcript(words).confidence >= Self.nameSurety else { return false }
        let articles = index.books.rules.articles
        let said = Array(words.map(\.text).drop { articles.contains($0) })
        return [SlotKind.item, .task, .place, .list, .trip].contains { kind in
            (index.names[kind] + index.books.sampleNames[kind]).contains {
                index.books.normaliser.canonicalWords($0.name).elementsEqual(said)
            }
        }
    }

    private static func isSame(_ one: [Command], _ other: [Command], besides stretches: [FreeStretch]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).enumerated().allSatisfy { place, pair in
            var (before, after) = pair
            for stretch in stretches where stretch.command == place {
                guard let value = after.slots[stretch.slot], value.content == .text, !value.text.isEmpty else {
                    return false
                }
                before.slots[stretch.slot] = nil
                after.slots[stretch.slot] = nil
            }
            return before == after
        }
    }
}
