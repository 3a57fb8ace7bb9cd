import Copilot
import Foundation
import SignalProcessing
import SoundFiles

/// The audio chain and what it works with.
extension Assembly {
    /// The hearing that the board declares.
    func hearing() -> Hearing {
        let kept = settings.data + "/last-utterance.wav"
        if !settings.keepsLastUtterance { LastUtterance.remove(path: kept) }
        let recorder = LastUtterance(path: kept) { [logger] in logger.error("\($0)") }
        let hearing = Hearing(
            graph: board.audio, stages: [SignalStages()], recorder: settings.keepsLastUtterance ? recorder : nil
        ) { [logger] in
            do { return try SpeexVoiceActivity() } catch {
                logger.error("voice activity: \(error); loudness alone decides")
                return LoudnessVoiceActivity()
            }
        }
        return hearing
    }

    /// The conversation's settings: the owner's where he has set them, else the board's.
    func talk() -> ConversationSettings {
        var talk = settings.conversation
        board.audio.adopt(into: &talk.endpointer)
        if let threshold = settings.speechThreshold { talk.endpointer.threshold = threshold }
        if let silence = settings.minimumSilence { talk.endpointer.minimumSilence = silence }
        return talk
    }
}
