import Foundation
import Synchronization
import SystemTestKit
import Testing

@testable import Control

/// Watchers that come and go while events pour in.
///
/// Everything here that could be stuck runs on threads of its own: a task that blocks would take the test's own pool of
/// threads with it, and no time limit would end it.
@Suite(.serialized) struct WatchFloodTests {
    private static let limit = 60.0

    @Test func watchersThatComeAndGo_duringAFlood_doNotStopTheHub() async throws {
        let hub = WatchHub(capacity: 64)
        let isOver = Flag()
        let floods = Threads(2) { _ in
            var number = 0
            while !isOver.isSet {
                number += 1
                hub.publish(number % 50 == 0 ? .status("\(number)", state: .speaking) : .word("word", start: 0, end: 4))
            }
        }
        let watchers = Threads(3) { thread in
            for round in 0..<1_000 {
                let stream = hub.subscribe()
                let watching = Task { for try await _ in stream {} }
                // Some are gone before they have read anything, some in the middle of it.
                for _ in 0..<((round + thread) % 7 * 3) { sched_yield() }
                watching.cancel()
            }
        }
        let haveLeft = await watchers.end(within: Self.limit)
        #expect(haveLeft, "watchers that hang up and the hub wait for each other")
        isOver.set()
        let hasStopped = await floods.end(within: 5)
        #expect(hasStopped, "the hub no longer publishes")
        // The hub is not asked where it is known to hang: that would hang the test, too.
        guard haveLeft, hasStopped else { return }
        try await eventually("nobody watches") { hub.watcherCount == 0 }
    }
}

/// Some threads that do the same.
private final class Threads: Sendable {
    private let group = DispatchGroup()

    init(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
        for number in 0..<count {
            group.enter()
            Thread { [group] in
                body(number)
                group.leave()
            }.start()
        }
    }

    /// Waits for all of them.
    /// - Returns: false where one has not ended after so many seconds.
    func end(within seconds: Double) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread { [group] in
                continuation.resume(returning: group.wait(timeout: .now() + seconds) == .success)
            }.start()
        }
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
