import Domain

/// Notes what it is asked to do.
public final class FakeDucking: Ducking {
    /// What it can be asked.
    public enum Call: Sendable, Equatable { case duck, restore }
    /// What it was asked.
    public let journal = Journal<Call>("ducking")

    /// Has not been asked anything.
    public init() {}

    /// Notes it.
    public func duck() { journal.note(.duck) }
    /// Notes it.
    public func restore() { journal.note(.restore) }
    /// Does nothing: what is noted is done.
    public func settled() async {}
}
