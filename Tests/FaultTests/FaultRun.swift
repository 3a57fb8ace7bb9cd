@testable import Dialogue
import CopilotTestKit
import Foundation
import Synchronization

/// What a turn reported and what came of it.
struct TurnRecord: Sendable {
    let line: FaultLine
    /// What its owner was told; nil where the turn did not end within its limits.
    let trace: TurnTrace?
    let changes: [String]
    let published: [FakeBus.Publication]
    /// True where the fault had struck by its end.
    let isStruck: Bool
}

/// A scene with a fault, or without.
struct FaultRun: Sendable {
    let fault: Fault?
    let calls: [FaultPlan.Call]
    let fired: [FaultPlan.Call]
    let turns: [TurnRecord]
    /// What is wrong beside the turns.
    let troubles: [String]

    /// How long a run may take by the machine's clock; only one that is stuck takes that long.
    private static let limit = Duration.seconds(90)

    private final class Outcome: Sendable {
        let result = Mutex<Result<FaultRun, any Error>?>(nil)
    }

    /// Plays a scene. A run that is stuck is left behind, and says so.
    /// - Parameter patience: how long nothing may move before the clock is moved on; too short on a busy machine, what
    ///   takes long seems to hang.
    static func play(
        _ scene: FaultScene, _ fault: Fault?, patience: Duration = .milliseconds(20)
    ) async throws -> FaultRun {
        let outcome = Outcome(), plan = FaultPlan(fault)
        Task {
            do {
                let run = try await play(scene, plan, patience)
                outcome.result.withLock { $0 = .success(run) }
            } catch { outcome.result.withLock { $0 = .failure(error) } }
        }
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if let result = outcome.result.withLock({ $0 }) { return try result.get() }
            try await ContinuousClock().sleep(for: .milliseconds(2))
        }
        let last = plan.calls.last.map { "\($0.seam.rawValue) \($0.name)" } ?? "none"
        plan.release()
        return FaultRun(
            fault: fault, calls: plan.calls, fired: plan.fired, turns: [],
            troubles: ["the run is stuck; its last call: \(last)"])
    }

    private static func play(_ scene: FaultScene, _ plan: FaultPlan, _ patience: Duration) async throws -> FaultRun {
        weak var leaked: Conversation?
        var run: FaultRun
        do {
            let assembly = try await VanAssembly(scene, plan, patience: patience)
            leaked = assembly.conversation
            run = try await FaultPlay(scene, assembly).play()
        }
        let deadline = ContinuousClock.now + .seconds(5)
        while leaked != nil, ContinuousClock.now < deadline {
            try? await ContinuousClock().sleep(for: .milliseconds(1))
        }
        if leaked != nil { run = run.with("something still holds the conversation") }
        return run
    }

    private func with(_ trouble: String) -> FaultRun {
        FaultRun(fault: fault, calls: calls, fired: fired, turns: turns, troubles: troubles + [trouble])
    }
}

/// Plays one scene on one assembly.
private struct FaultPlay {
    let scene: FaultScene
    let van: VanAssembly

    init(_ scene: FaultScene, _ van: VanAssembly) {
        self.scene = scene
        self.van = van
    }

    func play() async throws -> FaultRun {
        let seeded = try await van.rows()
        try await van.start()
        var turns: [TurnRecord] = [], troubles: [String] = []
        for line in scene.lines {
            let turn = try await take(line)
            turns.append(turn)
            if turn.trace == nil { break }
        }
        if !(await van.settle()) { troubles.append("after the turns: state \(await van.conversation.state)") }
        let calls = van.plan.calls
        if turns.last?.trace != nil { troubles += try await probe() }
        troubles += try await quiet(from: seeded)
        return FaultRun(
            fault: van.plan.fault, calls: calls, fired: van.plan.fired, turns: turns, troubles: troubles)
    }

    // MARK: turns

    private func take(_ line: FaultLine) async throws -> TurnRecord {
        let before = try await van.rows(), published = van.published.count
        let trace = await trace(of: line)
        let settled = await van.settle()
        return TurnRecord(
            line: line, trace: settled ? trace : nil, changes: try await van.rows().changes(since: before),
            published: Array(van.published.dropFirst(published)), isStruck: !van.plan.fired.isEmpty)
    }

