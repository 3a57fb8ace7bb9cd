import Domain
import Foundation
import Synchronization
import SystemTestKit
import Testing

@testable import PanelGPIO

/// The button's thread on a line that the test moves.
@Suite struct ButtonPumpTests {
    /// A line whose edges the test gives, with their times.
    private final class FakeSource: ButtonSource, @unchecked Sendable {
        struct Lost: Error {}

        // Unchecked: all is guarded by `condition`.
        private let condition = NSCondition()
        private var edges: [(isActive: Bool, at: ContinuousClock.Instant)] = []
        private var level = false
        private var isLost = false
        let isDebounced = false

        func give(_ isActive: Bool, at instant: ContinuousClock.Instant) {
            condition.withLock {
                edges.append((isActive, instant))
                condition.signal()
            }
        }

        func lose() {
            condition.withLock {
                isLost = true
                condition.signal()
            }
        }

        func isActive() -> Bool { condition.withLock { level } }

        func edge(within timeout: Duration) throws -> (isActive: Bool, at: ContinuousClock.Instant)? {
            let deadline = Date(timeIntervalSinceNow: timeout / .seconds(1))
            return try condition.withLock {
                while edges.isEmpty, !isLost, condition.wait(until: deadline) {}
                if isLost { throw Lost() }
                guard !edges.isEmpty else { return nil }
                level = edges[0].isActive
                return edges.removeFirst()
            }
        }
    }

    @Test func edges_haveTheTimeOfTheContact_notThatOfTheThread() async throws {
        let source = FakeSource(), outlet = EdgeOutlet(), edges = outlet.edges()
        let pump = ButtonPump(outlet: outlet, open: { source }, onState: { _ in })
        defer { pump.stop() }
        // Longer after the pump's start than the press is old; what lies before the start has the start's time.
        let instant = ContinuousClock.now + .seconds(1)
        source.give(true, at: instant)
        var seen = edges.makeAsyncIterator()
        #expect(await seen.next() == TimedEdge(.pressed, at: instant))
    }

    @Test func lostLine_isOpenedAgain_andTheHeldButtonIsReleased() async throws {
        let outlet = EdgeOutlet(), edges = outlet.edges()
        let sources = [FakeSource(), FakeSource()], states = Mutex<[PanelPartState]>([])
        let opened = Mutex(0)
        let pump = ButtonPump(
            outlet: outlet,
            open: {
                sources[
                    min(
                        1,
                        opened.withLock { count in
                            defer { count += 1 }
                            return count
                        })]
            },
            onState: { state in states.withLock { $0.append(state) } })
        defer { pump.stop() }
        sources[0].give(true, at: .now)
        var seen = edges.makeAsyncIterator()
        #expect(await seen.next()?.edge == .pressed)
        sources[0].lose()
        #expect(await seen.next()?.edge == .released)
        try await eventually("it is back") { states.withLock { $0 } == [.ok, .failed("Lost()"), .ok] }
    }

    @Test func missingLine_isTriedUntilItIsThere() async throws {
        let tries = Mutex(0), states = Mutex<[PanelPartState]>([])
        let pump = ButtonPump(
            outlet: EdgeOutlet(),
            open: {
                let count = tries.withLock { count in
                    count += 1
                    return count
                }
                if count == 1 { throw FakeSource.Lost() }
                return FakeSource()
            },
            onState: { state in states.withLock { $0.append(state) } })
        defer { pump.stop() }
        try await eventually("it is there") { states.withLock { $0 } == [.failed("Lost()"), .ok] }
    }

    @Test func lineWithoutEdges_isPolled_andDebouncedAlike() async throws {
        let level = Mutex(false), states = Mutex<[PanelPartState]>([])
        let outlet = EdgeOutlet(), edges = outlet.edges()
        let pump = ButtonPump(
            outlet: outlet, open: { try PolledSource { level.withLock { $0 } } },
            onState: { state in states.withLock { $0.append(state) } })
        defer { pump.stop() }
        try await eventually("it is polled") { states.withLock { $0 } == [.polled] }
        var seen = edges.makeAsyncIterator()
        level.withLock { $0 = true }
        #expect(await seen.next()?.edge == .pressed)
        level.withLock { $0 = false }
        #expect(await seen.next()?.edge == .released)
    }

    @Test func lineThatMayOnlyLackEdges_isToldFromAMissingChip() {
        let line = GPIOLine(chip: "gpiochip0", place: .offset(3))
        for code in [EINVAL, ENXIO, EOPNOTSUPP] {
            #expect(GPIOError(call: "gpiod_line_request", code: code, line: line).mayLackEdges)
            #expect(!GPIOError(call: "gpiod_chip_open", code: code, line: line).mayLackEdges)
        }
        #expect(!GPIOError(call: "gpiod_line_request", code: EBUSY, line: line).mayLackEdges)
    }

    @Test func kernelsStamp_isAMomentOnTheProgramsClock() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        let age = KernelTime.instant(of: now - 300_000_000).duration(to: .now)
        #expect(age >= .milliseconds(300) && age < .seconds(20))
        // The time of day, as old kernels stamp with, lies decades ahead; so much is no age.
        #expect(KernelTime.instant(of: now * 1_000).duration(to: .now) < .seconds(20))
        #expect(KernelTime.instant(of: 0).duration(to: .now) < .seconds(20))
    }

    @Test func createAndDestroy_fiftyTimes_survives() {
        for _ in 0..<50 {
            let pump = ButtonPump(outlet: EdgeOutlet(), open: { FakeSource() }, onState: { _ in })
            pump.stop()
            pump.stop()
        }
    }
}
