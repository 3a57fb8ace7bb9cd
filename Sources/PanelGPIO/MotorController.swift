import Domain
import Foundation
import Logging
import Synchronization
import Threads

/// Starts the motor whenever its line appears. Earlier pulses are dropped.
final class MotorController: Sendable {
    private let pump: Pump
    private let thread: PumpThread

    private final class Pump: Sendable {
        let motor = Mutex<MotorPump?>(nil)
    }

    /// Starts with attempts once a second.
    init(_ motor: MotorConfiguration, logger: Logger, onState: @escaping @Sendable (PanelPartState) -> Void) {
        let pump = Pump()
        self.pump = pump
        thread = PumpThread(name: "vanorb-motor-on") { thread in
            repeat {
                do {
                    let started = try MotorPump(motor, logger: logger)
                    pump.motor.withLock { $0 = started }
                    onState(.ok)
                    return
                } catch {
                    onState(.failed("\(error)"))
                }
            } while !thread.wait(until: Date(timeIntervalSinceNow: 1))
        }
    }

    /// Pulses the motor. Returns at once.
    func pulse(_ haptic: Haptic) { pump.motor.withLock { $0 }?.pulse(haptic) }

    /// Turns the motor off and releases its line.
    func stop() {
        thread.stop()
        thread.join()
        pump.motor.withLock { $0 }?.stop()
    }
}
