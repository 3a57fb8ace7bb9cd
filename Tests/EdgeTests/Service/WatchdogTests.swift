import Foundation
import Synchronization
import Testing
import Threads

/// Counts what a watchdog does.
private final class Kennel: Sendable {
    let fed = Mutex(0)
    let complaints = Mutex<[[String]]>([])

    func watchdog(_ signs: HeartbeatRegistry) -> Watchdog {
        Watchdog(loops: [signs], interval: .milliseconds(1)) {
            self.fed.withLock { $0 += 1 }
        } complain: { overdue in
            self.complaints.withLock { $0.append(overdue) }
        }
    }
}

/// A loop whose silence the test sets.
private final class SetLoop: Heartbeat {
    let loopName = "set"
    let patience: Duration?
    let quiet = Mutex(Duration.zero)

    init(patience: Duration?) { self.patience = patience }

    func silence() -> Duration { quiet.withLock { $0 } }
}

/// The actor that a stuck job blocks.
private actor Worker {
    let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: QueueExecutor) { self.executor = executor }

    func block(_ until: DispatchSemaphore) { until.wait() }
}

@Suite struct WatchdogTests {
    @Test func loopThatIsSilentForTooLong_stopsTheFeeding_andIsNamed() {
        let signs = HeartbeatRegistry(), loop = SetLoop(patience: .seconds(60)), kennel = Kennel()
        signs.add(loop)
        let watchdog = kennel.watchdog(signs)
        watchdog.look()
        #expect(kennel.fed.withLock { $0 } == 1)
        loop.quiet.withLock { $0 = .seconds(61) }
        watchdog.look()
        #expect(kennel.fed.withLock { $0 } == 1)
        #expect(kennel.complaints.withLock { $0 } == [["set (61 s)"]])
        loop.quiet.withLock { $0 = .zero }
        watchdog.look()
        #expect(kennel.fed.withLock { $0 } == 2)
    }

    @Test func loopWithoutPatience_mayBeSilentForEver() {
        let signs = HeartbeatRegistry(), loop = SetLoop(patience: nil)
        loop.quiet.withLock { $0 = .seconds(1_000_000) }
        signs.add(loop)
        #expect(signs.overdue().isEmpty)
    }

    @Test func loopThatIsGone_isAskedNoMore() {
        let signs = HeartbeatRegistry()
        do {
            let loop = SetLoop(patience: .zero)
            loop.quiet.withLock { $0 = .seconds(1) }
            signs.add(loop)
            #expect(signs.overdue() == ["set (1 s)"])
        }
        #expect(signs.overdue().isEmpty)
    }

    @Test func threadStuckInACall_isOverdue_untilItGoesOn() async {
        let signs = HeartbeatRegistry(), stuck = DispatchSemaphore(value: 0)
        let isIn = AsyncStream.makeStream(of: Void.self)
        let thread = PumpThread(name: "stuck", patience: .zero, signs: signs) { thread in
            isIn.continuation.yield()
            stuck.wait()
            isIn.continuation.yield()
            // Waiting in `wait` is a sign of life.
            _ = thread.wait(until: Date(timeIntervalSinceNow: 600))
        }
        var steps = isIn.stream.makeAsyncIterator()
        await steps.next()
        #expect(signs.overdue().count == 1)
        stuck.signal()
        await steps.next()
        await poll { signs.overdue().isEmpty }
        thread.stop()
        thread.join()
        #expect(signs.overdue().isEmpty)
    }

    @Test func queueStuckInAJob_isOverdue_untilItIsDone() async {
        let signs = HeartbeatRegistry(), stuck = DispatchSemaphore(value: 0)
        let executor = QueueExecutor(label: "queue", patience: .zero, signs: signs)
        let worker = Worker(executor)
        // The first look asks; an idle queue has answered by the next.
        #expect(signs.overdue().isEmpty)
        async let blocked: Void = worker.block(stuck)
        await poll { !signs.overdue().isEmpty }
        #expect(signs.overdue().first?.hasPrefix("queue (") == true)
        stuck.signal()
        await blocked
        await poll { signs.overdue().isEmpty }
    }

    @Test func askedLoopThatDoesNotAnswer_isOverdue_andIsAskedOnce() async {
        let asked = Mutex(0), answer = AsyncStream.makeStream(of: Void.self)
        let loop = ProbedHeartbeat("actor", patience: .zero) {
            asked.withLock { $0 += 1 }
            for await _ in answer.stream { return }
        }
        let signs = HeartbeatRegistry(asking: [loop])
        #expect(signs.overdue().isEmpty)
        await poll { !signs.overdue().isEmpty }
        for _ in 0..<10 { _ = signs.overdue() }
        await poll { asked.withLock { $0 } == 1 }
        answer.continuation.yield()
        await poll { signs.overdue().isEmpty }
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 10.0), (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 10),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ] as [([String: String], Double?)])
    func intervalIsAThirdOfTheLimit_whereTheWatchdogIsMeantForThisProcess(
        environment: [String: String], seconds: Double?
    ) {
        #expect(Watchdog.interval(environment: environment, process: 7) == seconds.map { .seconds($0) })
    }

    /// Yields until the condition holds; the test's time limit bounds it.
    private func poll(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }
}

@Suite struct RealTimePriorityTests {
    @Test func priorityThatIsRefused_isTold_andTheThreadGoesOn() {
        let priority = RealTimePriority { EPERM }
        priority.take()
        #expect(priority.refusal == nil, "nobody wanted it yet")
        priority.want()
        priority.take()
        #expect(priority.refusal == EPERM)
    }

    @Test func priorityThatIsGrantedLater_isNoLongerRefused() {
        let code = Mutex(EPERM)
        let priority = RealTimePriority { code.withLock { $0 } }
        priority.want()
        priority.take()
        code.withLock { $0 = 0 }
        priority.take()
        #expect(priority.refusal == nil)
    }
}
