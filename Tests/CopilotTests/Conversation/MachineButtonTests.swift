import Dialogue
import Testing

/// Every row of the specification's table of the button.
@Suite struct MachineButtonTests {
    private let listeningActions: [ConversationMachine.Action] = [
        .pulse(.medium), .chime(.start), .listen(turn: 1, noSpeech: .seconds(5), untilRelease: false),
        .show(.listening), .sessionOpened, .start(.listening, .seconds(17)), .start(.hold, .milliseconds(400)),
    ]

    @Test func pressWhileClosed_opensTheSession_andListensAtOnce() {
        var driver = MachineDriver.closed()
        #expect(driver.press() == listeningActions)
        #expect(driver.machine.phase == .listening)
    }

    @Test func pressWhileReady_listensAtOnce() {
        var driver = MachineDriver.ready()
        let actions = driver.press()
        #expect(actions.contains(.listen(turn: 2, noSpeech: .seconds(5), untilRelease: false)))
        #expect(actions.contains(.stop(.idle)))
        #expect(!actions.contains(.sessionOpened))
    }

    @Test func pressWhileListening_submitsWhatWasSaid() {
        var driver = MachineDriver.listening()
        let actions = driver.press()
        #expect(
            actions == [
                .pulse(.medium), .pulse(.light), .chime(.end), .show(.thinking), .submit(turn: 1),
                .stop(.listening), .start(.thinking, .seconds(10)),
            ])
        #expect(driver.machine.phase == .thinking)
    }

    @Test func pressWhileListening_restarts_whereTheSettingSaysSo() {
        var driver = MachineDriver.listening(tap: .restart)
        let actions = driver.press()
        #expect(actions.first == .drop(turn: 1))
        #expect(actions.contains(.listen(turn: 2, noSpeech: .seconds(5), untilRelease: false)))
        #expect(driver.machine.phase == .listening)
    }

    @Test func pressWhileThinking_dropsTheTurn_andListens() throws {
        var driver = MachineDriver.thinking()
        let actions = driver.press()
        let dropped = try #require(actions.firstIndex(of: .drop(turn: 1)))
        let listens = try #require(
            actions.firstIndex(of: .listen(turn: 2, noSpeech: .seconds(5), untilRelease: false)))
        #expect(dropped < listens)
        #expect(driver.machine.phase == .listening)
    }

    @Test func pressWhileSpeaking_stopsSpeech_andListens() throws {
        var driver = MachineDriver.speaking()
        let actions = driver.press()
        let stops = try #require(actions.firstIndex(of: .stopSpeech))
        let listens = try #require(
            actions.firstIndex(of: .listen(turn: 2, noSpeech: .seconds(5), untilRelease: false)))
        #expect(stops < listens)
    }

    @Test func everythingStartsOnThePress_andNothingOnTheReleaseOfATap() {
        var driver = MachineDriver.closed()
        driver.press()
        let actions = driver.release()
        #expect(actions == [.stop(.hold), .stop(.unmute)])
        #expect(driver.machine.phase == .listening)
    }

    // MARK: hold

    @Test func aHold_becomesHoldToTalk_andItsReleaseSubmits() {
        var driver = MachineDriver.closed()
        driver.press()
        #expect(driver.receive(.timer(.hold)) == [.holdToTalk, .start(.listening, .seconds(62))])
        #expect(driver.receive(.speechEnded).isEmpty, "silence no longer ends it")
        let actions = driver.release(after: .seconds(3))
        #expect(actions.contains(.submit(turn: 1)))
    }

    @Test func aReleaseBeforeTheHoldTime_isATap() {
        var driver = MachineDriver.closed()
        driver.press()
        let actions = driver.release(after: .milliseconds(399))
        #expect(!actions.contains(.submit(turn: 1)))
        #expect(driver.machine.phase == .listening)
    }

    @Test func theAudioLimit_submitsAHoldToo() {
        var driver = MachineDriver.closed()
        driver.press()
        driver.receive(.timer(.hold))
        #expect(driver.receive(.audioLimit).contains(.submit(turn: 1)))
        #expect(driver.release(after: .seconds(61)) == [.stop(.hold), .stop(.unmute)])
        #expect(driver.machine.phase == .thinking)
    }

    @Test func inTapMode_aHoldIsATap() {
        var driver = MachineDriver(mode: .tap)
        driver.press()
        #expect(driver.timers[.hold] == nil)
        driver.release(after: .seconds(2))
        #expect(driver.machine.phase == .listening)
        #expect(driver.receive(.speechEnded).contains(.submit(turn: 1)))
    }

    @Test func inHoldMode_listeningLastsOnlyWhileHeld() {
        var driver = MachineDriver(mode: .hold)
        let actions = driver.press()
        #expect(actions.contains(.listen(turn: 1, noSpeech: .seconds(5), untilRelease: true)))
        #expect(driver.receive(.speechEnded).isEmpty)
        #expect(driver.release(after: .seconds(2)).contains(.submit(turn: 1)))
    }

    @Test func inHoldMode_aPressDuringAQuestionListensWhileHeld() {
        var driver = MachineDriver(mode: .hold)
        driver.press()
        driver.release(after: .seconds(2))
        driver.receive(.replied(speaks: true, asks: true, closes: false))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .listening)
        let actions = driver.press()
        #expect(actions.contains(.listen(turn: 3, noSpeech: .seconds(5), untilRelease: true)))
        #expect(driver.release(after: .seconds(1)).contains(.submit(turn: 3)))
        #expect(driver.complaints.isEmpty)
    }

    // MARK: double tap

    @Test(arguments: [1, 120, 350])
    func aSecondPressSoonAfterARelease_dropsTheFirst_andClosesTheSession(milliseconds: Int) {
        var driver = MachineDriver.listening()
        let actions = driver.press(after: .milliseconds(milliseconds))
        #expect(
            actions == [
                .drop(turn: 1), .stop(.listening), .chime(.end), .show(.closed), .stop(.idle), .sessionClosed,
            ])
        #expect(driver.machine.phase == .closed)
    }

    @Test func aSecondPressLater_isAnotherTap() {
        var driver = MachineDriver.listening()
        driver.press(after: .milliseconds(351))
        #expect(driver.machine.phase == .thinking)
    }

    @Test func aDoubleTapWhileThinkingOrSpeaking_closes() {
        for var driver in [MachineDriver.thinking(), .speaking()] {
            driver.tap()
            let actions = driver.tap(after: .milliseconds(100))
            #expect(actions.contains(.sessionClosed))
            #expect(driver.machine.phase == .closed)
            #expect(driver.complaints.isEmpty)
        }
    }

    @Test func aThirdQuickTap_opensTheSessionAgain() {
        var driver = MachineDriver.listening()
        driver.tap(after: .milliseconds(100))
        #expect(driver.machine.phase == .closed)
        let actions = driver.press(after: .milliseconds(100))
        #expect(actions.contains(.sessionOpened))
        #expect(driver.machine.phase == .listening)
    }

    @Test func aDoubleTapInHoldMode_closes() {
        var driver = MachineDriver(mode: .hold)
        driver.tap()
        let actions = driver.press(after: .milliseconds(100))
        #expect(actions.contains(.sessionClosed))
        #expect(driver.machine.phase == .closed)
    }

    @Test func aPressSoonAfterALongHold_isNoDoubleTap() {
        var driver = MachineDriver.closed()
        driver.press()
        driver.release(after: .seconds(2))
        driver.press(after: .milliseconds(100))
        #expect(driver.machine.phase == .listening)
        #expect(driver.machine.turn == 2)
    }

    @Test func aRecording_isHeardWhateverGoesOn_andMayFollowAnotherAtAnyPace() {
        for var driver in [MachineDriver.closed(), .listening(), .thinking(), .speaking(), .ready()] {
            for _ in 1...2 {
                let before = driver.machine.turn
                let actions = driver.receive(.recording)
                #expect(driver.machine.phase == .listening)
                #expect(driver.machine.turn == before + 1)
                #expect(!actions.contains(.submit(turn: before)))
            }
            #expect(driver.complaints.isEmpty)
        }
        var muted = MachineDriver(isMuted: true)
        #expect(muted.receive(.recording).isEmpty)
    }

    // MARK: contacts that bounce

    @Test func anEdgeThatComesTwice_countsOnce() {
        var driver = MachineDriver.closed()
        driver.press()
        #expect(driver.press(after: .zero).isEmpty)
        driver.release()
        #expect(driver.release(after: .zero).isEmpty)
        #expect(driver.machine.phase == .listening)
    }

    @Test func aReleaseWithoutAPress_doesNothing() {
        var driver = MachineDriver.closed()
        #expect(driver.release().isEmpty)
        #expect(driver.machine.phase == .closed)
    }
}

