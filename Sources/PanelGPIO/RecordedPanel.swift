import Domain
import Synchronization

/// What a panel without hardware was asked to do.
public enum PanelEvent: Sendable, Equatable {
    /// The ring was to show this look in these colours.
    case look(RingLook, Domain.Palette)
    /// The motor was to pulse.
    case pulse(Haptic)
    /// The ring was to have its night's colours, or the day's.
    case night(Bool)
}

/// The panel of the virtual board: no hardware. Edges come from `inject`; what is shown and pulsed is recorded.
public final class RecordedPanel: Panel {
    /// Events kept; the oldest go first.
    public static let capacity = 1_000

    private struct Record {
        var events: [PanelEvent] = []
        var loudness = 0.0
    }

    private let outlet = EdgeOutlet()
    private let record = Mutex(Record())
    private let onEvent: (@Sendable (PanelEvent) -> Void)?

    /// A panel that reports to `onEvent`, which is called on the thread that shows or pulses and must not wait.
    public init(onEvent: (@Sendable (PanelEvent) -> Void)? = nil) { self.onEvent = onEvent }

    /// What was shown and pulsed, oldest first, at most `capacity`.
    public var recorded: [PanelEvent] { record.withLock { $0.events } }

    /// The last loudness, 0…1.
    public var lastLoudness: Double { record.withLock { $0.loudness } }

    /// Presses or releases the button.
    public func inject(_ edge: ButtonEdge) { outlet.yield(TimedEdge(edge, at: .now)) }

    /// The injected edges, from the call on. A second call ends the first one's stream.
    public func edges() -> AsyncStream<TimedEdge> { outlet.edges() }

    /// Records the look.
    public func show(_ look: RingLook, palette: Domain.Palette) { add(.look(look, palette)) }

    /// Keeps the loudness; not an event, as there are thirty per second.
    public func loudness(_ level: Double) { record.withLock { $0.loudness = level } }

    /// Records the pulse.
    public func pulse(_ haptic: Haptic) { add(.pulse(haptic)) }

    /// Records night or day.
    public func setNight(_ isNight: Bool) { add(.night(isNight)) }

    private func add(_ event: PanelEvent) {
        record.withLock { record in
            if record.events.count >= Self.capacity { record.events.removeFirst() }
            record.events.append(event)
        }
        onEvent?(event)
    }
}
