import Domain
import Logging
import RingRenderer
import Synchronization

/// Button and motor on GPIO lines through libgpiod, the ring on SPI; each on its own thread.
public final class GPIOPanel: Panel {
    private let outlet = EdgeOutlet()
    private let parts: Mutex<Parts>

    private struct Parts {
        var button: ButtonPump?
        var motor: MotorController?
        var ring: RingAnimator?
    }

    /// Starts every part that `configuration` names. A part that cannot be opened, or is lost later, is tried again
    /// once a second; the others work without it.
    /// - Parameter onState: called on the part's thread whenever a part's state has changed.
    public init(
        configuration: GPIOPanelConfiguration, logger: Logger,
        onState: @escaping @Sendable (PanelPart, PanelPartState) -> Void = { _, _ in }
    ) {
        let outlet = outlet
        func reporter(_ part: PanelPart) -> @Sendable (PanelPartState) -> Void {
            let reported = LastState()
            return { state in
                guard reported.changes(to: state) else { return }
                switch state {
                case .ok: logger.info("\(part.rawValue) is working")
                case .polled: logger.notice("the button's line reports no edges; polling it every 5 ms")
                case .failed(let problem): logger.error("\(part.rawValue): \(problem)")
                }
                onState(part, state)
            }
        }
        parts = Mutex(
            Parts(
                button: configuration.button.map { line in
                    ButtonPump(outlet: outlet, open: { try ButtonPump.source(line) }, onState: reporter(.button))
                },
                motor: configuration.motor.map { MotorController($0, logger: logger, onState: reporter(.motor)) },
                ring: configuration.ring.map { ring in
                    RingAnimator(
                        ring: Ring(count: ring.count, profile: ring.profile), open: { try ring.open() },
                        onState: reporter(.ring))
                }))
    }

    deinit { close() }

    /// The button's edges, from the call on. A second call ends the first one's stream.
    public func edges() -> AsyncStream<TimedEdge> { outlet.edges() }

    /// Shows `look` in the colours of `palette` from now on.
    public func show(_ look: RingLook, palette: Domain.Palette) {
        ring?.show(look.rendered, palette: palette.rendered)
    }

    /// Sets the loudness of the voice, 0…1.
    public func loudness(_ level: Double) { ring?.setLoudness(level) }

    /// Pulses the motor. Returns at once.
    public func pulse(_ haptic: Haptic) { parts.withLock { $0.motor }?.pulse(haptic) }

    /// Switches the ring's colours and brightness between night and day, from the next frame on.
    public func setNight(_ isNight: Bool) { ring?.setNight(isNight) }

    /// Changes the ring's limits of brightness and colour, from the next frame on; night stays as set.
    public func use(_ configuration: RingConfiguration) { ring?.use(configuration.profile) }

    /// Frames sent to the ring so far.
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

/// The last report of a part: a failure that repeats is reported once.
private final class LastState: Sendable {
    private let state = Mutex<PanelPartState?>(nil)

    func changes(to now: PanelPartState) -> Bool {
        state.withLock { state in
            defer { state = now }
            return state != now
        }
    }
}

extension RingLook {
    /// The same look for the renderer, which does not import Domain.
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

extension Domain.Palette {
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
