import ArgumentParser
import Foundation
import Setup

/// Speaks the van's own commands with flite's voices, adds noise, and counts what is understood.
struct Study: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Speak the van's own commands with flite's voices, clean and in noise, and count what is understood.",
        discussion: """
            Sentences are drawn from the phrasebooks, evenly over all intents, and filled with the van's names; what \
            the text router makes of the text is what has to be heard. The same seed gives the same sentences and the \
            same noise. Tune on --part tune, report on --part report: no sentence is in both. Conditions are clean, \
            and idle, cruise (a diesel standing and at 90 km/h), rain and, with --kitchen, kitchen, each with -24, \
            -12, -6 and -0: speech over noise in dB. Needs flite, unless --speaker names another program \
            (deploy/study-voice makes one). Each voice under each condition is heard by an appliance of its own.
            """)

    @Option(help: "A folder for the spoken sentences and language models; kept for the next run.")
    var cache: String
    @Option(help: "A WAV or FLAC file of kitchen noise.")
    var kitchen: String?
    @Option(help: "tune, report or all.")
    var part = StudySentences.Part.report
    @Option(help: "How many sentences.")
    var sentences = 320
    @Option(help: "The random seed, for sentences and noise.")
    var seed: UInt64 = 1
    @Option(name: .customLong("voice"), help: "A voice of flite's; may be repeated. All four by default.")
    var voices: [String] = []
    @Option(help: "A program that speaks instead: called with a text and the WAV file to write (16 kHz or more).")
    var speaker: String?
    @Option(help: "Only conditions whose name matches this pattern: clean, cruise-*, *-12.")
    var only = "*"
    @Option(help: "Seconds of silence, or of noise alone, after each sentence.")
    var tail = 0.5
    @Flag(help: "Print the sentences with their meaning, and exit.")
    var list = false
    @Flag(help: "Print JSON.")
    var json = false
    @Flag(help: "Print the errors.")
    var verbose = false
    @OptionGroup var hearing: HearingOptions
    @OptionGroup var language: LanguageOptions

    func validate() throws {
        for voice in voices where !SyntheticVoice.flite.contains(voice) {
            throw ValidationError("no voice \(voice); expected \(SyntheticVoice.flite.joined(separator: ", "))")
        }
        if speaker != nil, !voices.isEmpty { throw ValidationError("--speaker and --voice exclude each other") }
        guard sentences > 0 else { throw ValidationError("--sentences must be 1 or more") }
        guard 0...10 ~= tail else { throw ValidationError("--tail must be 0 to 10 seconds") }
    }

    func run() async throws {
        let index = try await language.index(), classifier = try await language.classifier(index.books)
        let drawn = StudySentences(index: index, classifier: classifier, seed: seed).draw(sentences, part: part)
        if list { return print(try json ? drawn.json() : Self.listing(drawn)) }
        if drawn.count < sentences { Notes.say("only \(drawn.count) sentences could be drawn") }
        let conditions = try conditions()
        guard !conditions.isEmpty else { throw ValidationError("no condition is called “\(only)”") }
        var report = StudyReport(part: part.rawValue, sentences: drawn.count)
        let judge = LossJudge(index, classifier)
        for voice in speaking {
            for (name, mixer) in conditions {
                let stage = try await hearing.stage(index, classifier, data: cache)
                let heard = try await hear(drawn, voice, name, mixer, stage, judge)
                report.add(voice.name, name, heard)
            }
        }
        print(try json ? report.json() : report.table(isVerbose: verbose))
    }

    private var speaking: [SyntheticVoice] {
        if let speaker { return [SyntheticVoice(program: speaker, cache: cache)] }
        return (voices.isEmpty ? SyntheticVoice.flite : voices).map { SyntheticVoice(name: $0, cache: cache) }
    }

    private func hear(
        _ sentences: [StudySentences.Sentence], _ voice: SyntheticVoice, _ condition: String, _ mixer: NoiseMixer?,
        _ stage: HearingStage, _ judge: LossJudge
    ) async throws -> SpeechReport {
        var clips: [HeardClip] = []
        for (number, sentence) in sentences.enumerated() {
            let speech = try voice.speak(sentence.text, lead: .milliseconds(500), tail: .seconds(tail))
            let turn = try await stage.hear(mixer?.mixed(speech, name: "\(voice.name) \(sentence.text)") ?? speech)
            var clip = HeardClip(
                name: sentence.text, label: sentence.label, turn: turn, normaliser: stage.normaliser)
            clip.loss = judge.loss(of: clip, in: speech)
            clips.append(clip)
            Notes.progress(number + 1, of: sentences.count, "\(voice.name), \(condition)")
        }
        return SpeechReport(clips, peakMemory: Double(ProcessFacts.peakBytes) / 1_048_576)
    }

    private func conditions() throws -> [(name: String, mixer: NoiseMixer?)] {
        var noises = VanNoise.allCases.map { ($0.rawValue, $0.samples(.seconds(60), seed: seed)) }
        if let kitchen { noises.append(("kitchen", try Recordings.read(kitchen))) }
        let noisy = noises.flatMap { name, noise in
            [24, 12, 6, 0].map { ("\(name)-\($0)", NoiseMixer(noise: noise, ratio: Double($0), seed: seed)) }
        }
        let all: [(name: String, mixer: NoiseMixer?)] = [("clean", nil)] + noisy.map { ($0.0, $0.1) }
        return all.filter { fnmatch(only, $0.name, 0) == 0 }
    }

    private static func listing(_ sentences: [StudySentences.Sentence]) -> String {
        sentences.map { sentence in
            let slots = sentence.slots.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ([sentence.text, sentence.intent] + slots).joined(separator: "\t")
        }.joined(separator: "\n")
    }
}

extension StudySentences.Part: ExpressibleByArgument {}