/// Muting and the button.
@Suite struct MachineMutingTests {
    @Test func pressWhileMuted_saysSo_andListensToNothing() {
        var driver = MachineDriver(isMuted: true)
        let actions = driver.press()
        #expect(actions.contains(.notice("general.muted")))
        #expect(driver.complaints.isEmpty)
        driver.release()
        driver.receive(.spoken)
        #expect(driver.machine.phase == .closed, "the notice opens no session")
        #expect(driver.machine.look == .muted)
    }

    @Test func pressWhileMutedAndSpeaking_stopsTheSound() {
        var driver = MachineDriver(isMuted: true)
        driver.receive(.text)
        driver.receive(.replied(speaks: true, asks: false, closes: false))
        let actions = driver.press()
        #expect(actions.contains(.stopSpeech))
        #expect(actions.contains(.notice("general.muted")))
    }

    @Test func pressesWhileTheMutedNoticeIsSpoken_leaveTheSessionClosed() {
        var driver = MachineDriver(isMuted: true)
        driver.tap()
        driver.tap()
        driver.receive(.spoken)
        #expect(driver.machine.phase == .closed)
        #expect(driver.complaints.isEmpty)
    }

    @Test func aHoldOfThreeSeconds_unmutes() {
        var driver = MachineDriver(isMuted: true)
        #expect(driver.press().contains(.start(.unmute, .seconds(3))))
        let actions = driver.receive(.timer(.unmute))
        #expect(actions.contains(.keepMuted(false)))
        #expect(actions.contains(.notice("general.unmuted")))
        #expect(!driver.machine.isMuted)
        #expect(driver.complaints.isEmpty)
    }

