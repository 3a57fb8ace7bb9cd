import Domain
import Synchronization

/// A panel whose button the test presses, and which notes what it shows.
public final class FakePanel: Panel {
    /// What the panel was told.
    public enum Event: Sendable, Equatable {
        /// A look in some colours; a pulse.
        case look(RingLook, Palette), pulse(Haptic)
        /// The night's colours, or the day's.
        case night(Bool)
    }

    /// What it was told, without the loudness.
    public let journal = Journal<Event>("panel")
    /// The loudness of the blocks.
    public let loudnesses = Journal<Double>("loudness")
    private let button = Mutex<AsyncStream<TimedEdge>.Continuation?>(nil)

    /// A panel.
    public init() {}

    /// The edges that the test gives.
    public func edges() -> AsyncStream<TimedEdge> {
        let (stream, continuation) = AsyncStream.makeStream(of: TimedEdge.self)
        button.withLock { button in
            guard button == nil else { unexpected("Panel.edges, a second consumer") }
            button = continuation
        }
        return stream
    }

    /// Presses or releases the button.
    public func press(_ edge: ButtonEdge, at instant: ContinuousClock.Instant = .now) {
        guard let button = button.withLock({ $0 }) else { unexpected("a press before anybody follows the button") }
        button.yield(TimedEdge(edge, at: instant))
    }

    /// Takes the button away: its edges end.
    public func unplug() { button.withLock { $0 }?.finish() }

    /// Notes the look.
    public func show(_ look: RingLook, palette: Palette) { journal.note(.look(look, palette)) }
    /// Notes the loudness.
    public func loudness(_ level: Double) { loudnesses.note(level) }
    /// Notes the pulse.
    public func pulse(_ haptic: Haptic) { journal.note(.pulse(haptic)) }
    /// Notes night or day.
    public func setNight(_ isNight: Bool) { journal.note(.night(isNight)) }
}
