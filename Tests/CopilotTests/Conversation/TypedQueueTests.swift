@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import StoreSQLite
import SystemTestKit
import Testing

/// Typed turns come one after the other; only a hand on the button, or `vanorb cancel`, takes one back.
@Suite struct TypedQueueTests {
    @Test func fiftyWhoTypeAtOnce_areAllAnswered() async throws {
        let talk = try await Talk(VanBench())
        let conversation = talk.conversation
        let outcomes = await withTaskGroup(of: TurnOutcome.self) { group in
            for number in 1...50 {
                group.addTask { await conversation.say("log diesel for £\(number)").outcome }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == .done }, "\(outcomes.count { $0 == .cancelled }) cancelled")
        #expect(try await talk.ledger.count == 50)
    }

    @Test func moreThanMayWait_areRefusedInWords() async throws {
        let gate = Gate(isOpen: false), stores = try SQLiteStore.inMemory().stores
        let talk = try await Talk(VanBench(stores: stores.budgetsHeld(at: gate)))
        let conversation = talk.conversation
        async let first = conversation.say("how much of the budget is left")
        try await gate.arrived()
        let waiting = (0..<TypedCommandQueue.limit).map { _ in
            Task { await conversation.say("how much of the budget is left") }
        }
        try await eventually("all wait") { await conversation.services.typedQueue.count == TypedCommandQueue.limit }
        let refused = await conversation.say("how much of the budget is left")
        #expect(refused.outcome == .failed)
        #expect(refused.reply.contains("Too many commands are waiting"))
        gate.open()
        #expect(await first.outcome == .done)
        for task in waiting { #expect(await task.value.outcome == .done) }
    }

    @Test func whoGoesAwayWhileHeWaits_withdrawsHisCommand() async throws {
        let gate = Gate(isOpen: false), stores = try SQLiteStore.inMemory().stores
        let talk = try await Talk(VanBench(stores: stores.budgetsHeld(at: gate)))
        let conversation = talk.conversation
        async let first = conversation.say("how much of the budget is left")
        try await gate.arrived()
        let waiting = Task { await conversation.say("log diesel for £5") }
        try await eventually("it waits") { await conversation.services.typedQueue.count == 1 }
        waiting.cancel()
        #expect(await waiting.value.outcome == .cancelled)
        gate.open()
        #expect(await first.outcome == .done)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test func aPress_dropsTheTurnUnderWay_andThoseThatWaitLetTheOwnerSpeak() async throws {
        let gate = Gate(isOpen: false), stores = try SQLiteStore.inMemory().stores
        let talk = try await Talk(VanBench(stores: stores.budgetsHeld(at: gate)), hears: [.hears([], then: .waiting)])
        let conversation = talk.conversation
        async let first = conversation.say("how much of the budget is left")
        try await gate.arrived()
        let waiting = Task { await conversation.say("log diesel for £5") }
        try await eventually("it waits") { await conversation.services.typedQueue.count == 1 }
        await talk.tap()
        gate.open()
        #expect(await first.outcome == .cancelled)
        #expect(await conversation.state == .listening)
        #expect(await conversation.services.typedQueue.count == 1)
        await conversation.cancel()
        #expect(await waiting.value.outcome == .done)
    }
}
