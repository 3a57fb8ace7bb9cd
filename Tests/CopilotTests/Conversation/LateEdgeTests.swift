import CopilotTestKit
import Testing

/// Edges of which a busy machine tells late: their own times count.
@Suite struct LateEdgeTests {
    @Test func tapWhoseReleaseIsToldAfterTheHoldsTimer_isATap() {
        var driver = MachineDriver.closed()
        driver.press()
        driver.receive(.timer(.hold))
        driver.time += .milliseconds(150)
        let actions = driver.receive(.released(at: driver.time))
        #expect(actions == [.stop(.hold), .stop(.unmute), .noHold, .start(.listening, .seconds(17))])
        #expect(driver.receive(.speechEnded).contains(.submit(turn: 1)), "silence ends it again")
        #expect(driver.complaints.isEmpty)
    }

    @Test func holdWhoseEdgesAreToldAtOnce_isAHold() {
        var driver = MachineDriver.closed()
        driver.press()
        driver.time += .seconds(2)
        #expect(driver.receive(.released(at: driver.time)).contains(.submit(turn: 1)))
        #expect(!driver.press(after: .milliseconds(100)).contains(.chime(.end)), "a hold is no tap of a double tap")
    }

    @Test func doubleTapToldLate_isOne() {
        var driver = MachineDriver.closed()
        driver.tap()
        driver.receive(.timer(.hold))
        #expect(driver.press(after: .milliseconds(300)).contains(.sessionClosed))
    }

    @Test func pressOfThePanel_hasTheTimeOfItsEdge() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)], says: [""])
        talk.clock.advance(by: .seconds(5))
        let now = ContinuousClock.now
        // Both are told now; two seconds lay between them.
        await talk.conversation.press(.pressed, at: now - .seconds(2))
        await talk.conversation.press(.released, at: now)
        try await talk.reached(.thinking)
    }
}
