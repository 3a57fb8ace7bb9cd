import Copilot
import Foundation
import Logging
import Synchronization
import Threads

/// The vibration motor's thread: runs the motor for each pulse and always leaves it off, also when the program ends by
/// `exit` in the middle of a pulse.
final class MotorPump: @unchecked Sendable {
    // Unchecked: `pulses` and `isClosed` are guarded by `condition`; `thread` is set once in `init`.
    private let condition = NSCondition()
    private var pulses: [Haptic] = []
    private var isClosed = false
    private var thread: PumpThread?

    /// Starts the thread.
    /// - Throws: `GPIOError` when the line cannot be opened now; no thread is left behind.
    init(_ line: GPIOLine, logger: Logger) throws {
        let opening = Opening()
        let thread = PumpThread(name: "vanorb-motor") { [self] thread in run(thread, line, opening, logger) }
        self.thread = thread
        do {
            try opening.wait()
        } catch {
            thread.join()
            throw error
        }
        MotorsAtExit.add(self)
    }

    /// Pulses the motor, after those that were asked for before. More than four waiting are not felt apart and dropped.
    func pulse(_ haptic: Haptic) {
        condition.withLock {
            guard !isClosed, pulses.count < 4 else { return }
            pulses.append(haptic)
            condition.signal()
        }
    }

    /// Turns the motor off, ends the thread and waits for it. May be called again.
    func stop() {
        condition.withLock {
            isClosed = true
            pulses.removeAll()
            condition.broadcast()
        }
        thread?.stop()
        thread?.join()
        MotorsAtExit.remove(self)
    }

    private func next() -> Haptic? {
        condition.withLock {
            while pulses.isEmpty, !isClosed { condition.wait() }
            return pulses.isEmpty ? nil : pulses.removeFirst()
        }
    }

    private func run(_ thread: PumpThread, _ line: GPIOLine, _ opening: Opening, _ logger: Logger) {
        var handle: GPIOHandle?
        do {
            handle = try GPIOHandle(line, isOutput: true)
            opening.report(.success(()))
        } catch {
            return opening.report(.failure(error))
        }
        while let pulse = next() {
            do {
                let line = try handle ?? GPIOHandle(line, isOutput: true)
                handle = line
                try Self.run(pulse, line, thread)
            } catch {
                // The next pulse tries a fresh handle.
                handle = nil
                logger.error("vibration motor: \(error)")
            }
        }
    }

    private static func run(_ pulse: Haptic, _ handle: GPIOHandle, _ thread: PumpThread) throws {
        try handle.set(true)
        // `stop` ends the wait, and with it the pulse. Off comes before the handle closes: a Raspberry Pi's kernel
        // leaves a released line as it was.
        _ = thread.wait(until: Date(timeIntervalSinceNow: pulse.duration.seconds))
        try handle.set(false)
    }
}

/// Stops the motors when the program calls `exit` without having closed its panel.
private enum MotorsAtExit {
    private static let motors = Mutex<[ObjectIdentifier: MotorPump]>([:])
    private static let registration: Int32 = atexit(stopMotors)

    static func add(_ motor: MotorPump) {
        _ = registration
        motors.withLock { $0[ObjectIdentifier(motor)] = motor }
    }

    static func remove(_ motor: MotorPump) { _ = motors.withLock { $0.removeValue(forKey: ObjectIdentifier(motor)) } }

    static var all: [MotorPump] { motors.withLock { Array($0.values) } }
}

private func stopMotors() { MotorsAtExit.all.forEach { $0.stop() } }
