@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import StoreSQLite
import Synchronization
import SystemTestKit
import Testing

/// What is committed is reported as done, whatever comes after; what is not is not.
@Suite struct DroppedTurnTests {
    private static func talk(_ gate: Gate) async throws -> Talk {
        let stores = try SQLiteStore.inMemory().stores
        return try await Talk(VanBench(stores: stores.budgetsHeld(at: gate)), hears: [.hears([], then: .waiting)])
    }

    @Test(arguments: [true, false])
    func whatIsCommitted_isReportedAsDone_whenTheTurnIsDroppedBehindIt(isPress: Bool) async throws {
        let gate = Gate(isOpen: false), talk = try await Self.talk(gate)
        async let saying = talk.conversation.say("log diesel for £7.77")
        try await gate.arrived()
        #expect(try await talk.ledger.count == 1, "the entry is committed")
        if isPress { await talk.tap() } else { await talk.conversation.cancel() }
        gate.open()
        let trace = await saying
        #expect(trace.outcome == .done)
        #expect(!trace.effects.isEmpty)
        #expect(trace.source == "text")
        #expect(await talk.conversation.services.recorder.traces.last { $0.turn == 1 }?.outcome == .done)
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await talk.ledger.isEmpty, "what was done can be taken back")
    }

    @Test func ofTwoCommands_theFirstIsReported_whenTheTurnIsDroppedBehindIt() async throws {
        let gate = Gate(isOpen: false), talk = try await Self.talk(gate)
        async let saying = talk.conversation.say("log diesel for £7.77 and start a trip to France")
        try await gate.arrived()
        await talk.conversation.cancel()
        gate.open()
        let trace = await saying
        #expect(trace.outcome == .failed)
        #expect(trace.reply.hasSuffix("I've left the rest."), "\(trace.reply)")
        #expect(trace.effects.contains { $0.contains("ledger") }, "\(trace.effects)")
        #expect(try await talk.ledger.count == 1)
    }

    @Test func whatTookTooLong_andWasDoneAfterAll_isToldWithTheNextReply() async throws {
        let gate = Gate(isOpen: false), talk = try await Self.talk(gate)
        async let saying = talk.conversation.say("log diesel for £7.77")
        try await gate.arrived()
        try await talk.clock.sleeperRegistered(for: .seconds(10))
        talk.clock.advance(by: .seconds(10))
        try await talk.spoken("Sorry, that took too long.")
        try await talk.clock.sleeperRegistered(for: TurnRunner.settlingTime)
        talk.clock.advance(by: TurnRunner.settlingTime)
        let trace = await saying
        #expect(trace.outcome == .failed)
        #expect(trace.reply == "Sorry, that took too long. I can't tell whether it was done.")
        gate.open()
        try await eventually("the turn is known to be done") {
            await talk.conversation.services.recorder.traces.last { $0.turn == 1 }?.outcome == .done
        }
        let next = await talk.conversation.say("what's my balance")
        #expect(next.reply.contains("was done after all"), "\(next.reply)")
    }

    @Test func whatFailsBehindItsCommit_isReportedAsDone() async throws {
        struct BrokenBudgets: BudgetStore {
            let store: any BudgetStore
            func budgets() async throws -> [Budget] { throw StoreFailing() }
            func setBudget(_ budget: Budget) async throws {}
            func removeBudget(category: String?) async throws -> Bool { false }
        }
        struct StoreFailing: Error {}
        let stores = try SQLiteStore.inMemory().stores
        let talk = try await Talk(
            VanBench(stores: stores.with(budgets: BrokenBudgets(store: stores.budgets))),
            hears: [.hears([], then: .waiting)])
        let trace = await talk.conversation.say("log diesel for £7.77")
        #expect(trace.outcome == .done)
        #expect(!trace.reply.contains("Nothing was changed"))
        #expect(try await talk.ledger.count == 1)
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test func threeWhoTypeAtOnce_areAnsweredAsTheLedgerSays() async throws {
        let talk = try await Talk(VanBench()) { $0.autoSpeak = false }
        let conversation = talk.conversation
        let traces = await withTaskGroup(of: [(pence: Int64, TurnTrace)].self) { group in
            for client in 0..<3 {
                group.addTask {
                    await withTaskGroup(of: (pence: Int64, TurnTrace).self) { turns in
                        for number in 0..<40 {
                            let pounds = client * 40 + number + 1
                            turns.addTask {
                                (Int64(pounds * 100 + 77), await conversation.say("log diesel for £\(pounds).77"))
                            }
                        }
                        return await turns.reduce(into: []) { $0.append($1) }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let written = Set(try await talk.bench.stores.ledger.entries(limit: 500).map(\.amount.minorUnits))
        for (pence, trace) in traces {
            #expect((trace.outcome == .done) == written.contains(pence), "£\(pence): \(trace.outcome) \(trace.reply)")
            #expect(trace.outcome != .cancelled, "nobody pressed")
        }
        #expect(traces.count { $0.1.outcome == .done } >= TypedCommandQueue.limit)
    }
}

/// Budgets that are read only when the test lets them, and fail where the reader has been cancelled meanwhile: an entry
/// of the ledger is committed by then.
private struct LateBudgets: BudgetStore {
    let store: any BudgetStore
    let gate: Gate

    func budgets() async throws -> [Budget] {
        await gate.pass()
        try Task.checkCancellation()
        return try await store.budgets()
    }
    func setBudget(_ budget: Budget) async throws { try await store.setBudget(budget) }
    func removeBudget(category: String?) async throws -> Bool { try await store.removeBudget(category: category) }
}

extension Stores {
    /// The same stores with other budgets.
    func with(budgets: any BudgetStore) -> Stores {
        Stores(
            finance: FinanceStores(
                ledger: ledger, budgets: budgets, rates: rates),
            load: LoadStores(
                manifest: manifest, vehicle: vehicle),
            checklist: checklist, trips: trips,
            owner: OwnerStores(
                kept: kept, words: words, stars: stars),
            history: HistoryStores(
                journal: journal, times: times))
    }

    /// The same stores, whose budgets are read once the gate is open.
    func budgetsHeld(at gate: Gate) -> Stores { with(budgets: LateBudgets(store: budgets, gate: gate)) }
}
