import Copilot
import Logging
import RingRenderer
import Synchronization

/// Button and motor on GPIO lines through libgpiod, the ring on SPI; each on a thread of its own.
public final class GPIOPanel: Panel {
    private let outlet = EdgeOutlet()
    private let parts: Mutex<Parts>

    private struct Parts {
        var button: ButtonPump?
        var motor: MotorPump?
        var ring: RingAnimator?
    }

    /// Opens every part that `configuration` names. A part that is lost later is tried again once a second.
    /// - Throws: `GPIOError` for button or motor, `SPIError` for the ring, when it cannot be opened; nothing stays open
    ///   then. To go on without that part, leave it out of the configuration.
    public init(configuration: GPIOPanelConfiguration, logger: Logger) throws {
        var opened = Parts()
        do {
            let outlet = outlet
            opened.button = try configuration.button.map { try ButtonPump($0, outlet: outlet, logger: logger) }
            opened.motor = try configuration.motor.map { try MotorPump($0, logger: logger) }
            opened.ring = try configuration.ring.map { ring in
                try RingAnimator(ring: Ring(count: ring.count, profile: ring.profile), logger: logger) {
                    try ring.open()
                }
            }
        } catch {
            Self.close(opened)
            throw error
        }
        parts = Mutex(opened)
    }

    deinit { close() }

    /// The button's edges, from the call on. A second call ends the first one's stream.
    public func edges() -> AsyncStream<ButtonEdge> { outlet.edges() }

    /// Shows `look` in the colours of `palette` from now on.
    public func show(_ look: RingLook, palette: Copilot.Palette) {
        ring?.show(look.rendered, palette: palette.rendered)
    }

    /// Tells the ring how loud the voice is, 0…1.
    public func loudness(_ level: Double) { ring?.setLoudness(level) }

    /// Pulses the motor. Returns at once.
    public func pulse(_ haptic: Haptic) { parts.withLock { $0.motor }?.pulse(haptic) }

    /// Gives the ring its night's colours and brightness, or the day's, from the next frame on.
    public func setNight(_ isNight: Bool) { ring?.setNight(isNight) }

    /// Frames that the ring was sent so far.
    public var frameCount: Int { ring?.frameCount ?? 0 }

    /// Ends the threads, turns motor and ring off and releases all lines. Takes at most a quarter of a second; may be
    /// called again. A closed panel does nothing.
    public func close() {
        let open = parts.withLock { parts in
            defer { parts = Parts() }
            return parts
        }
        Self.close(open)
        outlet.finish()
    }

    private var ring: RingAnimator? { parts.withLock { $0.ring } }

    private static func close(_ parts: Parts) {
        parts.button?.stop()
        parts.motor?.stop()
        parts.ring?.stop()
    }
}

extension RingLook {
    /// The same look for the renderer, which knows nothing of the core.
    var rendered: Look {
        switch self {
        case .closed: .closed
        case .ready: .ready
        case .listening: .listening
        case .thinking: .thinking
        case .speaking: .speaking
        case .muted: .muted
        case .fault: .fault
        case .diskNearlyFull: .diskNearlyFull
        case .noBroker: .noBroker
        }
    }
}

extension Copilot.Palette {
    /// The same palette for the renderer.
    var rendered: RingRenderer.Palette {
        switch self {
        case .standard: .default
        case .finance: .finance
        case .van: .van
        case .manifest: .manifest
        case .emergency: .emergency
        }
    }
}
