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
