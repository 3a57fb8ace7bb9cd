@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import StoreSQLite
import Testing

/// A change that does not end keeps its place, and nobody waits for it for ever.
@Suite struct ChangeQueueTests {
    private static let blocked =
        "Something I was saving before has not finished, so I've changed nothing. Try again in a moment."

    /// A van whose store never answers a certain question until the gate is opened, and that is asked it.
    private func stuck(_ gate: Gate) async throws -> (talk: Talk, typed: Task<Reply, any Error>) {
        let stores = try SQLiteStore.inMemory().stores, talk = try await Talk(VanBench(stores: stores))
        let typed = Task {
            try await talk.conversation.services.typed.change(of: "finance") {
                await gate.pass()
                return Reply("Done.", effects: ["something"])
            }
        }
        try await gate.arrived()
        return (talk, typed)
    }

    @Test func aTurnBehindAChangeThatDoesNotEnd_isRefusedInWords_andNothingIsWritten() async throws {
        let gate = Gate(isOpen: false), (talk, typed) = try await stuck(gate)
        async let saying = talk.conversation.say("log diesel for £7.77")
        try await talk.clock.sleeperRegistered(for: ChangeCoordinator.patience)
        talk.clock.advance(by: ChangeCoordinator.patience)
        let trace = await saying
        #expect(trace.outcome == .failed)
        #expect(trace.reply == Self.blocked)
        async let undoing = talk.conversation.undo()
        try await talk.clock.sleeperRegistered(for: ChangeCoordinator.patience)
        talk.clock.advance(by: ChangeCoordinator.patience)
        #expect(await undoing.reply == Self.blocked)
        gate.open()
        _ = await typed.result
        #expect(try await talk.ledger.isEmpty, "what was refused is not written later")
        #expect(await talk.conversation.say("log diesel for £7.77").outcome == .done)
    }

    @Test func aTurnThatIsDroppedWhileItWaits_isCancelled_andTheOneBehindItIsNot() async throws {
        let gate = Gate(isOpen: false), (talk, typed) = try await stuck(gate)
        async let dropped = talk.conversation.say("log diesel for £7.77")
        try await talk.clock.sleeperRegistered(for: ChangeCoordinator.patience)
        await talk.conversation.cancel()
        #expect(await dropped.outcome == .cancelled)
        async let next = talk.conversation.say("log diesel for £8.88")
        gate.open()
        _ = await typed.result
        #expect(await next.outcome == .done)
        #expect(try await talk.ledger.map(\.amount.minorUnits) == [888])
    }

    @Test func whoTypesAChangeThatDoesNotEnd_isToldThatNobodyKnows() async throws {
        let gate = Gate(isOpen: false), (talk, typed) = try await stuck(gate)
        try await talk.clock.sleeperRegistered(for: .seconds(15))
        talk.clock.advance(by: .seconds(15))
        await #expect(throws: TypedRefusal("I can't tell whether it was done.")) { try await typed.value }
        gate.open()
        // The next is taken once the one before has ended.
        #expect(await talk.conversation.say("log diesel for £7.77").outcome == .done)
    }
}
