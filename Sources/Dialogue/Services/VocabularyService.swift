import Domain
import Handlers
import Language
import Logging

/// What can be said, as the owner's names come and go: the compiled language for the router, and the recogniser's
/// vocabulary, made in the background without missing a turn.
@DialogueActor
package final class VocabularyService {
    private let context: HandlerContext
    private let recogniser: (any Recogniser)?
    private let keptValues: KeptValueWriter
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// The compiled language, swapped between turns when names change.
    private(set) var index: PhraseIndex
    /// Swapped when a better one has been trained; nil for strict routing.
    private var classifier: (any IntentClassifier)?
    private var refreshing: Task<Void, Never>?
    /// How often the names were to be read again; which of these reads took too long, and which is in use.
    private var refreshes = 0, lateRefresh = 0, usedRefresh = 0
    /// The recogniser's last change of vocabulary; each waits for the one before.
    private var preparing: Task<Void, Never>?
    /// How often the language has changed.
    private var changes = 0
    /// What the recogniser's vocabulary was made by, and is updated by when names change.
    private var builder: VocabularyBuilder?
    /// What the recogniser had adapted to when that was last kept; nil until the store was asked.
    private var keptAdaptation: String?

    /// How long a turn waits for names that are being read.
    private static let namePatience = Duration.seconds(3)

    nonisolated init(
        _ parts: ConversationParts, names: OwnerNames, keptValues: KeptValueWriter, clock: any Clock<Duration>,
        logger: Logger
    ) {
        context = parts.context
        recogniser = parts.recogniser
        self.keptValues = keptValues
        self.clock = clock
        self.logger = logger
        index = PhraseIndex(books: parts.context.books, names: names)
        classifier = parts.classifier
    }

    /// All that can be said, as of the last change of names.
    package func vocabulary() async -> Vocabulary { VocabularyBuilder.vocabulary(of: await currentIndex()) }
    /// The language's phrases and the names in use.
    package var counts: (phrases: Int, names: OwnerNames) { (index.books.phraseCount, index.names) }

    // MARK: the router's language

    /// Routes by another classifier from the next turn on.
    package func use(_ classifier: any IntentClassifier) { self.classifier = classifier }

    /// A router for `index`, or for the present language.
    func router(for index: PhraseIndex? = nil) -> Router { Router(index: index ?? self.index, classifier: classifier) }

    /// The language as of the last change of names.
    func currentIndex() async -> PhraseIndex {
        guard let refreshing, lateRefresh != refreshes else { return index }
        // A store that hangs must not silence the turns after it: they know the names as they were.
        let number = refreshes
        let isInTime = await withTimeout(Self.namePatience, clock: clock) {
            await refreshing.value
            return true
        }
        // It is not waited for a second time.
        if isInTime == nil { lateRefresh = number }
        return index
    }

    /// Reads the owner's names again and compiles the language; the next turn sees them.
    package func refreshNames() {
        let context = context, books = index.books, before = refreshing, clock = clock
        refreshes += 1
        let number = refreshes
        refreshing = Task { [weak self] in
            // One that a hanging store holds must not keep those after it from the names.
            _ = await withTimeout(Self.namePatience, clock: clock) { await before?.value }
            // Of changes in quick succession only the last is worth the work.
            guard let self, self.refreshes == number else { return }
            let known = self.index.names
            let (names, failures) = await OwnerNamesReader.readableNames(context, otherwise: known)
            for failure in failures { self.logger.error("some of the owner's names cannot be read: \(failure)") }
            guard names != known else { return }
            let index = await Task.detached(priority: .utility) { PhraseIndex(books: books, names: names) }.value
            self.use(index, asOf: number)
        }
    }

    /// - Parameter number: of the read that it comes from; a later one may have come before it.
    private func use(_ index: PhraseIndex, asOf number: Int) {
        guard number > usedRefresh else { return }
        usedRefresh = number
        self.index = index
        guard let recogniser else { return }
        let logger = logger, before = preparing
        changes += 1
        let change = changes
        preparing = Task.detached(priority: .utility) { [weak self] in
            await before?.value
            // Of changes in quick succession only the last is worth the work.
            guard let self, await changes == change else { return }
            var builder = await builder ?? VocabularyBuilder(index)
            builder.update(to: index)
            await keep(builder)
            do { try await recogniser.prepare(builder.vocabulary) } catch {
                logger.error("the recogniser keeps its old vocabulary: \(error)")
            }
        }
    }

    private func keep(_ builder: VocabularyBuilder) { self.builder = builder }

    /// Waits for what goes on in the background.
    package func finish() async {
        await refreshing?.value
        await preparing?.value
    }

    // MARK: the recogniser

    /// Lets the recogniser use its vocabulary of before the last restart at once, where the present one takes long to
    /// make, with what it had adapted to until then.
    /// - Returns: false where it recognises nothing until `prepareRecogniser`.
    package func resumeRecogniser() async -> Bool {
        await restoreAdaptation()
        guard let recogniser else { return false }
        let builder = builder ?? VocabularyBuilder(index)
        self.builder = builder
        return await recogniser.resume(towards: builder.vocabulary)
    }

    /// Makes the recogniser ready for the present vocabulary, with what it had adapted to before the restart.
    /// - Throws: the recogniser's error.
    package func prepareRecogniser() async throws {
        await restoreAdaptation()
        guard let recogniser else { return }
        let builder = VocabularyBuilder(index)
        self.builder = builder
        try await recogniser.prepare(builder.vocabulary)
    }

    /// The key of a recogniser's adaptation among the kept values.
    private static func adaptationKey(of recogniser: any Recogniser) -> String { "learnt.\(recogniser.name)" }

    private func restoreAdaptation() async {
        guard keptAdaptation == nil, let recogniser else { return }
        // A lost store cannot say; adaptation then starts from nothing.
        let kept = (try? await context.stores.kept.value(Self.adaptationKey(of: recogniser))) ?? ""
        keptAdaptation = kept
        if !kept.isEmpty { await recogniser.restore(kept) }
    }

    /// Keeps over a restart what the recogniser has adapted to of voice and microphone: in the background, once a turn.
    func keepAdaptation() async {
        guard let recogniser, let state = await recogniser.adaptationState(), state != keptAdaptation else { return }
        keptAdaptation = state
        keptValues.keep(Self.adaptationKey(of: recogniser), state)
    }
}

/// Keeps values over a restart, one after the other, without holding up a turn.
@DialogueActor
package final class KeptValueWriter {
    private let store: any KeptValueStore
    private let logger: Logger
    /// The last value on its way to the store; each waits for the one before.
    private var writing: Task<Void, Never>?

    nonisolated init(_ store: any KeptValueStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Keeps a value, or removes it with nil.
    func keep(_ key: String, _ value: String?) {
        let store = store, logger = logger, before = writing
        writing = Task {
            await before?.value
            do { try await store.set(key, to: value) } catch {
                logger.error("“\(key)” will not survive a restart: \(error)")
            }
        }
    }

    /// Waits until all is written.
    package func finish() async { await writing?.value }
}