    @Test func aShorterHold_doesNotUnmute() {
        var driver = MachineDriver(isMuted: true)
        driver.press()
        #expect(driver.release(after: .milliseconds(2_900)).contains(.stop(.unmute)))
        #expect(driver.machine.isMuted)
    }

    @Test func mutingWhileListening_dropsTheUtterance_andIsKept() {
        var driver = MachineDriver.listening()
        let actions = driver.receive(.mute)
        #expect(actions.starts(with: [.keepMuted(true), .drop(turn: 1)]))
        #expect(driver.machine.phase == .ready)
        #expect(driver.machine.look == .muted)
        #expect(driver.receive(.mute).isEmpty)
    }

    @Test func unmutingWhileATypedTurnIsActedOn_letsItGoOn() {
        var driver = MachineDriver(isMuted: true)
        driver.receive(.text)
        let actions = driver.receive(.unmute)
        #expect(actions.contains(.keepMuted(false)))
        #expect(!actions.contains(.drop(turn: 1)))
        #expect(driver.machine.phase == .thinking)
    }

    @Test func unmutingFromClosed_thenAPress_opensTheSession() {
        var driver = MachineDriver(isMuted: true)
        driver.receive(.unmute)
        let actions = driver.press()
        #expect(actions.contains(.sessionOpened))
        #expect(driver.complaints.isEmpty)
    }

    @Test func aQuestionWhileMuted_doesNotOpenTheMicrophone() {
        var driver = MachineDriver(isMuted: true)
        driver.receive(.text)
        driver.receive(.replied(speaks: true, asks: true, closes: false))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    @Test func typedTextWorksWhileMuted() {
        var driver = MachineDriver(isMuted: true)
        #expect(driver.receive(.text).contains(.think(turn: 1)))
    }

    @Test func anotherButtonAndOtherLimits_countFromTheNextPressOn() {
        var driver = MachineDriver.ready(), limits = ConversationMachine.Limits()
        limits.noSpeech = .seconds(9)
        driver.machine.adopt(limits: limits, buttonMode: .tap, tapWhileListening: .restart)
        let actions = driver.press()
        #expect(actions.contains(.listen(turn: 2, noSpeech: .seconds(9), untilRelease: false)))
        #expect(!actions.contains(.start(.hold, .milliseconds(400))))
        #expect(driver.complaints.isEmpty)
    }
}
