import AudioALSA
import Copilot
import Logging
import SignalProcessing
import SoundFiles
import SpeechMoonshine
import SpeechPocketSphinx

/// What hears on a board, from its file and the settings. The daemon and the measuring tool share it, so that what is
/// measured is what ships.
package struct Ears: Sendable {
    /// The microphone; nil where the board has none.
    package let microphone: ALSAMicrophone?
    /// The first ear, which is always there.
    package let firstEar: PocketSphinxRecogniser
    /// What hears: the first ear, or both as one.
    package let recogniser: any Recogniser
    /// Why the second ear is not there; nil where it is.
    package let missing: String?
    /// The audio chain that the board declares, and what it works with.
    package let hearing: Hearing
    /// The chimes' sounds; how long the first lasts counts for where speech may begin.
    package let chimes: [Chime: Sound]

    /// Removes a kept utterance where the owner keeps none any more.
    /// - Parameters:
    ///   - normaliser: tells whether both ears heard the same.
    ///   - phonemiser: asked for words that the recogniser's dictionary lacks.
    ///   - isPaced: whether recordings come at the pace of speech; nil for what the board file says.
    /// - Throws: `MoonshineError` where the settings demand the second ear and it is not there.
    package init(
        settings: Settings, board: Board, normaliser: Normaliser, phonemiser: (any Phonemiser)?, isPaced: Bool? = nil,
        logger: Logger
    ) throws {
        microphone = board.microphone.map {
            ALSAMicrophone(
                device: $0.device, configuration: board.alsa, format: board.audio.microphone, periodSize: $0.period,
                periods: $0.periods, paced: isPaced ?? $0.isPaced, logger: logger)
        }
        firstEar = PocketSphinxRecogniser(
            modelFolder: settings.acousticModel, workFolder: settings.data + "/speech",
            shipped: settings.vocabulary, phonemiser: phonemiser, didRelease: { ProcessFacts.giveBackMemory() },
            logger: logger)
        (recogniser, missing) = try Self.both(firstEar, settings, normaliser, logger)
        let kept = settings.data + "/last-utterance.wav"
        if !settings.keepsLastUtterance { LastUtterance.remove(path: kept) }
        let recorder = LastUtterance(path: kept) { logger.error("\($0)") }
        hearing = Hearing(
            graph: board.audio, stages: [SignalStages()], recorder: settings.keepsLastUtterance ? recorder : nil
        ) {
            do { return try SpeexVoiceActivity() } catch {
                logger.error("voice activity: \(error); loudness alone decides")
                return LoudnessVoiceActivity()
            }
        }
        chimes = [
            .start: ChimeSynthesiser.chime(.start), .end: ChimeSynthesiser.chime(.end),
            .error: ChimeSynthesiser.chime(.error),
        ]
    }
}

extension Ears {
    /// Both ears as one where the second is installed and wanted.
    private static func both(
        _ first: PocketSphinxRecogniser, _ settings: Settings, _ normaliser: Normaliser, _ logger: Logger
    ) throws -> (any Recogniser, missing: String?) {
        guard settings.engine != .pocketsphinx else { return (first, "the setting recogniser.engine is pocketsphinx") }
        do {
            let second = try MoonshineEar(folder: settings.secondEar)
            let ears = TwoEars(
                first: first, second: second, judge: SecondEarJudge(normaliser), limit: settings.secondEarLimit,
                didHear: { ProcessFacts.giveBackMemory() }, logger: logger)
            return (ears, nil)
        } catch  where settings.engine == .auto {
            return (first, "\(error)")
        }
    }
}

extension Settings {
    /// The conversation's settings: the owner's where he has set them, else the board's.
    package func conversation(on board: Board) -> ConversationSettings {
        var talk = conversation
        board.audio.adopt(into: &talk.endpointer)
        if let threshold = speechThreshold { talk.endpointer.threshold = threshold }
        if let silence = minimumSilence { talk.endpointer.minimumSilence = silence }
        return talk
    }
}