    private func trace(of line: FaultLine) async -> TurnTrace? {
        let conversation = van.conversation
        switch line {
        case .typed(let text): return await answer { await conversation.say(text) }
        case .undo: return await answer { await conversation.services.typed.undo(isConfirmed: true) }
        case .recording(let text):
            van.room.say(text)
            return await answer { await conversation.hear(.recording(path: "test")) }
        case .spoken(let text):
            let isAsked = await conversation.state == .listening
            let last = await conversation.lastTurn, number = isAsked ? last : last + 1
            van.room.say(text)
            if !isAsked {
                van.clock.advance(by: .milliseconds(500))
                await conversation.press(.pressed)
                van.clock.advance(by: .milliseconds(50))
                await conversation.press(.released)
            }
            guard await van.wait({ await conversation.services.recorder.traces.contains { $0.turn == number } }) else {
                return nil
            }
            _ = await van.settle()
            // The owner hears the reply; what was recorded in the end is what the trace shows.
            return await conversation.services.recorder.traces.last { $0.turn == number }
        }
    }

    /// What comes of a call of the conversation; nil where it does not return within its limits.
    private func answer(_ body: @escaping @Sendable () async -> TurnTrace?) async -> TurnTrace? {
        let box = Box()
        Task {
            let trace = await body()
            box.value.withLock { $0 = trace }
            box.isOver.withLock { $0 = true }
        }
        _ = await van.wait { box.isOver.withLock { $0 } }
        return box.value.withLock { $0 }
    }

    private final class Box: Sendable {
        let value = Mutex<TurnTrace?>(nil)
        let isOver = Mutex(false)
    }

    // MARK: afterwards

    private static let blocked =
        "Something I was saving before has not finished, so I've changed nothing. Try again in a moment."

    /// Once the fault is gone, all works again.
    private func probe() async throws -> [String] {
        van.plan.lift()
        van.plan.onInterrupt(nil)
        await van.conversation.cancel()
        guard await van.settle() else { return ["the fault is gone: state \(await van.conversation.state)"] }
        var troubles: [String] = []
        let time = await answer { [conversation = van.conversation] in await conversation.say("what time is it") }
        if time?.outcome != .done { troubles.append("the next turn: \(time.map { $0.reply } ?? "no answer")") }
        _ = await van.settle()
        let probe = scene.probe
        var turn = try await take(.typed(probe))
        if let trace = turn.trace, trace.reply == Self.blocked, turn.changes.isEmpty, turn.published.isEmpty {
            // A change that never ends keeps its place. It is said, and over as soon as the call returns.
            van.plan.release()
            turn = try await take(.typed(probe))
        }
        if turn.trace?.outcome != .done {
            troubles.append("then “\(probe)”: \(turn.trace.map { "\($0.outcome), \($0.reply)" } ?? "no answer")")
        } else if turn.changes.isEmpty, turn.published.isEmpty {
            troubles.append("then “\(probe)”: said to be done, and nothing was")
        }
        return troubles
    }

    /// Nothing comes later, and everything can be taken back.
    private func quiet(from seeded: Rows) async throws -> [String] {
        var troubles: [String] = []
        let rows = try await van.rows(), published = van.published.count
        van.clock.advance(by: .seconds(300))
        van.plan.onInterrupt(nil)
        van.plan.release()
        _ = await van.settle()
        let late = try await van.rows().changes(since: rows)
        if !late.isEmpty { troubles.append("written later: \(late)") }
        let sent = van.published.dropFirst(published)
        if !sent.isEmpty { troubles.append("published later: \(sent.map(\.topic))") }
        if !(await van.stop()) { troubles.append("it does not end") }
        let journal = van.store.stores.journal
        _ = try await journal.seal("the rest")
        for change in try await journal.changes(limit: 50) where try await !journal.revert(change.id) {
            troubles.append("cannot be taken back: \(change.description)")
        }
        var left = try await van.rows(), start = seeded
        left.tables["kept_value"] = nil
        start.tables["kept_value"] = nil
        let rest = left.changes(since: start)
        if !rest.isEmpty { troubles.append("left when all was taken back: \(rest)") }
        return troubles
    }
}

extension Conversation {
    /// The number of the turn under way or the last one.
    var lastTurn: Int { machine.turn }
}
