import Domain
import Logging
import Threads

/// Where the recogniser's files are, and how the library is kept from damaged ones.
public struct SphinxFiles: Sendable {
    /// A folder with an acoustic model and a `.dict` file, as Debian's pocketsphinx-en-us has.
    public var model: String
    /// For compiled vocabularies, kept from one start to the next; created if it is missing.
    public var work: String
    /// A folder of the same kind that is only read, with a vocabulary for the first start; nil for none.
    public var shipped: String?
    /// Asked before the library reads a model; nil for a process that may crash.
    public var trials: SphinxTrials?

    /// Unless said otherwise with Debian's American model.
    public init(
        model: String = "/usr/share/pocketsphinx/model/en-us", work: String, shipped: String? = nil,
        trials: SphinxTrials? = nil
    ) {
        self.model = model
        self.work = work
        self.shipped = shipped
        self.trials = trials
    }
}

/// Recognises speech with PocketSphinx and a trigram model of the vocabulary.
///
/// The library blocks while it computes, so the decoder lives on this actor's own queue; a new vocabulary is compiled
/// on another, and its decoder takes over between two utterances.
public actor PocketSphinxRecogniser: Recogniser {
    /// `pocketsphinx`.
    public nonisolated let name = "pocketsphinx"
    private let executor = QueueExecutor(label: "vanorb.pocketsphinx")
    /// The actor's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let compiler: VocabularyCompiler
    private(set) var decoder: Decoder?
    let modelFolder: String
    /// The cepstral mean that the first decoder starts with; the model's own where it is nil.
    var restoredMean: [Float]?
    private var grammar: GrammarDecoder?
    private var pending: VocabularyCompiler.Compiled?
    private var vocabulary: Vocabulary?
    private var requests = 0
    private var answered = 0
    private var isListening = false
    private var accepted = 0
    private let didRelease: @Sendable () -> Void
    nonisolated let dictation: Dictation
    /// The sound of the last utterance, until the next.
    private(set) var heard: [Int16] = []
    private var partial = ""
    /// What was recognised when the utterance seemed to be over; dropped when it goes on.
    private var conclusion: [Transcript]?
    /// True when only further speech could change what was recognised.
    var isConcluded: Bool { conclusion != nil }

    /// The words of the vocabulary in use that have no pronunciation and so cannot be recognised, sorted.
    public private(set) var unpronounceable: [String] = []

    /// A recogniser without a vocabulary; the model is read by `prepare`.
    /// - Parameters:
    ///   - files: where its files are.
    ///   - phonemiser: asked for words that the dictionary lacks.
    ///   - overrides: the owner's pronunciations by word, as ARPAbet phones; these come before the dictionary.
    ///   - retention: how long the general model for free text stays loaded.
    ///   - didRelease: called when much memory was freed, to return it to the system: the general model's, or what the
    ///     compilation of a vocabulary took.
    ///   - logger: gets the library's log at debug level.
    public init(
        _ files: SphinxFiles, phonemiser: (any Phonemiser)?, overrides: [String: [[String]]] = [:],
        retention: DictationRetention = DictationRetention(), didRelease: @escaping @Sendable () -> Void = {},
        logger: Logger
    ) {
        SphinxLog.install(logger)
        modelFolder = files.model
        self.didRelease = didRelease
        dictation = Dictation(
            modelFolder: files.model, trials: files.trials, retention: retention, didRelease: didRelease)
        compiler = VocabularyCompiler(files, phonemiser: phonemiser, overrides: overrides, logger: logger)
    }

    /// Compiles the language model and the dictionary, or finds them in the work folder, and loads a decoder.
    /// - Throws: `PocketSphinxError`.
    public func prepare(_ vocabulary: Vocabulary) async throws {
        requests += 1
        let request = requests
        guard vocabulary != self.vocabulary else {
            // One that is still being compiled was requested earlier and is obsolete.
            answered = request
            return
        }
        let made = try await compiler.recogniser(for: vocabulary)
        // Of two vocabularies prepared at once the later one wins, whichever is ready first.
        guard request > answered else { return }
        answered = request
        self.vocabulary = vocabulary
        unpronounceable = made.unpronounceable
        pending = made
        if !isListening { takeOver() }
        didRelease()
    }

    /// Uses the last run's language model, or the package's, until `prepare` has compiled the present one.
    public func resume(towards vocabulary: Vocabulary) async -> Bool {
        guard decoder == nil, pending == nil, let made = try? await compiler.earlierRecogniser(than: vocabulary),
            decoder == nil, pending == nil
        else { return false }
        pending = made
        takeOver()
        return true
    }

    /// Begins an utterance.
    /// - Throws: `PocketSphinxError`, also before a vocabulary is prepared.
    public func begin() async throws {
        drop()
        takeOver()
        guard let decoder else {
            throw PocketSphinxError(call: "begin", detail: "no vocabulary is ready yet")
        }
        try decoder.start()
        isListening = true
        accepted = 0
        dictation.beginUtterance()
        heard = []
        conclusion = nil
        partial = ""
    }

    /// Takes the next samples.
    /// - Returns: the words so far if they have changed, else nil.
    /// - Throws: `PocketSphinxError`, also when no utterance was begun.
    public func accept(_ samples: [Int16]) async throws -> String? {
        let decoder = try listening("accept")
        try decoder.process(samples)
        accepted += samples.count
        heard += samples
        if conclusion != nil {
            guard decoder.hasResumed else { return nil }
            conclusion = nil
            try decoder.reopen()
        }
        // While it catches up, the library would retract words that were already shown.
        guard decoder.isUpToDate else { return nil }
        let now = decoder.hypothesis
        // The closing silence leaves time for the rest of the work.
        if decoder.isUtteranceOver {
            try decoder.conclude()
            conclusion = transcripts(of: decoder, decoder.utterance)
            try decoder.follow()
        }
        guard now != partial else { return nil }
        partial = now
        return now
    }

    /// What was heard, once there was silence for long enough to end the search.
    public func provisionalResult() -> [Transcript]? { conclusion }

    /// Ends the utterance and gives up to five transcripts. Samples are counted from the first accepted one; the
    /// library leaves out pauses of more than half a second, so that times after one are early by its length. The
    /// confidence is the mean of the words' posteriors; an alternative's is lower by the distance of its score.
    /// - Throws: `PocketSphinxError`, also when no utterance was begun.
    public func finish() async throws -> [Transcript] {
        let decoder = try listening("finish")
        isListening = false
        if let conclusion {
            self.conclusion = nil
            decoder.drop()
            return conclusion
        }
        let utterance = decoder.utterance
        try decoder.end()
        return transcripts(of: decoder, utterance)
    }

    private func transcripts(of decoder: Decoder, _ utterance: [Int16]) -> [Transcript] {
        let maker = TranscriptMaker(samples: utterance.count)
        let found = maker.transcripts(of: decoder)
        guard let grammar else { return found }
        let kind = found.first.flatMap { grammar.check.kind(of: $0.text.split(separator: " ").map(String.init)) }
        switch grammar.read(utterance, words: decoder.candidates) {
        case .sentence(let path, let fit):
            let bound = maker.transcript(of: path)
            return Agreement(free: found, bound: bound, isForced: fit?.isForced ?? false, kind: kind).transcripts
        case .none: return Agreement(free: found, bound: nil, kind: kind).transcripts
        case .unsearched: return Agreement(free: found, bound: nil, isSearched: false, kind: kind).transcripts
        }
    }

    /// Drops the utterance, and what is being dictated of it.
    public func cancel() async {
        dictation.beginUtterance()
        heard = []
        drop()
    }

    private func listening(_ call: String) throws -> Decoder {
        guard isListening, let decoder else { throw PocketSphinxError(call: call, detail: "no utterance was begun") }
        return decoder
    }

    private func drop() {
        guard isListening else { return }
        isListening = false
        conclusion = nil
        decoder?.drop()
    }

    private func takeOver() {
        guard let next = pending else { return }
        if let mean = decoder?.cepstralMean ?? restoredMean { next.decoder.cepstralMean = mean }
        decoder = next.decoder
        grammar = next.grammar
        pending = nil
    }
}
