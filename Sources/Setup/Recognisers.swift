import AudioALSA
import AudioPipeline
import Dialogue
import Domain
import Foundation
import Language
import Logging
import SignalProcessing
import SoundFiles
import SpeechMoonshine
import SpeechPocketSphinx
import VoiceActivitySilero
import OnnxRuntime

/// What hears on a board, from its file and the settings. The daemon and the measuring tool share it, so that what is
/// measured is what ships.
package struct Recognisers: Sendable {
    /// The microphone; nil where the board has none.
    package let microphone: ALSAMicrophone?
    /// The streaming recogniser, which is always there.
    package let streamingRecogniser: PocketSphinxRecogniser
    /// What hears: the streaming recogniser, or both as one.
    package let recogniser: any Recogniser
    /// Why the constrained recogniser is not there; nil where it is.
    package let missing: String?
    /// Loads the voice activity's model; nil where the board wants none.
    package let voiceActivity: SileroLoader?
    /// The audio chain that the board declares, and what it works with.
    package let hearing: Hearing
    /// The chimes' sounds; how long the first lasts counts for where speech may begin.
    package let chimes: [Chime: Sound]

    /// What the recognisers need to know about words.
    package struct Words {
        let normaliser: Normaliser, phonemiser: (any Phonemiser)?

        /// - Parameters:
        ///   - normaliser: decides whether both recognisers heard the same.
        ///   - phonemiser: asked for words that the recogniser's dictionary lacks.
        package init(normaliser: Normaliser, phonemiser: (any Phonemiser)?) {
            (self.normaliser, self.phonemiser) = (normaliser, phonemiser)
        }
    }

    /// Removes a kept utterance where the owner keeps none any more.
    /// - Parameters:
    ///   - trial: tries the constrained recogniser's library and model in another process, and is given the outcome;
    ///     for a program that must stay up, which tries the streaming recogniser's model so, too. Nil loads them at
    ///     once.
    ///   - isPaced: whether recordings come at the pace of speech; nil for what the board file says.
    /// - Throws: `OnnxError` where the settings demand the constrained recogniser, it is not there, and there is
    ///   no `trial`.
    package init(
        settings: Settings, board: Board, words: Words, isPaced: Bool? = nil,
        trial: ConstrainedRecogniserTrial? = nil, logger: Logger
    ) throws {
        let (normaliser, phonemiser) = (words.normaliser, words.phonemiser)
        microphone = board.microphone.map {
            ALSAMicrophone(
                device: $0.device, configuration: board.alsa,
                settings: CaptureSettings(
                    format: board.audio.microphone, periodSize: $0.period, periods: $0.periods,
                    isPaced: isPaced ?? $0.isPaced),
                logger: logger)
        }
        streamingRecogniser = PocketSphinxRecogniser(
            SphinxFiles(
                model: settings.acousticModel, work: settings.data + "/speech", shipped: settings.vocabulary,
                trials: trial == nil ? nil : .ofThisProgram(settings)),
            phonemiser: phonemiser, didRelease: { ProcessFacts.giveBackMemory() }, logger: logger)
        (recogniser, missing) = try Self.both(streamingRecogniser, settings, normaliser, trial, logger)
        voiceActivity = Self.voiceActivity(settings, board, isTried: trial != nil)
        let kept = settings.data + "/last-utterance.wav"
        if !settings.keepsLastUtterance { LastUtterance.remove(path: kept) }
        let recorder = LastUtterance(path: kept) { logger.error("\($0)") }
        hearing = Hearing(
            graph: board.audio, stages: [SignalStages()], recorder: settings.keepsLastUtterance ? recorder : nil
        ) { [voiceActivity] in
            let simple = Self.simpleVoiceActivity(logger)
            return voiceActivity.map { loader in
                SileroVoiceActivity(loader, fallback: simple) { error in
                    logger.error("voice activity: \(error); using speexdsp's from now on")
                }
            } ?? simple
        }
        // A tool waits for it; a daemon loads it beside the rest of its start.
        if trial == nil {
            do { try voiceActivity?.load() } catch { logger.warning("voice activity by speexdsp: \(error)") }
        }
        chimes = [
            .start: ChimeSynthesiser.chime(.start), .end: ChimeSynthesiser.chime(.end),
            .error: ChimeSynthesiser.chime(.error),
        ]
    }
}

