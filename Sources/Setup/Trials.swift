import Domain
import Language
import SpeechPocketSphinx
import VoiceActivitySilero

/// Trials in another process of the same program, for files that may crash the library that reads them: the options
/// with which it calls itself.
package enum Trials {
    package static let recogniser = "--try-recogniser", dictation = "--try-dictation", voice = "--try-voice"
    package static let voiceActivity = "--try-voice-activity"
    /// More than the slowest board takes.
    private static let limit = Duration.seconds(20)

    /// A trial of files by the running program.
    /// - Parameters:
    ///   - name: under which a success is recorded.
    ///   - data: the data folder.
    package static func ofThisProgram(_ name: String, data: String, _ arguments: [String]) -> TriedFiles {
        TriedFiles(record: "\(data)/tried/\(name)") {
            try TrialProcess.runThisProgram(arguments, limit: limit)
        }
    }

    /// Tries the recogniser's model in this process, which may crash.
    package static func recogniserHere(_ folder: String) throws {
        TrialProcess.prepare()
        try SphinxTrial.runAcoustic(folder: folder)
    }

    /// Tries the general language model in this process, which may crash.
    package static func dictationHere(_ folder: String) throws {
        TrialProcess.prepare()
        try SphinxTrial.runGeneral(folder: folder)
    }

    /// Tries the voice activity's library and model in this process, which may crash.
    package static func voiceActivityHere(_ folder: String) throws {
        TrialProcess.prepare()
        try SileroLoader.tryHere(folder: folder)
    }

    /// Synthesises the emergency replies, and phonemises their words as for the recogniser. In this process, which may
    /// crash.
    /// - Parameter language: the folder of the language that is spoken.
    package static func voiceHere(_ voice: some Synthesiser & Phonemiser, language: LanguageFolder) async throws {
        TrialProcess.prepare()
        let text = try String(contentsOfFile: language.path + "/replies/emergency.yaml", encoding: .utf8)
        for line in text.split(separator: "\n").map(String.init) {
            _ = try await voice.synthesise(line, voice: VoiceSettings())
            _ = try await voice.pronunciations(of: line.split(separator: " ").map(String.init))
        }
    }
}

extension SphinxTrials {
    static func ofThisProgram(_ settings: Settings) -> SphinxTrials {
        let model = settings.acousticModel
        let acoustic = Trials.ofThisProgram("recogniser", data: settings.data, [Trials.recogniser, model])
        let general = Trials.ofThisProgram("dictation", data: settings.data, [Trials.dictation, model])
        return SphinxTrials(acoustic: { try acoustic.check($0) }, general: { try general.check($0) })
    }
}
