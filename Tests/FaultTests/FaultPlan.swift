import Synchronization

/// What stands between the core and the world, call by call.
enum Seam: String, Sendable, CaseIterable {
    case store, bus, microphone, speaker, synthesiser, recogniser, panel, position, clock, files
    case secondRecogniser = "second recogniser"

    /// What may happen to its calls. The panel's return at once by their contract: only somebody may press meanwhile.
    var kinds: [Fault.Kind] {
        switch self {
        case .bus: Fault.Kind.allCases
        case .panel: [.isCancelledBefore]
        case .clock: [.fails, .neverReturns]
        case .files: [.fails]
        default: Fault.Kind.allCases.filter { $0 != .losesAnswer }
        }
    }
}

/// One thing that goes wrong.
struct Fault: Sendable, CustomStringConvertible {
    enum Kind: String, Sendable, CaseIterable {
        /// The seam's own error, and nothing is done.
        case fails
        /// It is done, and then the seam's own error: a connection that is lost before the acknowledgement.
        case losesAnswer = "loses the answer"
        /// The owner cancels the turn as the call begins, or as it has just been done.
        case isCancelledBefore = "is cancelled before"
        case isCancelledAfter = "is cancelled after"
        /// Suspends until the end of the test, whoever cancels; or until the calling task is cancelled.
        case neverReturns = "never returns"
        case waitsForCancellation = "returns only when cancelled"

        var isCancelled: Bool { self == .isCancelledBefore || self == .isCancelledAfter }
        var hangs: Bool { self == .neverReturns || self == .waitsForCancellation }
    }

    /// Whether it may last. A press for each thing that the panel shows would be answered by the next thing shown.
    static func persistences(of seam: Seam) -> [Bool] { seam == .panel ? [false] : [false, true] }

    let seam: Seam
    /// Of the seam's calls, from 1.
    let number: Int
    let kind: Kind
    /// True where all calls of the seam from that one on fare alike.
    let lasts: Bool

    var description: String { "\(seam.rawValue) call \(number) \(kind.rawValue), \(lasts ? "for ever" : "once")" }
}

/// Counts the calls of all seams, and lets the fault befall those that it is meant for.
final class FaultPlan: Sendable {
    /// A call of a seam.
    struct Call: Sendable, Equatable {
        let seam: Seam, number: Int, name: String
    }

    private struct State: Sendable {
        var counts: [Seam: Int] = [:]
        var calls: [Call] = []
        var fired: [Call] = []
        var isLifted = false, isOver = false
        /// Calls under way, without those that are held.
        var running = 0
        /// Counts what begins and ends, so that one can see that nothing moves any more.
        var movements = 0
        var held: [Int: CheckedContinuation<Void, Never>] = [:]
        var cancelled: Set<Int> = []
        var nextHeld = 0
        var interrupt: (@Sendable () async -> Void)?
    }

    let fault: Fault?
    private let state = Mutex(State())

    init(_ fault: Fault?) { self.fault = fault }

    /// What a cancellation by the owner does.
    func onInterrupt(_ body: (@Sendable () async -> Void)?) { state.withLock { $0.interrupt = body } }

    var calls: [Call] { state.withLock { $0.calls } }
    /// The calls that the fault befell.
    var fired: [Call] { state.withLock { $0.fired } }
    var running: Int { state.withLock { $0.running } }
    var movements: Int { state.withLock { $0.movements } }
    /// How many calls are held and have not returned.
    var held: Int { state.withLock { $0.held.count } }

    /// No call fares ill from now on; those that are held stay so.
    func lift() { state.withLock { $0.isLifted = true } }

    /// The test is over: what is held ends with an error, without having done anything.
    func release() {
        let held = state.withLock { state in
            state.isOver = true
            state.isLifted = true
            defer { state.held = [:] }
            return state.held.values
        }
        for continuation in held { continuation.resume() }
    }

    private func arrive(_ seam: Seam, _ name: String) -> Fault.Kind? {
        state.withLock { state in
            state.movements += 1
            state.counts[seam, default: 0] += 1
            let call = Call(seam: seam, number: state.counts[seam] ?? 0, name: name)
            state.calls.append(call)
            guard !state.isLifted, let fault, fault.seam == seam,
                fault.lasts ? call.number >= fault.number : call.number == fault.number
            else { return nil }
            state.fired.append(call)
            return fault.kind
        }
    }

    private func move(_ running: Int) {
        state.withLock { state in
            state.running += running
            state.movements += 1
        }
    }

    /// Makes a call, or lets it fare ill.
    /// - Parameter waits: true for what waits for the world as long as that takes; it does not count as under way.
    func call<Value: Sendable>(
        _ seam: Seam, _ name: String, _ trouble: any Error, waits: Bool = false, _ body: () async throws -> Value
    ) async throws -> Value {
        let kind = arrive(seam, name), weight = waits ? 0 : 1
        move(weight)
        defer { move(-weight) }
        switch kind {
        case nil: return try await body()
        case .fails: throw trouble
        case .losesAnswer:
            _ = try await body()
            throw trouble
        case .isCancelledBefore:
            await interrupt()
            return try await body()
        case .isCancelledAfter:
            let value = try await body()
            await interrupt()
            return value
        case .neverReturns, .waitsForCancellation:
            move(-weight)
            await hold(untilCancelled: kind == .waitsForCancellation)
            move(weight)
            throw CancellationError()
        }
    }

    /// Sleeps, or fares ill; who sleeps counts as moving only as it begins and ends.
    func timer(_ name: String, _ trouble: any Error, _ body: () async throws -> Void) async throws {
        switch arrive(.clock, name) {
        case .fails: throw trouble
        case .neverReturns:
            await hold(untilCancelled: true)
            throw CancellationError()
        default: try await body()
        }
    }

    /// Makes a call that cannot throw; where it fares ill, `otherwise` is its answer.
    func quietCall<Value: Sendable>(
        _ seam: Seam, _ name: String, otherwise: Value, _ body: () async -> Value
    ) async -> Value {
        do { return try await call(seam, name, CancellationError()) { await body() } } catch { return otherwise }
    }

    /// Notes a call that returns at once.
    /// - Returns: true where it is to fail.
    func brief(_ seam: Seam, _ name: String) -> Bool {
        guard let kind = arrive(seam, name) else { return false }
        guard kind != .fails else { return true }
        move(1)
        Task {
            await interrupt()
            move(-1)
        }
        return false
    }

    private func interrupt() async { await state.withLock { $0.interrupt }?() }

    private func hold(untilCancelled: Bool) async {
        let number = state.withLock { state in
            state.nextHeld += 1
            return state.nextHeld
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isOver || state.cancelled.remove(number) != nil { return true }
                    state.held[number] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            guard untilCancelled else { return }
            let continuation = state.withLock { state in
                let continuation = state.held.removeValue(forKey: number)
                if continuation == nil { state.cancelled.insert(number) }
                return continuation
            }
            continuation?.resume()
        }
    }
}
