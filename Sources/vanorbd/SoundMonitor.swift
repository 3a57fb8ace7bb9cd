import AudioALSA
import Foundation
import Logging

/// Sees to the sound cards' volumes: what an earlier process left lowered, and the outputs' own controls.
struct SoundMonitor: Sendable {
    /// Lowers other programs' audio; nil where the board file names nothing to lower.
    let ducker: Ducker?
    private let outputs: OutputVolumes
    private let note: String
    private let alsa: ALSAConfiguration
    private let logger: Logger

    /// The file that says what is lowered, in the run-time folder.
    static func note(in run: String) -> String { run + "/ducked.json" }

    /// Touches nothing yet.
    init(assembly: Assembly) {
        let mixer = assembly.board.speaker?.mixer, health = assembly.health
        let note = Self.note(in: assembly.settings.run)
        self.note = note
        alsa = assembly.board.alsa
        logger = assembly.logger
        outputs = OutputVolumes(mixer?.outputs ?? [], configuration: alsa, health: health)
        ducker = mixer.flatMap { mixer in
            mixer.ducking.isEmpty
                ? nil
                : Ducker(
                    mixer.ducking, file: note, configuration: assembly.board.alsa, health: health,
                    logger: assembly.logger)
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
