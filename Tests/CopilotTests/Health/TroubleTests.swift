@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import Synchronization
import Testing

/// Which part's failing the ring shows.
@Suite struct TroubleJudgeTests {
    private func part(_ name: String, _ state: PartHealth.State) -> PartHealth {
        PartHealth(name: name, state: state, detail: "", advice: nil)
    }

    @Test(arguments: ["microphone", "microphone signal", "recogniser", "speaker", "voice", "store"])
    func neededPartThatFailed_isAFault(name: String) {
        var judge = TroubleJudge()
        #expect(judge.judge([part(name, .warning)], at: .zero).trouble == nil)
        #expect(judge.judge([part("disk", .warning), part(name, .failed)], at: .zero).trouble == .fault)
        #expect(judge.judge([part(name, .ok)], at: .zero).trouble == nil)
    }

    @Test func partThatCanBeDoneWithout_isNoFault() {
        var judge = TroubleJudge()
        let parts = ["button", "ring", "motor", "position", "classifier", "phrasebook coffee"].map { part($0, .failed) }
        #expect(judge.judge(parts, at: .zero).trouble == nil)
    }

    @Test func fullDisk_isWorseThanALostBroker() {
        var judge = TroubleJudge()
        let lost = part("broker", .failed)
        _ = judge.judge([lost], at: .zero)
        #expect(judge.judge([lost], at: .seconds(9)).trouble == .noBroker)
        #expect(judge.judge([lost, part("disk", .warning)], at: .seconds(9)).trouble == .diskNearlyFull)
    }

    @Test func broker_countsAsLostAfterAFewSeconds_andNotWhereItIsTurnedOff() {
        var judge = TroubleJudge()
        let lost = [part("broker", .failed)]
        #expect(judge.judge(lost, at: .seconds(10)).trouble == nil)
        #expect(judge.judge(lost, at: .seconds(12)).again == .seconds(15))
        #expect(judge.judge(lost, at: .seconds(15)).trouble == .noBroker)
        #expect(judge.judge([part("broker", .ok)], at: .seconds(16)).trouble == nil)
        #expect(judge.judge(lost, at: .seconds(17)).trouble == nil, "the patience begins anew")
        #expect(judge.judge([part("broker", .warning)], at: .seconds(99)).trouble == nil)
    }
}

/// What is told of changes.
@Suite struct HealthChangesTests {
    @Test func changedState_isTold_andAnotherDetailIsNot() async {
        let health = Health()
        var changes = health.changes().makeAsyncIterator()
        health.report("disk", .ok, "much")
        await changes.next()
        health.report("disk", .ok, "less")
        health.report("disk", .warning, "little")
        await changes.next()
        #expect(health.all.map(\.state) == [.warning])
    }
}

/// The watch over the disk.
@Suite struct DiskKeeperTests {
    private func state(free: Int64, of total: Int64) -> PartHealth? {
        let health = Health()
        DiskMonitor(folder: "/data", health: health, logger: .silent) { _ in DiskSpace(free: free, total: total) }
            .look()
        return health.all.first
    }

    @Test func littleSpace_isAWarningWithAdvice() throws {
        let part = try #require(state(free: 400_000_000, of: 32_000_000_000))
        #expect(part.name == "disk" && part.state == .warning)
        #expect(part.detail == "nearly full: 400 MB free, 1 %")
        #expect(part.advice?.contains("/data") == true)
        #expect(state(free: 199_000_000, of: 1_000_000_000)?.state == .warning, "a small disk")
    }

    @Test func enoughSpace_isFine() {
        #expect(state(free: 1_700_000_000, of: 32_000_000_000)?.state == .ok)
        #expect(state(free: 200_000_000, of: 1_000_000_000)?.state == .ok)
    }

    @Test func unknownSpace_isNoTrouble() {
        let health = Health()
        DiskMonitor(folder: "/data", health: health, logger: .silent) { _ in throw CancellationError() }.look()
        #expect(health.all.first?.state == .ok)
    }
}

/// What the ring shows of it.
@Suite struct TroubleTalkTests {
    @Test(arguments: Trouble.allCases) func trouble_showsWhileNothingGoesOn(trouble: Trouble) {
        var driver = MachineDriver.closed()
        #expect(driver.receive(.trouble(trouble)) == [.show(trouble.look)])
        #expect(driver.receive(.trouble(trouble)).isEmpty)
        #expect(driver.tap().contains(.show(.listening)))
        driver.receive(.speechEnded)
        driver.receive(.replied(speaks: true, asks: false, closes: false))
        #expect(driver.receive(.spoken).contains(.show(trouble.look)), "ready with trouble shows the trouble")
        #expect(driver.receive(.trouble(nil)) == [.show(.ready)])
    }

    @Test func troubleWhileBusy_showsAfterwards() {
        var driver = MachineDriver.listening()
        #expect(driver.receive(.trouble(.fault)).isEmpty)
        #expect(driver.receive(.cancel).contains(.show(.fault)))
    }

    @Test func muted_comesBeforeTrouble() {
        var driver = MachineDriver.closed()
        driver.receive(.trouble(.noBroker))
        #expect(driver.receive(.mute).contains(.show(.muted)))
        #expect(driver.receive(.trouble(.fault)).isEmpty)
    }

    @Test func lostBroker_isShownAfterItsPatience_andGoesWhenItIsBack() async throws {
        let talk = try await Talk(VanBench())
        let running = Task { await talk.conversation.run() }
        defer { running.cancel() }
        try await talk.panel.journal.until("the closed look") { $0.contains(.look(.closed, .standard)) }
        // A second later than the hints, which sleep as long.
        try await talk.clock.sleeperRegistered(for: .seconds(5))
        talk.clock.advance(by: .seconds(1))
        talk.health.report("broker", .failed, "refused")
        try await talk.clock.sleeperRegistered(for: TroubleJudge.patience, earlier: .zero)
        talk.clock.advance(by: TroubleJudge.patience)
        try await talk.panel.journal.until("no broker") { $0.last == .look(.noBroker, .standard) }
        talk.health.report("broker", .ok, "connected")
        try await talk.panel.journal.until("closed") { $0.last == .look(.closed, .standard) }
    }
}
