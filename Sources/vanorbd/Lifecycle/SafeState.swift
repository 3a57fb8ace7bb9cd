import AudioALSA
import Foundation
import Logging
import PanelGPIO
import Setup

/// What a killed daemon could not do: turn motor and ring off, and restore other programs' volume.
/// systemd runs it after each end of the service.
struct SafeState {
    let board: Board
    let settings: Settings
    let logger: Logger

    /// How often a busy line is tried again: the motor's helper releases it when its pulse has ended.
    private static let patience = 20, pause = 0.1

    /// Does each part, whatever becomes of the others.
    func restore() {
        if let motor = board.motor { attempt("motor") { try motor.makeSafe() } }
        if let ring = board.ring { attempt("ring") { try ring.makeDark() } }
        for line in Ducker.restoreLeftovers(file: SoundMonitor.note(in: settings.run), configuration: board.alsa) {
            logger.error("still lowered: \(line)")
        }
    }

    private func attempt(_ part: String, _ body: () throws -> Void) {
        for attempt in 1... {
            do { return try body() } catch {
                guard attempt < Self.patience, (error as? GPIOError)?.code == EBUSY else {
                    return logger.error("\(part): \(error)")
                }
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
    }
}
