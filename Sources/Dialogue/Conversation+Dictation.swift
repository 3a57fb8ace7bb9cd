import Domain
import Language
import Foundation

/// Free text by voice: what the vocabulary cannot foresee is heard once more, by a recogniser that knows other words.
extension Conversation {
    /// Dictated words that the recogniser is less sure of on average, 0…1, are not taken.
    private static let surety = 0.3
    /// An owner's own name that was heard this surely, 0…1, is not heard again.
    private static let nameSurety = 0.5

    /// The transcript with its free text heard once more, and how it is routed.
    /// - Returns: nil when it holds none, or what was dictated does not make the same command.
    func dictated(
        _ first: Transcript, _ routing: Routing, _ index: PhraseIndex, _ router: Router, _ trace: inout TurnTrace
    ) async -> (transcript: Transcript, routing: Routing)? {
        guard !first.words.isEmpty, let recogniser = parts.recogniser else { return nil }
        // Words outside the vocabulary make the first reading look unsure, however clear the command around them was.
        let commands = commands(in: first, routing, index, router)
        let stretches = FreeStretch.all(in: commands, of: first, index.books).filter {
            !isOwnersName(Array(first.words[$0.words]), index)
        }
        guard !stretches.isEmpty, isSure(of: first, besides: stretches) else { return nil }
        let began = ContinuousClock.now
        var words = first.words
        do {
            for stretch in stretches.reversed() {
                guard let dictated = try await recogniser.dictate(stretch.samples(in: first)),
                    dictated.confidence >= Self.surety
                else { continue }
                words.replaceSubrange(stretch.words, with: dictated.words)
            }
            parts.health.report("dictation", .ok, "free text is heard with the general model")
        } catch {
            let isNew = !parts.health.all.contains { $0.name == "dictation" && $0.state == .warning }
            if isNew { logger.warning("free text is heard with the phrasebooks' words only: \(error)") }
            parts.health.report(
                "dictation", .warning, "\(error)",
                advice: "install the recogniser's general model; until then free text may be misheard")
            return nil
        }
        let took = began.duration(to: .now)
        trace.add("dictation", took)
        trace.extend("last sample to transcript", by: took)
        guard words != first.words else { return nil }
        let second = Transcript(words)
        let secondRouting = router.route(second.text)
        let changed = self.commands(in: second, secondRouting, index, router)
        guard Self.isSame(commands, changed, besides: stretches) else { return nil }
        return (second, secondRouting)
    }

    /// Whether the words so far begin a command with free text, so that a dictation is to be expected.
    func mayDictate(_ partial: String) -> Bool {
        if case .slot(_, let command) = open.question,
            !FreeStretch.freeSlots(command.handler, command.intent, index.books).isEmpty
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
        in transcript: Transcript, _ routing: Routing, _ index: PhraseIndex, _ router: Router
    ) -> [Command] {
        let sure = Transcript(text: transcript.text, confidence: 1, words: transcript.words)
        if case .commands(let commands, _) = meaning(of: sure, routing, index, router) { return commands }
        return []
    }

    /// Whether the command around the free text was heard well enough to be acted on. An answer may be nothing else.
    private func isSure(of transcript: Transcript, besides stretches: [FreeStretch]) -> Bool {
        let others = transcript.words.indices.filter { place in !stretches.contains { $0.words.contains(place) } }
        guard !others.isEmpty else { return true }
        return Transcript(others.map { transcript.words[$0] }).confidence >= settings.rejection
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
