import Domain
import Language
import Foundation
import Logging
import Threads

/// Compiles vocabularies into decoders in the background, on its own queue, so that an utterance under way is not
/// delayed.
actor VocabularyCompiler {
    /// Part of the cache's key: raise it whenever the same vocabulary gives other files.
    private static let version = "9"

    private let executor = QueueExecutor(label: "vanorb.pocketsphinx.vocabulary", qos: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let modelFolder: String
    private let cache: VocabularyCache
    private let phonemiser: (any Phonemiser)?
    private let overrides: [String: [[String]]]
    /// The languages' rules, read once each.
    private var rules: [String: PronunciationRules] = [:]
    /// The last problem of the dictionary, which is logged once.
    private var knownProblem: String?
    private let trials: SphinxTrials?
    private let smoothing = LanguageModel.Smoothing()
    private let logger: Logger

    init(
        _ files: SphinxFiles, phonemiser: (any Phonemiser)?, overrides: [String: [[String]]], logger: Logger
    ) {
        trials = files.trials
        modelFolder = files.model
        cache = VocabularyCache(folder: files.work, shipped: files.shipped)
        self.phonemiser = phonemiser
        self.overrides = overrides
        self.logger = logger
    }

    /// What recognises one vocabulary.
    struct Compiled {
        let decoder: Decoder
        /// Nil where the vocabulary has no sentence.
        let grammar: GrammarDecoder?
        /// The words that cannot be recognised.
        let unpronounceable: [String]
    }

    /// The decoder and grammar of `vocabulary`.
    func recogniser(for vocabulary: Vocabulary) async throws -> sending Compiled {
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

    /// Those of the vocabulary used before `vocabulary`, at once; nil where there is none, or where those of
    /// `vocabulary` are cached.
    func earlierRecogniser(than vocabulary: Vocabulary) throws -> sending Compiled? {
        let model = try model()
        let kin = kin(vocabulary, model)
        guard cache.files(key(vocabulary, model), kin: kin) == nil, let files = cache.files(akinTo: kin) else {
            return nil
        }
        return try recogniser(files, model, polite: vocabulary.polite)
    }

    /// The model, once its files have been tried.
    private func model() throws -> SphinxModel {
        let model = try SphinxModel(folder: modelFolder)
        try model.check(trials)
        return model
    }

    private func recogniser(_ files: VocabularyCache.Files, _ model: SphinxModel, polite: [[String]]) throws
        -> sending Compiled
    {
        let grammar = try CompactGrammar(Data(contentsOf: URL(filePath: files.grammar)))
        return Compiled(
            decoder: try Decoder(model: model, files: files, settings: DecoderSettings()),
            grammar: try grammar.map {
                try GrammarDecoder(
                    model: model, dictionary: files.dictionary, grammar: $0, polite: polite)
            },
            unpronounceable: files.unpronounceable)
    }

    /// What compiled files depend on apart from the words.
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

    /// None where they cannot be read.
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
            logger.warning("skipped lines of the dictionary: \(problem)")
        }
        knownProblem = lexicon.dictionaryProblem
        if !lexicon.unpronounceable.isEmpty {
            let words = lexicon.unpronounceable.prefix(20).joined(separator: ", ")
            logger.warning("skipped \(lexicon.unpronounceable.count) words without a pronunciation: \(words)")
        }
        let unpronounceable = Set(lexicon.unpronounceable)
        // Both take about as long, and boards have several cores.
        async let grammar = Self.grammar(vocabulary, leavingOut: unpronounceable)
        guard let counts = ExpectedCounts(vocabulary, leavingOut: unpronounceable) else {
            throw PocketSphinxError(
                call: "vocabulary", detail: "no sentence can be recognised. Check the phrasebooks")
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
