import Domain
import Foundation

/// Adds up the distance between fixes. It goes from anchor to anchor: a fix is used only once it is further from the
/// last used one than the receiver's error, so that standing still adds nothing.
struct DistanceMeter: Sendable {
    /// Metres so far.
    private(set) var metres = 0.0
    private var anchor: (position: Position, at: ContinuousClock.Instant)?

    /// The shortest distance that is added, and how many times the estimated error it must be.
    static let step = 25.0, certainty = 2.0
    /// The largest error of a fix that is used, metres.
    static let worst = 100.0
    /// Nothing on wheels is faster, metres a second.
    static let fastest = 70.0
    /// Slower is standing, metres a second: receivers report up to a walking pace at rest.
    static let standing = 0.7
    /// After a longer gap the van may have been on a ferry or a truck; measuring restarts there.
    static let gap = Duration.seconds(600)

    /// Takes a fix that arrived at `instant`.
    mutating func add(_ report: GPSDReport, at instant: ContinuousClock.Instant) {
        let error = report.position.uncertainty ?? 10
        guard error <= Self.worst else { return }
        guard let anchor, instant - anchor.at <= Self.gap else { return self.anchor = (report.position, instant) }
        if let speed = report.speed, speed < Self.standing {
            // Standing keeps the anchor, but not its time: an hour in a lay-by is not a gap.
            var position = anchor.position
            position.time = report.position.time
            self.anchor = (position, instant)
            return
        }
        let way = anchor.position.metres(to: report.position)
        guard way >= max(Self.step, Self.certainty * error) else { return }
        // By the receiver's clock: reports that waited in a queue arrive all at once.
        let elapsed = report.position.time.timeIntervalSince(anchor.position.time)
        let seconds = elapsed > 0 ? elapsed : (instant - anchor.at) / .seconds(1)
        // A jump is not added, neither there nor back.
        if way <= Self.fastest * max(seconds, 1) { metres += way }
        self.anchor = (report.position, instant)
    }
}
