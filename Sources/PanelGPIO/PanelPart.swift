import Foundation

/// A part of the panel.
public enum PanelPart: String, Sendable, CaseIterable {
    /// The button.
    case button
    /// The vibration motor.
    case motor
    /// The ring of LEDs.
    case ring
}

/// The state of a part of the panel.
public enum PanelPartState: Sendable, Equatable {
    /// It works.
    case ok
    /// It works, but its line is polled, as it cannot report edges.
    case polled
    /// It cannot be opened or was lost, and why; it is tried again once a second.
    case failed(String)
}

/// Passes the result of opening a device from the thread that uses it to the one that requested it.
final class Opening: @unchecked Sendable {
    // Unchecked: `outcome` is guarded by `condition`.
    private let condition = NSCondition()
    private var outcome: Result<Void, any Error>?

    /// Called by the thread; only the first call has an effect.
    func report(_ outcome: Result<Void, any Error>) {
        condition.withLock {
            if self.outcome == nil { self.outcome = outcome }
            condition.broadcast()
        }
    }

    /// Waits for the thread's first report and throws what it met.
    func wait() throws {
        try condition.withLock {
            while true {
                if let outcome { return try outcome.get() }
                condition.wait()
            }
        }
    }
}

/// What of the panel a board has; what is nil does nothing.
public struct GPIOPanelConfiguration: Sendable, Equatable {
    /// The button.
    public var button: GPIOLine?
    /// The vibration motor.
    public var motor: MotorConfiguration?
    /// The ring.
    public var ring: RingConfiguration?

    /// A panel of these parts.
    public init(button: GPIOLine? = nil, motor: MotorConfiguration? = nil, ring: RingConfiguration? = nil) {
        self.button = button
        self.motor = motor
        self.ring = ring
    }
}
