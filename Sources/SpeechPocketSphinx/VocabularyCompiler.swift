import Domain
import Language
import Foundation
import Logging
import Threads

/// Makes decoders in the background, on a queue of its own, so that an utterance under way is not delayed.
actor VocabularyCompiler {
    /// Part of the cache's key: to be raised whenever the same vocabulary would give other files.
    private static let version = "9"

    private let executor = QueueExecutor(label: "vanorb.pocketsphinx.vocabulary", qos: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let modelFolder: String
    private let cache: VocabularyCache
    private let phonemiser: (any Phonemiser)?
    private let overrides: [String: [[String]]]
    /// The languages' rules, read once each.
    private var rules: [String: PronunciationRules] = [:]
    /// What the last look into the dictionary complained of: it is told once.
    private var knownProblem: String?
    private let settings: DecoderSettings
    private let trials: SphinxTrials?
    private let smoothing: LanguageModel.Smoothing
    private let logger: Logger

    init(
        modelFolder: String, workFolder: String, shipped: String?, phonemiser: (any Phonemiser)?,
        overrides: [String: [[String]]],
        settings: DecoderSettings, smoothing: LanguageModel.Smoothing, trials: SphinxTrials?, logger: Logger
    ) {
        self.trials = trials
        self.modelFolder = modelFolder
        cache = VocabularyCache(folder: workFolder, shipped: shipped)
        self.phonemiser = phonemiser
        self.overrides = overrides
        self.settings = settings
        self.smoothing = smoothing
        self.logger = logger
    }

    /// What hears one vocabulary.
    struct Ear {
        let decoder: Decoder
        /// Nil where nothing of the vocabulary can be said.
        let grammar: GrammarDecoder?
        /// The words that cannot be recognised.
        let unpronounceable: [String]
    }

    /// An recogniser for `vocabulary`.
    func recogniser(for vocabulary: Vocabulary) async throws -> sending Ear {
        let model = try model()
        let key = key(vocabulary, model)
        let files: VocabularyCache.Files
        if let cached = cache.files(key, kin: kin(vocabulary, model)) {
            files = cached
        } else {
            files = try await build(vocabulary, model, key: key)
        }
        return try recogniser(files, model, polite: vocabulary.polite)
    }

    /// An recogniser for what was to be heard before `vocabulary`, at once; nil where there is none, or no need of it:
    /// where that of `vocabulary` itself is at hand.
    func earlierRecogniser(than vocabulary: Vocabulary) throws -> sending Ear? {
        let model = try model()
        let kin = kin(vocabulary, model)
        guard cache.files(key(vocabulary, model), kin: kin) == nil, let files = cache.files(akinTo: kin) else {
            return nil
        }
        return try recogniser(files, model, polite: vocabulary.polite)
    }

    /// The model, once its files are known to be of use.
    private func model() throws -> SphinxModel {
        let model = try SphinxModel(folder: modelFolder)
        try model.check(trials)
        return model
    }

    private func recogniser(_ files: VocabularyCache.Files, _ model: SphinxModel, polite: [[String]]) throws
        -> sending Ear
    {
        let grammar = try CompactGrammar(Data(contentsOf: URL(filePath: files.grammar)))
        return Ear(
            decoder: try Decoder(model: model, files: files, settings: settings),
            grammar: try grammar.map {
                try GrammarDecoder(
                    model: model, dictionary: files.dictionary, grammar: $0, polite: polite)
            },
            unpronounceable: files.unpronounceable)
    }

    /// What a language model and its dictionary fit, whatever the words in them.
    private func kin(_ vocabulary: Vocabulary, _ model: SphinxModel) -> String {
        "\(Self.version)|\(vocabulary.language)|\(model.fingerprint)"
    }

    private func key(_ vocabulary: Vocabulary, _ model: SphinxModel) -> String {
        var digest = ContentDigest()
        digest.add("\(Self.version)|\(smoothing)|\(model.fingerprint)|\(phonemiser == nil ? "" : "phonemes")")
        for (word, variants) in overrides.sorted(by: { $0.key < $1.key }) { digest.add("\(word)=\(variants)") }
        digest.add(rules(for: vocabulary.language).text)
        digest.add(vocabulary)
        return digest.text
    }

    /// A language whose rules cannot be read does without.
    private func rules(for language: String) -> PronunciationRules {
        if let known = rules[language] { return known }
        var read = PronunciationRules()
        do { read = try PronunciationRules.shipped(language: language) } catch {
            logger.error("pronunciations: \(error)")
        }
        rules[language] = read
        return read
    }

    private func build(_ vocabulary: Vocabulary, _ model: SphinxModel, key: String) async throws
        -> VocabularyCache.Files
    {
        let lexicon = try await Lexicon(
            words: vocabulary.words, overrides: overrides.merging(vocabulary.pronunciations) { $1 },
            dictionary: CMUDictionary(path: model.dictionary), rules: rules(for: vocabulary.language),
            phonemiser: phonemiser)
        if let problem = lexicon.dictionaryProblem, problem != knownProblem {
            logger.warning("lines of the dictionary are left out: \(problem)")
        }
        knownProblem = lexicon.dictionaryProblem
        if !lexicon.unpronounceable.isEmpty {
            let words = lexicon.unpronounceable.prefix(20).joined(separator: ", ")
            logger.warning("\(lexicon.unpronounceable.count) words have no pronunciation and are left out: \(words)")
        }
        let unpronounceable = Set(lexicon.unpronounceable)
        // The two take about as long, and a board has more than one core.
        async let grammar = Self.grammar(vocabulary, leavingOut: unpronounceable)
        guard let counts = ExpectedCounts(vocabulary, leavingOut: unpronounceable) else {
            throw PocketSphinxError(
                call: "vocabulary", detail: "there is no sentence that could be recognised: see the phrasebooks")
        }
        return try cache.store(
            key, kin: kin(vocabulary, model), languageModel: LanguageModel(counts, smoothing: smoothing).arpaText(),
            grammar: await grammar,
            lexicon: lexicon)
    }

    @concurrent
    private static func grammar(_ vocabulary: Vocabulary, leavingOut words: Set<String>) async -> [UInt8] {
        Grammar(vocabulary, leavingOut: words).map { CompactGrammar($0).bytes } ?? []
    }
}
