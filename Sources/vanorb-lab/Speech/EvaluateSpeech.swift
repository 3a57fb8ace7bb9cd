import Domain
import Language
import ArgumentParser
import Foundation
import Setup

/// Plays labelled recordings to the appliance and counts what is understood. Nothing is carried out.
struct EvaluateSpeech: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speech",
        abstract: "Transcribe labelled recordings and count what is understood; nothing is carried out.",
        discussion: """
            Labels are a JSON object: file name → {"intent": "orderDrink", "slots": {…}}, {"text": "…"}, or \
            {"intent": null} where nothing may fire. WAV and FLAC take the microphone's path, in the order of their \
            names, with the default settings. Without --devices, --data and --names the van has the language's sample \
            names. Ends with status 1 if a labelled file was missing or could not be read.
            """)

    @Option(help: "The labels; labels.json in the folder by default.")
    var labels: String?
    @Flag(help: "Without labels: all recordings of the folder, in which nothing may fire.")
    var none = false
    @Option(help: "A custom phrasebook that replaces the built-in ones.")
    var phrasebook: String?
    @OptionGroup var noise: NoiseOptions
    @OptionGroup var hearing: HearingOptions
    @Flag(help: "Print JSON.")
    var json = false
    @Flag(help: "Print each recording with its result.")
    var verbose = false
    @Option(help: "Only recordings whose name matches this pattern (* and ?).")
    var only: String?
    @Option(help: "At most so many recordings.")
    var limit: Int?
    @OptionGroup var language: LanguageOptions
    @Argument(help: ArgumentHelp("The folder with the recordings.", valueName: "dir"))
    var folder: String

    func validate() throws {
        if none, labels != nil { throw ValidationError("--none and --labels exclude each other") }
        if phrasebook != nil, language.phrases != nil {
            throw ValidationError("--phrasebook replaces all phrasebooks, --phrases adds to them; give one")
        }
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func run() async throws {
        let labels = try wanted()
        let mixer = try noise.mixer()
        let index = try await language.index(phrasebook.map { try language.books(replacedBy: $0) })
        Notes.say("getting ready: \(index.books.phraseCount) phrases …")
        let classifier = try await language.classifier(index.books)
        let stage = try await hearing.stage(index, classifier)
        if !stage.unpronounceable.isEmpty {
            Notes.say("no pronunciation for: \(stage.unpronounceable.joined(separator: ", "))")
        }
        let report = try await Self.hear(labels, in: folder, mixer, on: stage, LossJudge(index, classifier))
        print(try json ? report.json() : report.table(isVerbose: verbose))
        if !report.refused.isEmpty { throw ExitCode.failure }
    }

    private func wanted() throws -> [(name: String, label: SpeechLabel)] {
        var all: SpeechLabels
        if none {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let sounds = names.filter { ["wav", "flac"].contains(URL(filePath: $0).pathExtension.lowercased()) }
            all = SpeechLabels(nothingFrom: sounds)
            guard !sounds.isEmpty else { throw ValidationError("\(folder) has no WAV or FLAC files") }
        } else {
            all = try SpeechLabels(contentsOf: labels ?? folder + "/labels.json")
        }
        if let only { all.labels = all.labels.filter { fnmatch(only, $0.key, 0) == 0 } }
        let sorted = all.labels.sorted { $0.key < $1.key }.map { (name: $0.key, label: $0.value) }
        guard !sorted.isEmpty else { throw ValidationError("no labelled recording is called “\(only ?? "")”") }
        return Array(sorted.prefix(limit ?? .max))
    }

    /// Transcribes recordings one after the other; those that cannot be read are reported and skipped.
    static func hear(
        _ labels: [(name: String, label: SpeechLabel)], in folder: String, _ mixer: NoiseMixer?,
        on stage: HearingStage, _ judge: LossJudge
    ) async throws -> SpeechReport {
        var clips: [HeardClip] = [], refused: [String: String] = [:]
        for (number, (name, label)) in labels.enumerated() {
            do {
                let speech = try Recordings.read("\(folder)/\(name)")
                let turn = try await stage.hear(mixer?.mixed(speech, name: name) ?? speech)
                var clip = HeardClip(name: name, label: label, turn: turn, normaliser: stage.normaliser)
                clip.loss = judge.loss(of: clip, in: speech)
                clips.append(clip)
            } catch let failure as SoundFileFailure {
                refused[name] = "\(failure)"
                Notes.say("not heard: \(failure)")
            }
            Notes.progress(number + 1, of: labels.count, name)
        }
        return SpeechReport(clips, peakMemory: Double(ProcessFacts.peakBytes) / 1_048_576, refused: refused)
    }
}

/// Noise to add to recordings.
struct NoiseOptions: ParsableArguments {
    @Option(help: "Noise to add: idle, cruise or rain, computed, or a WAV or FLAC file.")
    var noise: String?
    @Option(help: ArgumentHelp("Speech over noise in decibels: loudest frame over loudest frame.", valueName: "db"))
    var snr: Double?
    @Option(help: "The random seed, for the part of the noise that each recording gets.")
    var seed: UInt64 = 1

    func validate() throws {
        if (noise == nil) != (snr == nil) { throw ValidationError("--noise and --snr belong together") }
        if let snr, !(-60...100 ~= snr) { throw ValidationError("--snr must be -60 to 100") }
    }

    /// - Throws: `SoundFileFailure` of the noise.
    func mixer() throws -> NoiseMixer? {
        guard let noise, let snr else { return nil }
        let computed = VanNoise(rawValue: noise)?.samples(.seconds(60), seed: seed)
        return NoiseMixer(noise: try computed ?? Recordings.read(noise), ratio: snr, seed: seed)
    }
}

/// The parts of the appliance for a measurement.
struct HearingOptions: ParsableArguments {
    @Option(name: .customLong("set"), help: ArgumentHelp("A setting, instead of its default.", valueName: "key=value"))
    var settings: [String] = []
    @Option(help: "The board file; the virtual board's by default.")
    var board: String?
    @Flag(help: "Play the recordings in real time, so that the latency is as in use.")
    var paced = false
    @Option(help: "The recognisers: auto, pocketsphinx, or moonshine (both, requiring the constrained one).")
    var recogniser: String?

    func stage(
        _ index: PhraseIndex, _ classifier: (any IntentClassifier)?, data: String? = nil
    ) async throws -> HearingStage {
        try await HearingStage(
            index: index, classifier: classifier,
            settings: (recogniser.map { ["recogniser.engine=\($0)"] } ?? []) + settings, data: data, board: board,
            isPaced: paced)
    }
}