extension Recognisers {
    private static func voiceActivity(_ settings: Settings, _ board: Board, isTried: Bool) -> SileroLoader? {
        guard board.audio.voiceDetector == .silero else { return nil }
        let folder = settings.constrainedRecogniser
        guard isTried else { return SileroLoader(folder: folder) }
        let tried = Trials.ofThisProgram(
            "voice-activity", data: settings.data, [Trials.voiceActivity, folder])
        return SileroLoader(folder: folder) { try tried.check($0) }
    }

    /// speexdsp's, and where even that fails, how loud it is.
    private static func simpleVoiceActivity(_ logger: Logger) -> any VoiceActivityDetector {
        do { return try SpeexVoiceActivity() } catch {
            logger.error("voice activity: \(error); falling back to loudness")
            return LoudnessVoiceActivity()
        }
    }

    /// Both recognisers as one where the second is installed and wanted.
    private static func both(
        _ first: PocketSphinxRecogniser, _ settings: Settings, _ normaliser: Normaliser,
        _ trial: ConstrainedRecogniserTrial?,
        _ logger: Logger
    ) throws -> (any Recogniser, missing: String?) {
        guard settings.engine != .pocketsphinx else { return (first, "recogniser.engine is pocketsphinx") }
        func both(_ second: any UtteranceRecogniser) -> RecogniserCascade {
            RecogniserCascade(
                first: first, second: second, judge: TranscriptSelector { normaliser.normalise($0).text },
                deadline: .init(settings.constrainedRecogniserLimit),
                didRelease: { ProcessFacts.giveBackMemory() }, logger: logger)
        }
        if let trial {
            if let file = VerifiedMoonshine.missing(in: settings.constrainedRecogniser) {
                return (
                    first, "there is no \(settings.constrainedRecogniser)/\(file). Get it with deploy/second-ear"
                )
            }
            return (
                both(VerifiedMoonshine(folder: settings.constrainedRecogniser, trial: trial.run, onLoad: trial.onLoad)),
                nil
            )
        }
        do { return (both(try MoonshineRecogniser(folder: settings.constrainedRecogniser)), nil) } catch
            where settings.engine == .auto
        {
            return (first, "\(error)")
        }
    }
}

/// How the constrained recogniser's library and model are tried before they are loaded: what is damaged in them may end
/// the process.
package struct ConstrainedRecogniserTrial: Sendable {
    let run: @Sendable (String) throws -> Void
    let onLoad: @Sendable ((any Error)?) -> Void

    /// The option with which a program calls `here`.
    package static let option = "--try-constrained-recogniser"

    /// A trial by a process of the program that is running.
    /// - Parameter onLoad: called once, with nil, or why the constrained recogniser is not used.
    package static func ofThisProgram(onLoad: @escaping @Sendable ((any Error)?) -> Void) -> ConstrainedRecogniserTrial
    {
        ConstrainedRecogniserTrial(
            run: { folder in
                do { try TrialProcess.runThisProgram([option, folder]) } catch let failure as TrialFailure {
                    throw OnnxError(
                        call: "trial", detail: "\(failure). Get it again with deploy/second-ear")
                }
            }, onLoad: onLoad)
    }

    /// Tries it in this process, which may end by it.
    package static func here(_ folder: String) throws {
        TrialProcess.prepare()
        try MoonshineTrial.run(folder: folder)
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

/// Stands in where the voice-activity library fails: loud is voice.
final class LoudnessVoiceActivity: VoiceActivityDetector {
    func speechProbability(of samples: [Int16]) -> Double { Loudness.level(of: samples) > 0.4 ? 0.9 : 0.1 }
    func reset() {}
}
