import Domain
import Control
import Synchronization

/// The panel, with its loudness and night published to watchers, which would otherwise show on the ring only.
final class WatchedPanel: Panel {
    /// Between two loudnesses: a screen draws no faster, and a recording is heard faster than it lasts.
    private static let pause = Duration.milliseconds(50)

    private let panel: any Panel
    private let hub: WatchHub
    private let lastLevel = Mutex<ContinuousClock.Instant?>(nil)

    init(_ panel: any Panel, hub: WatchHub) {
        self.panel = panel
        self.hub = hub
    }

    func edges() -> AsyncStream<TimedEdge> { panel.edges() }

    func show(_ look: RingLook, palette: Palette) { panel.show(look, palette: palette) }

    func pulse(_ haptic: Haptic) { panel.pulse(haptic) }

    func loudness(_ level: Double) {
        panel.loudness(level)
        let isDue = lastLevel.withLock { last in
            let now = ContinuousClock.now
            if let last, now - last < Self.pause { return false }
            last = now
            return true
        }
        if isDue { hub.publish(.level(level)) }
    }

    func setNight(_ isNight: Bool) {
        panel.setNight(isNight)
        hub.publish(.night(isNight))
    }
}
