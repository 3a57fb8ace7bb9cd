import Domain
import Foundation
import Synchronization
import Threads

/// How long the general model for free text stays loaded.
public struct DictationRetention: Sendable {
    let limit: Duration
    let clock: any Clock<Duration>

    /// So long after it was last needed, measured by the clock.
    public init(_ limit: Duration = .seconds(120), clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }
}

/// Transcribes an utterance again with the general model of English, for words that the vocabulary lacks.
///
/// The model takes about 100 MB and 0.4 s to load, so it is loaded when first needed, and released when it has not been
/// needed for a while. On its own queue: the next utterance does not wait for the last one's words.
actor Dictation {
    private let executor = QueueExecutor(label: "vanorb.pocketsphinx.dictation")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Samples that are decoded between two checks for cancellation.
    private static let piece = 8_000

    private let modelFolder: String
    private let trials: SphinxTrials?
    private let retention: DictationRetention
    private let didRelease: @Sendable () -> Void
    private let current = Mutex(0)
    private var decoder: Decoder?
    private var uses = 0

    /// - Parameters:
    ///   - modelFolder: the recogniser's.
    ///   - trials: asked before the models are loaded; nil for a process that may crash.
    ///   - retention: how long the model is kept.
    ///   - didRelease: called when the model was released.
    init(
        modelFolder: String, trials: SphinxTrials?, retention: DictationRetention,
        didRelease: @escaping @Sendable () -> Void
    ) {
        self.trials = trials
        self.modelFolder = modelFolder
        self.retention = retention
        self.didRelease = didRelease
    }

    /// True while the general model is in memory.
    var isLoaded: Bool { decoder != nil }

    /// Starts a new utterance; the transcription of an earlier one is cancelled.
    nonisolated func beginUtterance() { current.withLock { $0 += 1 } }

    /// The number of the utterance under way.
    nonisolated var utterance: Int { current.withLock { $0 } }

    /// Loads the general model unless it is there.
    /// - Throws: `PocketSphinxError` that names the missing file and Debian's package.
    func load() throws {
        keep()
        guard decoder == nil else { return }
        let model = try SphinxModel(folder: modelFolder)
        guard FileManager.default.isReadableFile(atPath: model.generalLanguageModel) else {
            throw PocketSphinxError(
                call: "model",
                detail: "\(model.generalLanguageModel) is missing, so free text has "
                    + "the phrasebooks' words only. Install Debian's package pocketsphinx-en-us")
        }
        try model.check(trials)
        try model.checkGeneral(trials)
        var settings = DecoderSettings()
        // The first pass, which has heard the whole utterance, sets the mean.
        settings.review.isOn = false
        // The wider beams were measured on the van's words, not on these, which are many more.
        settings.arguments = []
        decoder = try Decoder(
            model: model,
            files: .init(
                languageModel: model.generalLanguageModel, grammar: "", dictionary: model.dictionary,
                unpronounceable: []),
            settings: settings)
    }

    /// What was said in a part of an utterance.
    ///
    /// All of it up to the part's end is decoded, also the command before it: words are recognised better with their
    /// neighbours, the front end has to learn what is noise, and times are the first pass's.
    /// - Parameters:
    ///   - range: samples of the part.
    ///   - mean: the cepstral mean of the voice.
    ///   - number: the utterance's, as `utterance` gave it.
    /// - Returns: nil when nothing was recognised, or another utterance has begun meanwhile.
    func transcript(of samples: [Int16], in range: Range<Int>, mean: [Float]?, number: Int) throws -> Transcript? {
        try load()
        guard let decoder else { return nil }
        if let mean { decoder.cepstralMean = mean }
        try decoder.start()
        let end = min(samples.count, range.upperBound)
        for place in stride(from: 0, to: end, by: Self.piece) {
            guard number == utterance else {
                decoder.drop()
                return nil
            }
            try decoder.process(Array(samples[place..<min(end, place + Self.piece)]))
        }
        try decoder.end()
        let words = TranscriptMaker(samples: end).transcripts(of: decoder).first?.words.filter {
            range.contains(($0.start + $0.end) / 2)
        }
        guard number == utterance, let words, !words.isEmpty else { return nil }
        return Transcript(words)
    }

    private func keep() {
        uses += 1
        let use = uses, retention = retention
        Task { [weak self] in
            guard (try? await retention.clock.sleep(for: retention.limit)) != nil else { return }
            await self?.release(unlessUsedSince: use)
        }
    }

    private func release(unlessUsedSince use: Int) {
        guard use == uses, decoder != nil else { return }
        decoder = nil
        didRelease()
    }
}

extension SphinxModel {
    /// The general language model, next to the acoustic model and named like it.
    var generalLanguageModel: String { acoustic + ".lm.bin" }
}

extension PocketSphinxRecogniser {
    /// Starts loading the general model of the language, which takes about 0.4 s; does not wait for it.
    public nonisolated func expectDictation() {
        let dictation = dictation
        // What fails now fails again, and is reported, when it is needed.
        Task { try? await dictation.load() }
    }

    /// Transcribes a part of the last utterance again with the general model of the language. Times and confidence are
    /// as in `finish`.
    /// - Throws: `PocketSphinxError`, also when the general model is not installed.
    public func dictate(_ range: Range<Int>) async throws -> Transcript? {
        guard !heard.isEmpty, !range.isEmpty else { return nil }
        return try await dictation.transcript(
            of: heard, in: range, mean: decoder?.cepstralMean, number: dictation.utterance)
    }
}
