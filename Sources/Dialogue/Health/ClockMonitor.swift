import Domain
import Foundation
import Logging

/// Watches the clock until it is known to be right, then sets right what was dated before.
public struct ClockMonitor: Sendable {
    private let clock: BoardClock
    private let stores: Stores
    private let health: Health
    private let logger: Logger

    /// Between two looks at the clock, and between two tries to repair.
    public static let pause = Duration.seconds(5)
    /// Keeps the boot in which the clock was last known to be right, for a restart of the program.
    static let keptKey = "clock.certain_boot"

    /// A keeper of `clock`.
    public init(clock: BoardClock, stores: Stores, health: Health, logger: Logger) {
        self.clock = clock
        self.stores = stores
        self.health = health
        self.logger = logger
    }

    /// Looks before the first command: a clock known before a restart of the program is known still.
    public func begin() async {
        let reading = clock.reading
        if !reading.isCertain, !reading.boot.isEmpty,
            let known = try? await stores.kept.value(Self.keptKey), known == reading.boot
        {
            clock.vouch()
        }
        report()
    }

    /// Follows the clock until everything is right, or the task is cancelled.
    public func run(clock time: any Clock<Duration> = ContinuousClock()) async {
        while await !look() {
            guard (try? await time.sleep(for: Self.pause)) != nil else { return }
        }
        // A command under way as the clock became known may have written its date after the repair.
        guard (try? await time.sleep(for: Self.pause)) != nil else { return }
        _ = await look()
    }

    /// One look at the clock.
    /// - Returns: true when it is known to be right and nothing of this boot is left to repair.
    package func look() async -> Bool {
        let reading = clock.reading
        guard reading.isCertain else { return false }
        do {
            let count = try await stores.times.repair()
            if count > 0 { logger.notice("the clock is set; \(count) entries were dated anew") }
            try await remember(reading.boot)
            let older = try await stores.times.uncertain().older
            if older > 0 {
                health.announcements.add(
                    Announcement(
                        Announcement.uncertainEntries, replyKey: "store.uncertain", values: ["count": "\(older)"]))
            }
            report()
            return true
        } catch is StoreLost {
            // Nothing was written that could be wrong, and nothing will be.
            report()
            return true
        } catch {
            let problem = "set, but entries made before could not be dated anew: \(error)"
            guard !health.all.contains(where: { $0.detail == problem }) else { return false }
            logger.error("the clock is \(problem)")
            health.report("clock", .warning, problem, advice: "it is tried again every few seconds")
            return false
        }
    }

    private func remember(_ boot: String) async throws {
        guard !boot.isEmpty, try await stores.kept.value(Self.keptKey) != boot else { return }
        try await stores.kept.set(Self.keptKey, to: boot)
    }

    private func report() {
        if clock.isCertain {
            health.report("clock", .ok, "set")
        } else {
            health.report(
                "clock", .warning, "not known to be right yet; new entries are marked as uncertain",
                advice: "connect the board to a network for a moment, or name its clock chip in the board file (rtc)")
        }
    }
}
