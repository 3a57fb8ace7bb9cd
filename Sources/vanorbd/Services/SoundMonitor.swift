import AudioALSA
import Foundation
import Logging

/// The sound cards' volumes: what an earlier process left lowered, and the outputs' own controls.
struct SoundMonitor: Sendable {
    /// Lowers other programs' audio; nil where the board file names nothing to lower.
    let ducker: Ducker?
    private let outputs: OutputVolumes
    private let note: String
    private let alsa: ALSAConfiguration
    private let logger: Logger

    /// The file that says what is lowered, in the run-time folder.
    static func note(in run: String) -> String { run + "/ducked.json" }

    /// Opens nothing yet.
    init(_ environment: DaemonEnvironment) {
        let mixer = environment.board.speaker?.mixer, health = environment.health
        let note = Self.note(in: environment.settings.run), alsa = environment.board.alsa
        self.note = note
        self.alsa = alsa
        logger = environment.logger
        outputs = OutputVolumes(mixer?.outputs ?? [], configuration: alsa, health: health)
        ducker = mixer.flatMap { mixer in
            guard !mixer.ducking.isEmpty else { return nil }
            return Ducker(
                mixer.ducking, file: note, configuration: alsa, health: health, logger: environment.logger)
        }
    }

    /// Gives back what an earlier process left lowered, sets the outputs' own volumes, and looks whether all controls
    /// are there. Before the first turn.
    func begin() {
        for line in Ducker.restoreLeftovers(file: note, configuration: alsa) {
            logger.warning("still lowered: \(line)")
        }
        outputs.setUp()
        ducker?.check()
    }
}
