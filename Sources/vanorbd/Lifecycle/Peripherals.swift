import AudioALSA
import Dialogue
import Dispatch
import Domain
import Foundation
import Language
import Logging
import PanelGPIO
import Setup
import SpeechPocketSphinx
import VoiceActivitySilero
import VoiceESpeak

/// Builder 4 of 5: what VanOrb hears, speaks and shows itself with.
struct Peripherals: Sendable {
    let voice: ESpeakVoice
    let recognisers: Recognisers
    let speaker: ALSASpeaker?
    /// The panel, whose changes watchers are sent as well.
    let panel: WatchedPanel
    /// The board's own panel; nil for a recorded one.
    let gpioPanel: GPIOPanel?
    let sound: SoundMonitor

    init(_ environment: DaemonEnvironment, _ books: Phrasebooks) throws {
        let settings = environment.settings, board = environment.board, logger = environment.logger
        let voiceData = Trials.ofThisProgram("voice", data: settings.data, [Trials.voice, settings.language])
        voice = ESpeakVoice(
            order: books.speaking.voices, trial: { try voiceData.check(TriedFiles.files(in: $0)) }, logger: logger)
        recognisers = try Recognisers(
            settings: settings, board: board, words: .init(normaliser: books.normaliser, phonemiser: voice),
            trial: .ofThisProgram { Self.reportTrial($0, environment) }, logger: logger)
        Self.report(recognisers, environment)
        Self.load(recognisers.voiceActivity, environment)
        let own = Self.panel(environment)
        gpioPanel = own as? GPIOPanel
        panel = WatchedPanel(own, hub: environment.hub)
        sound = SoundMonitor(environment)
        speaker = board.speaker.map {
            ALSASpeaker(
                media: $0.media, speech: $0.speech, configuration: board.alsa,
                buffering: .init(periodSize: $0.period, bufferSize: $0.buffer, isPaced: $0.isPaced), logger: logger)
        }
    }

    private static let constrained = "constrained recogniser"

    /// Reports whether both recognisers are there.
    private static func report(_ recognisers: Recognisers, _ environment: DaemonEnvironment) {
        let health = environment.health, settings = environment.settings
        guard let missing = recognisers.missing else {
            guard !environment.isCheck else { return }
            return health.report(
                constrained, .ok, "being checked; the streaming recogniser decides alone meanwhile")
        }
        let isRequired = settings.engine == .moonshine
        let isInstalled = FileManager.default.fileExists(atPath: settings.constrainedRecogniser)
        let isBroken = isRequired || settings.engine != .pocketsphinx && isInstalled
        health.report(
            constrained, isRequired ? .failed : isBroken ? .warning : .ok,
            "\(isBroken ? "unusable" : "not installed"), the streaming recogniser decides alone: \(missing)",
            advice: isBroken ? "Download its files again: deploy/second-ear" : nil)
    }

    /// Reports whether the constrained recogniser has joined.
    private static func reportTrial(_ failure: (any Error)?, _ environment: DaemonEnvironment) {
        let health = environment.health
        guard let failure else { return health.report(constrained, .ok, "ready") }
        environment.logger.error("constrained recogniser not used: \(failure)")
        health.report(
            constrained, .warning, "unusable, the streaming recogniser decides alone: \(failure)",
            advice: "Download its files again (deploy/second-ear), then restart: sudo systemctl restart vanorb")
    }

    private static let activity = "voice activity"

    /// Loads the voice activity's model beside the rest of the start, and reports whether it is there.
    private static func load(_ loader: SileroLoader?, _ environment: DaemonEnvironment) {
        let health = environment.health, folder = environment.settings.constrainedRecogniser
        guard let loader else { return health.report(activity, .ok, "by speexdsp, as the board file wants") }
        if let file = SileroLoader.missing(in: folder) {
            let isInstalled = FileManager.default.fileExists(atPath: folder)
            return health.report(
                activity, isInstalled ? .warning : .ok, "by speexdsp: there is no \(folder)/\(file)",
                advice: isInstalled ? "Download the files again: deploy/second-ear" : nil)
        }
        guard !environment.isCheck else { return }
        health.report(activity, .ok, "being checked; by speexdsp meanwhile")
        let logger = environment.logger
        // Hashing and the trial block.
        DispatchQueue.global(qos: .utility).async {
            do {
                try loader.load()
                health.report(activity, .ok, "ready")
            } catch {
                logger.error("voice activity by speexdsp: \(error)")
                health.report(
                    activity, .warning, "by speexdsp: \(error)",
                    advice: "Download the files again (deploy/second-ear), then restart: sudo systemctl restart vanorb")
            }
        }
    }

    /// Every part of the panel may be missing, and is opened once it is there.
    private static func panel(_ environment: DaemonEnvironment) -> any Panel {
        let board = environment.board, health = environment.health
        if environment.isCheck { return RecordedPanel() }
        if board.isRecorded {
            health.report("panel", .ok, "recorded (\(board.name))")
            return RecordedPanel()
        }
        let wanted = GPIOPanelConfiguration(
            button: board.button, motor: board.motor, ring: environment.settings.ring(of: board))
        for (part, isThere) in [
            (PanelPart.button, wanted.button != nil), (.motor, wanted.motor != nil), (.ring, wanted.ring != nil),
        ] {
            health.report(part.rawValue, .ok, isThere ? "not opened yet" : "not on this board")
        }
        return GPIOPanel(configuration: wanted, logger: environment.logger) { part, state in
            switch state {
            case .ok: health.report(part.rawValue, .ok, "ready")
            case .polled: health.report(part.rawValue, .ok, "ready; polled, as its line reports no edges")
            case .failed(let problem):
                health.report(
                    part.rawValue, .failed, problem, advice: "Check the wiring and the board file: vanorbd --check")
            }
        }
    }
}
