import Domain
import Handlers
import Dialogue
import Control
import Foundation
import SoundFiles
import SpeechPocketSphinx
import VoiceESpeak

/// Calls about pronunciations: those that the recogniser expects, and the owner's own.
struct WordCalls: Sendable {
    let conversation: Conversation
    let context: HandlerContext
    let guide: PronunciationGuide
    let voice: ESpeakVoice

    private var language: String { context.books.language }

    func register(in table: inout CallTable) {
        table.register(WordsCall.self) { [self] in try await list($0) }
        table.register(WordSpeakCall.self) { [self] in try await speak($0) }
        table.register(WordSetCall.self) { [self] in try await set($0) }
    }

    private func list(_ arguments: WordsArguments) async throws -> WordsResult {
        let vocabulary = Set(await conversation.services.vocabulary.vocabulary().words)
        let owners = try await context.stores.words.ownerWords(language: language)
        let asked = try arguments.words?.map(word) ?? []
        let rows = try await rows(of: asked.isEmpty ? Array(vocabulary.union(owners.keys)) : asked, vocabulary, owners)
        let shown = rows.filter { !asked.isEmpty || arguments.all == true || $0.source != .dictionary }.sorted {
            ($0.source.rank, $0.word) < ($1.source.rank, $1.word)
        }
        return WordsResult(
            words: Array(shown.prefix(ControlLimits.listEntries)),
            more: max(0, shown.count - ControlLimits.listEntries),
            vocabulary: vocabulary.count)
    }

    private func speak(_ arguments: WordSpeakArguments) async throws -> WordSpeakResult {
        let word = try word(arguments.word)
        let vocabulary = Set(await conversation.services.vocabulary.vocabulary().words)
        let owners = try await context.stores.words.ownerWords(language: language)
        guard let row = try await rows(of: [word], vocabulary, owners).first, !row.phones.isEmpty else {
            throw Self.refusal("“\(word)” has no pronunciation. Set one: vanorb words set \(word) \"sounds like\"")
        }
        let settings = await conversation.services.profile.voice
        var sounds: [SynthesisedSentence] = []
        do {
            for phones in row.phones {
                sounds.append(
                    try await voice.synthesise(
                        phones: phones.split(separator: " ").map(String.init), for: word, voice: settings))
            }
            if arguments.returnsSound == true {
                return WordSpeakResult(word: row, sound: WaveFile.bytes(of: sounds.map(\.sound)))
            }
            try await conversation.services.output.play(sounds)
        } catch let failure as PlayFailure {
            throw ControlError(
                code: failure == .busy ? ControlError.Code.busy : ControlError.Code.failed, message: "\(failure)")
        }
        return WordSpeakResult(word: row)
    }

    private func set(_ arguments: WordSetArguments) async throws -> Acknowledgement {
        let word = try word(arguments.word)
        guard let spellings = arguments.spellings else { return try await remove(word) }
        var pronunciations: [OwnerPronunciation] = []
        do {
            for spelling in spellings {
                for phones in try await guide.phones(soundingLike: spelling, language: language)
                where !pronunciations.contains(where: { $0.phones == phones }) {
                    pronunciations.append(
                        OwnerPronunciation(spelling: spelling.trimmingCharacters(in: .whitespaces), phones: phones))
                }
            }
        } catch let error as SpellingError {
            throw Self.refusal(error.description)
        }
        try await context.stores.words.setOwnerWord(word, language: language, to: pronunciations)
        await conversation.services.typed.learn(word)
        let said = pronunciations.map { $0.phones.joined(separator: " ") }.joined(separator: ", or ")
        let isUsed = await conversation.services.vocabulary.vocabulary().words.contains(word)
        return Acknowledgement(
            message: "“\(word)” sounds like \(said). The recogniser is learning it."
                + (isUsed ? "" : " No name or phrase of yours contains it yet."))
    }

    private func remove(_ word: String) async throws -> Acknowledgement {
        guard try await context.stores.words.removeOwnerWord(word, language: language) else {
            throw Self.refusal("You have set no pronunciation for “\(word)”. List them: vanorb words")
        }
        await conversation.services.typed.learn(word)
        return Acknowledgement(
            message: "Removed your pronunciation of “\(word)”; the dictionary’s or a guess takes effect in a moment.")
    }

    private func rows(
        of words: [String], _ vocabulary: Set<String>, _ owners: [String: [OwnerPronunciation]]
    ) async throws -> [WordRow] {
        let all = try await guide.pronunciations(
            of: words, language: language, owners: owners.mapValues { $0.map(\.phones) })
        return all.map { known in
            var spellings: [String] = []
            for spelling in owners[known.word]?.map(\.spelling) ?? [] where !spellings.contains(spelling) {
                spellings.append(spelling)
            }
            return WordRow(
                word: known.word, source: WordRow.Source(rawValue: known.source.rawValue) ?? .none,
                phones: known.phones.map { $0.joined(separator: " ") }, spellings: spellings,
                used: vocabulary.contains(known.word))
        }
    }

    /// A word as the vocabulary has it.
    private func word(_ typed: String) throws -> String {
        let isReadable = typed.allSatisfy { $0.isLetter || $0.isNumber || "'’- ".contains($0) }
        let words = context.books.normaliser.canonicalWords(typed)
        guard isReadable, let word = words.first else {
            throw Self.refusal(
                "“\(typed)” is not a word. Use letters, digits and apostrophes.")
        }
        guard words.count == 1 else {
            throw Self.refusal(
                "“\(typed)” is more than one word to the recogniser (\(words.joined(separator: ", "))). Name one of them."
            )
        }
        return word
    }

    private static func refusal(_ message: String) -> ControlError {
        ControlError(code: ControlError.Code.badArguments, message: message)
    }
}

extension WordRow.Source {
    /// What most needs the owner's help comes first.
    fileprivate var rank: Int {
        switch self {
        case .none: 0
        case .guessed: 1
        case .spelled: 2
        case .yours: 3
        case .dictionary: 4
        }
    }
}
