import Foundation
import RingRenderer
import Threads

/// The ring's thread: 30 frames per second while the picture moves, none while it is static. A lost ring is reopened
/// once a second.
final class RingAnimator: @unchecked Sendable {
    // Unchecked: `scene`, `loudness`, `hasChanged`, `isStopping`, `frames` and `ring` are guarded by `condition`;
    // `shownLoudness` and `pace` belong to the thread; `thread` is set once in `init`.
    private let condition = NSCondition()
    private var scene: Scene
    private var loudness = 0.0
    private var hasChanged = true
    private var isStopping = false
    private var frames = 0
    private var ring: Ring
    private var shownLoudness = 0.0
    private var pace = FramePace()
    private var thread: PumpThread?
    private let start = ContinuousClock.now
    /// Seconds that the thread sleeps while the picture is static.
    private static let stillness = 10.0

    /// Starts the thread.
    /// - Parameters:
    ///   - open: makes the driver, on the thread.
    ///   - onState: called on the thread when the ring starts or stops working.
    init(
        ring: Ring, open: @escaping @Sendable () throws -> any RingDriver,
        onState: @escaping @Sendable (PanelPartState) -> Void = { _ in }
    ) {
        self.ring = ring
        scene = Scene(at: 0)
        thread = PumpThread(name: "vanorb-ring") { [self] thread in run(thread, open, onState) }
    }

    /// Frames sent so far.
    var frameCount: Int { condition.withLock { frames } }

    /// Shows a look from now on.
    func show(_ look: Look, palette: RingRenderer.Palette) {
        change { scene.show(look, palette: palette, at: now) }
    }

    /// The voice's loudness, 0…1. It moves the arc with the next frame and causes no frame.
    func setLoudness(_ level: Double) { condition.withLock { loudness = level } }

    /// Switches between the colours and brightness of night and day.
    func setNight(_ isNight: Bool) { change { ring.profile.isNight = isNight } }

    /// Changes the limits of brightness and colour; night stays as set.
    func use(_ profile: Profile) {
        change {
            let isNight = ring.profile.isNight
            ring.profile = profile
            ring.profile.isNight = isNight
        }
    }

    /// Turns the ring off, ends the thread and waits for it. May be called again.
    func stop() {
        change { isStopping = true }
        thread?.stop()
        thread?.join()
    }

    private var now: Double { start.duration(to: .now) / .seconds(1) }

    private func change(_ body: () -> Void) {
        condition.withLock {
            body()
            hasChanged = true
            condition.broadcast()
        }
    }

    private func run(
        _ thread: PumpThread, _ open: () throws -> any RingDriver, _ onState: (PanelPartState) -> Void
    ) {
        repeat {
            do {
                let driver = try open()
                condition.withLock { hasChanged = true }
                onState(.ok)
                try animate(driver, on: thread)
                return
            } catch {
                onState(.failed("\(error)"))
            }
        } while !thread.wait(until: Date(timeIntervalSinceNow: 1))
    }

    private func animate(_ driver: any RingDriver, on thread: PumpThread) throws {
        while let pixels = nextFrame(thread) {
            let before = FramePace.processorTime
            try driver.write(pixels)
            if let share = driver.processorShare { pace.took(FramePace.processorTime - before, share: share) }
            condition.withLock { frames += 1 }
        }
        try driver.write(Array(repeating: .black, count: ring.count))
    }

    /// Waits until a frame is due.
    /// - Returns: its pixels, or nil at the end.
    private func nextFrame(_ thread: PumpThread) -> [RGB8]? {
        condition.withLock {
            thread.beat()
            if !ring.isStatic(scene) {
                let due = Date(timeIntervalSinceNow: pace.interval - now.truncatingRemainder(dividingBy: pace.interval))
                while !isStopping, condition.wait(until: due) {}
            } else {
                // Woken at intervals, to show the watchdog that it is alive.
                while !isStopping, !hasChanged {
                    if !condition.wait(until: Date(timeIntervalSinceNow: Self.stillness)) { thread.beat() }
                }
            }
            if isStopping { return nil }
            hasChanged = false
            // Loudness rises at once and falls over a third of a second, so that the arc does not flutter.
            shownLoudness = max(loudness, shownLoudness - 0.1)
            return ring.pixels(scene, at: now, loudness: shownLoudness)
        }
    }
}
