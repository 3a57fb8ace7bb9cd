import Domain
import Logging
import Threads
import Foundation

/// Speech synthesis and pronunciations by espeak-ng.
///
/// The engine is one for the whole process and computes: all voices share its queue. It is started by the first call,
/// so that a library whose data is installed later works without a restart.
public actor ESpeakVoice: Synthesiser {
    /// The engine's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { ESpeakEngine.executor.asUnownedSerialExecutor() }

    let engine = ESpeakEngine.shared
    let dataFolder: String?
    let trial: (@Sendable (String) throws -> Void)?
    private let order: [VoiceChoice]
    private let logger: Logger
    private var wanted: String??
    private var voice: InstalledVoice?

    /// A voice that is looked for when it is first needed.
    /// - Parameters:
    ///   - dataFolder: the folder that holds `espeak-ng-data`; nil for the library's own.
    ///   - order: the voices to try after the owner's, first to last; the language's own are in its `speaking.yaml`.
    ///   - trial: asked for the folder of the data before the library reads it, which it may not survive; throws where
    ///     it must not. Nil for a process that may end by it.
    ///   - logger: gets a warning when the owner's voice is missing.
    public init(
        dataFolder: String? = nil, order: [VoiceChoice] = [.languageFamily("en")],
        trial: (@Sendable (String) throws -> Void)? = nil, logger: Logger
    ) {
        self.trial = trial
        self.dataFolder = dataFolder
        self.order = order
        self.logger = logger
    }

    /// The identifier of the voice that speaks with the owner's choice `owners`, such as `gmw/en-GB-x-rp`.
    /// - Throws: `ESpeakError` when there is none.
    public func voiceInUse(owners: String? = nil) throws -> String {
        try select(owners).identifier
    }

    /// The identifiers of the voices that could be chosen, sorted.
    /// - Throws: `ESpeakError` when the library has no data.
    public func installedVoices() throws -> [String] {
        try engine.open(dataFolder, trial: trial)
        return engine.voices.filter(\.isInstalled).map(\.identifier).sorted()
    }

    /// Whether a voice of this name, file or language is installed.
    /// - Throws: `ESpeakError` when the library has no data.
    public func hasVoice(_ name: String) throws -> Bool {
        try engine.open(dataFolder, trial: trial)
        return engine.voices.contains { $0.isInstalled && VoiceChoice.named(name).matches($0) }
    }

    /// Speaks one sentence into memory, with the pause that ends a sentence.
    /// - Throws: `ESpeakError`.
    public func synthesise(_ sentence: String, voice settings: VoiceSettings) async throws -> SynthesisedSentence {
        _ = try select(settings.voice)
        let take = SynthesisTake()
        try engine.synthesise(
            Self.withoutControls(sentence), rate: settings.wordsPerMinute,
            pitch: Int((50 * min(max(settings.pitch, 0), 2)).rounded()),
            volume: Int((100 * min(max(settings.volume, 0), 2)).rounded()), into: take)
        let rate = take.sampleRate ?? engine.sampleRate
        guard !take.words.isEmpty else {
            return SynthesisedSentence(text: sentence, sound: Sound(samples: [], sampleRate: rate), words: [])
        }
        return SynthesisedSentence(
            text: sentence, sound: Sound(samples: take.samples, sampleRate: rate),
            words: WordPlaces(sentence).marks(take.words, sampleRate: rate, samples: take.samples.count))
    }

    /// Sees to it that the voice for the owner's choice is loaded.
    private func select(_ owners: String?) throws -> InstalledVoice {
        try engine.open(dataFolder, trial: trial)
        if let voice, let wanted, wanted == owners, engine.load(voice.identifier) == 0 { return voice }
        let found = try engine.loadVoice((owners.map { [.named($0)] } ?? []) + order)
        if let owners, !VoiceChoice.named(owners).matches(found) {
            logger.warning("voice \(owners) is not installed; using \(found.identifier)")
        }
        wanted = .some(owners)
        voice = found
        return found
    }

    /// The text with a blank for each control character: a zero would end it, and others are orders to the library.
    private static func withoutControls(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(result)
    }
}

/// A voice in the library's list.
struct InstalledVoice: Sendable, Equatable {
    /// Its name, such as `English (Received Pronunciation)`.
    let name: String
    /// Its file below the library's folder of voices, such as `gmw/en-GB-x-rp`: what it is loaded by.
    let identifier: String
    /// The languages it speaks, such as `en-gb-x-rp`.
    let languages: [String]

    /// True for a voice whose sound is made by the program mbrola; the library lists those whether or not they are
    /// installed.
    var needsMbrola: Bool { identifier.hasPrefix("mb/") }

    /// True when what the voice needs besides the library is there. Asking the library would make it print to the
    /// standard error stream.
    var isInstalled: Bool {
        guard needsMbrola else { return true }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/mbrola") }
    }
}

extension VoiceChoice {
    func matches(_ voice: InstalledVoice) -> Bool {
        switch self {
        case .named(let name):
            let wanted = name.lowercased()
            let identifier = voice.identifier.lowercased()
            return voice.name.lowercased() == wanted || identifier == wanted || identifier.hasSuffix("/" + wanted)
                || voice.languages.contains(wanted)
        case .language(let language): return voice.languages.contains(language)
        case .languageFamily(let language):
            return voice.languages.contains { $0 == language || $0.hasPrefix(language + "-") }
        }
    }
}
