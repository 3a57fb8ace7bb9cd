import AudioALSA
import Copilot
import Logging
import SignalProcessing
import SpeechPocketSphinx

/// What hears on a board, from its file and the settings. The daemon and the measuring tool share it, so that what is
/// measured is what ships.
package struct Hearing: Sendable {
    /// The microphone; nil where the board has none.
    package let microphone: ALSAMicrophone?
    package let recogniser: PocketSphinxRecogniser
    package let makeVoiceActivity: @Sendable () -> any VoiceActivityDetector
    /// The chimes' sounds; how long the first lasts counts for where speech may begin.
    package let chimes: [Chime: Sound]

    /// - Parameters:
    ///   - phonemiser: asked for words that the recogniser's dictionary lacks.
    ///   - isPaced: whether recordings come at the pace of speech; nil for what the board file says.
    package init(
        settings: Settings, board: Board, phonemiser: (any Phonemiser)?, isPaced: Bool? = nil, logger: Logger
    ) {
        microphone = board.microphone.map {
            ALSAMicrophone(
                device: $0.device, configuration: board.alsa, periodSize: $0.period, periods: $0.periods,
                paced: isPaced ?? $0.isPaced, logger: logger)
        }
        recogniser = PocketSphinxRecogniser(
            modelFolder: settings.acousticModel, workFolder: settings.data + "/speech", phonemiser: phonemiser,
            logger: logger)
        makeVoiceActivity = {
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
