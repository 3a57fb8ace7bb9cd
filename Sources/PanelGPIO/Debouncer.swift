import Domain

/// Turns the chatter of a contact into edges: a level counts once it has stood for the window. A spike shorter than
/// the window is nothing: in a van with pumps and relays, an edge that counted at once would press the button now and
/// then. The 5 ms are not felt, and an edge has the time at which the contact first moved, not that of the decision.
/// A value without a clock; times are on any scale that does not run back.
struct Debouncer {
    /// How long a level must stand where the kernel does not see to it.
    static let usualWindow: Duration = .milliseconds(5)

    private let window: Duration
    /// The position last reported.
    private(set) var isPressed: Bool
    private var seen: Bool
    private var changedAt: Duration?
    private var firstChange = Duration.zero

    /// A contact that is at rest in this position.
    init(isPressed: Bool, window: Duration = Self.usualWindow) {
        self.window = window
        self.isPressed = isPressed
        seen = isPressed
    }

    /// When the line should be looked at again, or nil while it is at rest.
    var settlesAt: Duration? { changedAt.map { $0 + window } }

    /// The contact chattered.
    /// - Returns: what it had settled in before, where nobody looked in time: on a busy machine a press and its release
    ///   are told at once, and must not count as a spike.
    mutating func changed(to isPressed: Bool, at time: Duration) -> (edge: ButtonEdge, time: Duration)? {
        var missed: (edge: ButtonEdge, time: Duration)?
        if let changedAt, time - changedAt >= window {
            self.changedAt = nil
            if seen != self.isPressed {
                self.isPressed = seen
                missed = (seen ? .pressed : .released, firstChange)
            }
        }
        if changedAt == nil { firstChange = time }
        seen = isPressed
        changedAt = time
        return missed
    }

    /// Looks at the line; call it at `settlesAt` or later.
    /// - Parameter level: the line's true level: the kernel's queue of edges is short, and may have lost the last one.
    /// - Returns: the edge and when the contact left its rest, if it has settled in a new position.
    mutating func settle(level: Bool, at time: Duration) -> (edge: ButtonEdge, time: Duration)? {
        guard let settlesAt, time >= settlesAt else { return nil }
        if level != seen {
            // The edge to this level was lost; what stood before it is not known to have stood.
            (seen, changedAt) = (level, time)
            return nil
        }
        changedAt = nil
        guard level != isPressed else { return nil }
        isPressed = level
        return (level ? .pressed : .released, firstChange)
    }
}
