import RingRenderer

/// The ring of a board.
public struct RingConfiguration: Sendable, Equatable {
    /// Where the ring's bytes go.
    public enum Wire: Sendable, Equatable {
        /// APA102 or SK9822 LEDs on a SPI device such as `/dev/spidev0.0`, at most `hertz` bits a second.
        case spi(device: String, hertz: UInt32 = 4_000_000)
        /// The same bytes in a file that holds the newest frame: the stand-in of a virtual board, which has no SPI.
        case file(String)
    }

    /// The number of LEDs, at least 1.
    public var count: Int
    /// Where the bytes go.
    public var wire: Wire
    /// Brightness and night colours at the start.
    public var profile: Profile

    /// A ring of `count` LEDs.
    public init(count: Int, wire: Wire, profile: Profile = Profile()) {
        self.count = count
        self.wire = wire
        self.profile = profile
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
