import Domain

/// Debounces a contact: a level is valid once it has been stable for the window. A spike shorter than
/// the window is ignored: in a van with pumps and relays, reporting every edge would press the button now and then. The
/// 5 ms are not felt, and an edge has the time at which the contact first moved, not that of the decision. Without a
/// clock; times are on any monotonic scale.
struct Debouncer {
    /// How long a level must be stable where the kernel does not debounce.
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

    /// When the line should be read again, or nil while it is at rest.
    var dueAt: Duration? { changedAt.map { $0 + window } }

    /// The contact chattered.
    /// - Returns: the edge that had become stable before, where it was not polled in time: on a busy machine a press
    ///   and its release arrive together, and must not be taken for a spike.
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

    /// Reads the line; call it at `dueAt` or later.
    /// - Parameter level: the line's true level: the kernel's queue of edges is short, and may have lost the last one.
    /// - Returns: the edge and when the contact left its rest, if it is stable in a new position.
    mutating func poll(level: Bool, at time: Duration) -> (edge: ButtonEdge, time: Duration)? {
        guard let dueAt, time >= dueAt else { return nil }
        if level != seen {
            // The edge to this level was lost; the level before it may not have been stable.
            (seen, changedAt) = (level, time)
            return nil
        }
        changedAt = nil
        guard level != isPressed else { return nil }
        isPressed = level
        return (level ? .pressed : .released, firstChange)
    }
}
