import Domain
import Foundation
import Logging
import Synchronization
import Threads

/// The vibration motor. A helper process holds its line, and ends a pulse even when this program is killed during it. A
/// helper that ends is restarted at once, which switches the motor off.
final class MotorPump: @unchecked Sendable {
    // Unchecked: `helper`, `waiting` and `isClosed` are guarded by `lock`; `thread` is set once in `init`.
    private let lock = NSLock()
    private var helper: MotorHelper?
    private var waiting = 0
    private var isClosed = false
    private var thread: PumpThread?

    /// Pulses that wait. More cannot be distinguished.
    private static let capacity = 4
    /// Between two attempts to open the line.
    private static let retryTime = 1.0

    /// Starts the helper and the thread that listens to it.
    /// - Throws: `GPIOError` when the line cannot be opened; no thread is left behind.
    init(_ motor: MotorConfiguration, logger: Logger) throws {
        let opening = Opening()
        let thread = PumpThread(name: "vanorb-motor") { [self] thread in run(thread, motor, opening, logger) }
        self.thread = thread
        do {
            try opening.wait()
        } catch {
            thread.join()
            throw error
        }
    }

    /// Pulses the motor, after earlier pulses. More than four waiting ones are dropped.
    func pulse(_ haptic: Haptic) {
        lock.withLock {
            guard let helper, !isClosed, waiting < Self.capacity else { return }
            waiting += 1
            helper.run(haptic.pattern.map { Int($0.milliseconds) })
        }
    }

    /// Turns the motor off and ends helper and thread. May be called again.
    func stop() {
        lock.withLock {
            isClosed = true
            helper?.hangUp()
        }
        thread?.stop()
        thread?.join()
    }

    /// The helper's process, while there is one.
    var process: pid_t? { lock.withLock { helper?.process } }

    /// How long its thread has shown no sign of life.
    var silence: Duration { thread?.silence() ?? .zero }

    private func run(_ thread: PumpThread, _ motor: MotorConfiguration, _ opening: Opening, _ logger: Logger) {
        var hasOpened = false
        while !thread.shouldStop {
            do {
                try follow(motor, thread) {
                    if hasOpened { logger.info("vibration motor is back") }
                    hasOpened = true
                    opening.report(.success(()))
                }
                guard !thread.shouldStop else { return }
                logger.warning("the motor's helper ended; starting it again")
            } catch {
                opening.report(.failure(error))
                guard hasOpened else { return }
                logger.error("vibration motor: \(error)")
                if thread.wait(until: Date(timeIntervalSinceNow: Self.retryTime)) { return }
            }
        }
    }

    /// Listens to one helper until it ends.
    private func follow(_ motor: MotorConfiguration, _ thread: PumpThread, onReady: () -> Void) throws {
        let helper = try MotorHelper(motor.helper, motor.arguments)
        // The child outlives its object only until it has switched off.
        defer { lock.withLock { self.helper = nil } }
        guard let first = helper.next() else { throw POSIXFailure("vanorb-motor", ECHILD) }
        if case .error(let code, let call) = first { throw motor.failure(call, code) }
        let isOpen = lock.withLock {
            if !isClosed { (self.helper, waiting) = (helper, 0) }
            return !isClosed
        }
        guard isOpen else { return }
        onReady()
        while let word = helper.next(idle: thread.beat) {
            // Under constant commands it is never idle.
            thread.beat()
            if word == .done { lock.withLock { waiting = max(0, waiting - 1) } }
        }
    }
}
