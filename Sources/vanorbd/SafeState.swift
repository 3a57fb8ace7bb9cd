import AudioALSA
import Foundation
import Logging
import PanelGPIO
import Setup

/// What a daemon that was killed could not do any more: motor and ring off, other programs as loud as they were.
/// systemd runs it after each end of the service.
struct SafeState {
    let board: Board
    let settings: Settings
    let logger: Logger

    /// How long a line may still be held: the motor's helper lets it go when its pulse has ended.
    private static let patience = 20, pause = 0.1

    /// Does each part that it can, whatever becomes of the others.
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
