import Domain
import Language
import Handlers

/// What can be said, as the owner's names come and go.
extension Conversation {
    /// Reads the owner's names from the stores, for the initialiser.
    /// - Throws: the store's error, where any of them cannot be read.
    public static func names(_ context: HandlerContext) async throws -> OwnerNames {
        try await OwnerNamesReader.names(context)
    }

    /// The owner's names as far as they can be read; the devices' do not need the store.
    /// - Parameter complain: called with the error of each kind of names that cannot be read.
    public static func readableNames(
        _ context: HandlerContext, complain: (any Error) -> Void
    ) async -> OwnerNames {
        await OwnerNamesReader.names(context, otherwise: OwnerNames(), complain: complain)
    }

    /// Lets the recogniser hear at once what it heard before the last end, where the present vocabulary takes long to
    /// make, with what it had learnt until then.
    /// - Returns: false where it hears nothing until `prepareRecogniser`.
    public func resumeRecogniser() async -> Bool {
        await restoreAdaptation()
        guard let recogniser = parts.recogniser else { return false }
        let builder = words ?? VocabularyBuilder(index)
        words = builder
        return await recogniser.resume(towards: builder.vocabulary)
    }

    /// Makes the recogniser ready for the present vocabulary, with what it had learnt before the start.
    /// - Throws: the recogniser's error.
    public func prepareRecogniser() async throws {
        await restoreAdaptation()
        guard let recogniser = parts.recogniser else { return }
        let builder = VocabularyBuilder(index)
        words = builder
        try await recogniser.prepare(builder.vocabulary)
    }

    private func restoreAdaptation() async {
        if keptAdaptation == nil, let recogniser = parts.recogniser {
            // A lost store cannot tell; it then begins as on the first day.
            keptAdaptation = (try? await parts.context.stores.kept.value(Self.learning(of: recogniser))) ?? ""
            if let keptAdaptation, !keptAdaptation.isEmpty { await recogniser.restore(keptAdaptation) }
        }
    }

    /// Reads the owner's names again and makes the language anew; the next turn sees them.
    public func refreshNames() {
        let context = parts.context, books = index.books
        let before = refresh, clock = clock
        refreshes += 1
        let number = refreshes
        refresh = Task { [weak self] in
            // One that a hanging store holds must not keep those after it from the names.
            _ = await withTimeout(Self.namePatience, clock: clock) { await before?.value }
            // Of changes in quick succession only the last is worth the work.
            guard let self, await self.refreshes == number else { return }
            let known = await self.index.names, logger = self.logger
            let names = await OwnerNamesReader.names(context, otherwise: known) {
                logger.error("some of the owner's names cannot be read: \($0)")
            }
            guard names != known else { return }
            let index = await Task.detached(priority: .utility) { PhraseIndex(books: books, names: names) }.value
            await self.use(index, asOf: number)
        }
    }

    /// - Parameter number: of the read that it comes from; a later one may have come before it.
    private func use(_ index: PhraseIndex, asOf number: Int) {
        guard number > usedRefresh else { return }
        usedRefresh = number
        self.index = index
        guard let recogniser = parts.recogniser else { return }
        let logger = logger, before = preparing
        vocabularyChanges += 1
        let change = vocabularyChanges
        preparing = Task.detached(priority: .utility) { [weak self] in
            await before?.value
            // Of changes in quick succession only the last is worth the work.
            guard let self, await vocabularyChanges == change else { return }
            var builder = await words ?? VocabularyBuilder(index)
            builder.update(to: index)
            await keep(builder)
            do { try await recogniser.prepare(builder.vocabulary) } catch {
                logger.error("the recogniser keeps its old vocabulary: \(error)")
            }
        }
    }

    private func keep(_ builder: VocabularyBuilder) { words = builder }

    /// How long a turn waits for names that are being read.
    private static let namePatience = Duration.seconds(3)

    /// The language as of the last change of names.
    func currentIndex() async -> PhraseIndex {
        guard let refresh, lateRefresh != refreshes else { return index }
        // A store that hangs must not silence the turns after it: they know the names as they were.
        let number = refreshes
        let isInTime = await withTimeout(Self.namePatience, clock: clock) {
            await refresh.value
            return true
        }
        // Nobody waits for it a second time.
        if isInTime == nil { lateRefresh = number }
        return index
    }
}
