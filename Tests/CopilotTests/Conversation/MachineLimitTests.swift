import Domain
import Language
import Dialogue
import Testing

/// Time limits, questions, and that no state can stick.
@Suite struct MachineLimitTests {
    @Test func nothingHeard_isSaid_andLeadsToReady() {
        var driver = MachineDriver.listening()
        let actions = driver.receive(.noSpeech)
        #expect(actions.starts(with: [.drop(turn: 1), .chime(.end)]))
        #expect(actions.contains(.notice("general.nothing_heard")))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    @Test func thinkingTooLong_isDropped_andSaid() {
        var driver = MachineDriver.thinking()
        #expect(driver.timers[.thinking] == .seconds(10))
        let actions = driver.receive(.timer(.thinking))
        #expect(actions.contains(.drop(turn: 1)))
        #expect(actions.contains(.notice("general.too_slow")))
        #expect(driver.receive(.replied(speaks: true, asks: false, closes: false)).isEmpty, "the late reply is lost")
    }

    @Test func speakingTooLong_isStopped_andSaid_andLeadsToReady() {
        var driver = MachineDriver.speaking()
        #expect(driver.timers[.speaking] == .seconds(120))
        let actions = driver.receive(.timer(.speaking))
        #expect(actions.contains(.stopSpeech))
        #expect(actions.contains(.notice("general.spoke_too_long")))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    @Test func wordsAboutTheLimit_haveAShortOneOfTheirOwn() {
        var driver = MachineDriver.speaking()
        driver.receive(.timer(.speaking))
        #expect(driver.timers[.speaking] == .seconds(10))
        driver.receive(.timer(.speaking))
        #expect(driver.machine.phase == .ready)
        driver = .speaking(closes: true)
        driver.receive(.timer(.speaking))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .closed, "it was to close all the same")
    }

    @Test func aMicrophoneThatDeliversNothing_doesNotKeepListening() {
        var driver = MachineDriver.listening()
        #expect(driver.timers[.listening] == .seconds(17))
        let actions = driver.receive(.timer(.listening))
        #expect(actions.contains(.drop(turn: 1)))
        #expect(actions.contains(.notice("microphone.silent")))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    // MARK: a hold says yes

    /// Asked whether something risky shall be done, and listening.
    private func asked(_ mode: ConversationMachine.ButtonMode = .both) -> MachineDriver {
        var driver = MachineDriver.listening(mode: mode)
        driver.receive(.speechEnded)
        driver.receive(.replied(speaks: true, asks: true, closes: false, confirms: true))
        driver.receive(.spoken)
        return driver
    }

    @Test func aHoldOfASecond_withoutSpeech_confirms() {
        var driver = asked()
        driver.press()
        #expect(driver.machine.phase == .listening)
        let actions = driver.release(after: .seconds(1))
        #expect(actions.contains(.confirm(turn: 3)))
        #expect(driver.machine.phase == .thinking)
    }

    @Test func aHoldWhileTheQuestionIsSpoken_confirms() {
        var driver = MachineDriver.thinking()
        driver.receive(.replied(speaks: true, asks: true, closes: false, confirms: true))
        driver.press()
        #expect(driver.release(after: .seconds(1.2)).contains(.confirm(turn: 2)))
    }

    @Test func aShorterHold_orSpeechInIt_orAnotherQuestion_confirmsNothing() {
        var driver = asked()
        driver.press()
        #expect(!driver.release(after: .milliseconds(900)).contains(.confirm(turn: 3)))
        driver = asked()
        driver.press()
        driver.receive(.speechBegan)
        #expect(driver.release(after: .seconds(2)).contains(.submit(turn: 3)))
        driver = .speaking(asks: true)
        driver.receive(.spoken)
        driver.press()
        #expect(driver.machine.phase == .thinking, "what was said is submitted, as ever")
        driver = asked(.tap)
        driver.press()
        #expect(!driver.release(after: .seconds(2)).contains(.confirm(turn: 3)))
    }

    @Test func aTapAtTheQuestion_keepsItOpen_andADoubleTapDropsIt() {
        var driver = asked()
        driver.tap()
        #expect(driver.machine.phase == .listening)
        #expect(driver.receive(.noSpeech).contains(.notice("general.not_answered")))
        driver = asked()
        driver.tap()
        driver.press(after: .milliseconds(100))
        #expect(driver.machine.phase == .closed)
        driver.release()
        driver.press()
        #expect(!driver.release(after: .seconds(2)).contains(.confirm(turn: driver.machine.turn)))
    }

    @Test func silenceInAWalk_leadsToReady_andSaysNothing() {
        var driver = MachineDriver.speaking(asks: true)
        driver.receive(.spoken)
        let actions = driver.receive(.quiet)
        #expect(actions.contains(.drop(turn: 2)))
        #expect(!actions.contains { if case .notice = $0 { true } else { false } })
        #expect(driver.machine.phase == .ready)
    }

    @Test func aMicrophoneThatIsBack_listensOnce_withThePatienceOfTheQuestion() {
        var driver = MachineDriver.speaking(asks: true)
        driver.receive(.spoken)
        driver.receive(.microphoneFailed(.lost))
        #expect(driver.receive(.microphoneBack).isEmpty, "the reason is still being spoken")
        driver.receive(.spoken)
        #expect(
            driver.receive(.microphoneBack).contains(.listen(turn: 3, noSpeech: .seconds(20), untilRelease: false)))
    }

    // MARK: the introduction

    @Test func theFirstPressEver_speaksTheIntroduction_once() {
        var driver = MachineDriver()
        driver.machine = ConversationMachine(introduces: true)
        let actions = driver.press()
        #expect(actions.contains(.notice("general.introduction")))
        #expect(actions.contains(.keepIntroduced))
        #expect(driver.machine.phase == .speaking)
        driver.release()
        driver.press()
        #expect(driver.machine.phase == .listening, "a press interrupts it")
        #expect(driver.complaints.isEmpty)
        driver.receive(.close)
        driver.receive(.introduceAgain)
        driver.release()
        #expect(driver.press().contains(.notice("general.introduction")))
    }

    @Test func aSessionWithoutATurn_closes() {
        var driver = MachineDriver.ready()
        #expect(driver.timers[.idle] == .seconds(60))
        #expect(driver.receive(.timer(.idle)).contains(.sessionClosed))
        #expect(driver.machine.phase == .closed)
    }

    @Test(arguments: [DeviceFailure.Reason.missing, .busy, .noPermission, .lost, .unusable])
    func aMicrophoneThatFails_isTold_inItsOwnWords(reason: DeviceFailure.Reason) {
        var driver = MachineDriver.listening()
        let actions = driver.receive(.microphoneFailed(reason))
        #expect(actions.contains(.drop(turn: 1)))
        #expect(actions.contains(.notice("microphone.\(reason.rawValue)")))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    @Test func aRecogniserThatFails_isTold() {
        var driver = MachineDriver.thinking()
        #expect(driver.receive(.recogniserFailed).contains(.notice("recogniser.failed")))
        #expect(driver.complaints.isEmpty)
    }

    // MARK: replies

    @Test func aQuestion_listensByItself_forTwentySeconds_withoutAHapticPulse() {
        var driver = MachineDriver.speaking(asks: true)
        let actions = driver.receive(.spoken)
        #expect(actions.contains(.listen(turn: 2, noSpeech: .seconds(20), untilRelease: false)))
        #expect(!actions.contains(.pulse(.medium)))
    }

    @Test func aQuestionThatNobodyAnswers_isGivenUp() {
        var driver = MachineDriver.speaking(asks: true)
        driver.receive(.spoken)
        #expect(driver.receive(.noSpeech).contains(.notice("general.not_answered")))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    @Test func aSilentReply_goesOnWithoutSpeaking() {
        var driver = MachineDriver.thinking()
        driver.receive(.replied(speaks: false, asks: false, closes: false))
        #expect(driver.machine.phase == .ready)
        driver = .thinking()
        driver.receive(.replied(speaks: false, asks: true, closes: false))
        #expect(driver.machine.phase == .listening)
        driver = .thinking()
        driver.receive(.replied(speaks: false, asks: false, closes: true))
        #expect(driver.machine.phase == .closed)
    }

    @Test func aClosingReply_closesOnceItIsSpoken() {
        var driver = MachineDriver.speaking(closes: true)
        #expect(driver.machine.phase == .speaking)
        #expect(driver.receive(.spoken).contains(.sessionClosed))
    }

    @Test func aPressWhileAClosingReplyIsSpoken_keepsTheSession() {
        var driver = MachineDriver.speaking(closes: true)
        driver.press()
        driver.receive(.speechEnded)
        driver.receive(.replied(speaks: true, asks: false, closes: false))
        driver.receive(.spoken)
        #expect(driver.machine.phase == .ready)
    }

    @Test func cancel_dropsTheUtterance_andKeepsTheSession() {
        for var driver in [MachineDriver.listening(), .thinking(), .speaking(), .ready()] {
            driver.receive(.cancel)
            #expect(driver.machine.phase == .ready)
            #expect(driver.complaints.isEmpty)
        }
        var driver = MachineDriver.closed()
        #expect(driver.receive(.cancel).isEmpty)
    }

    @Test func close_closesFromEveryState() {
        for var driver in [MachineDriver.listening(), .thinking(), .speaking(), .ready()] {
            #expect(driver.receive(.close).contains(.sessionClosed))
            #expect(driver.machine.phase == .closed)
            #expect(driver.complaints.isEmpty)
        }
    }

    @Test func typedText_takesTheTurnFromWhateverGoesOn() {
        for var driver in [MachineDriver.closed(), .listening(), .thinking(), .speaking(), .ready()] {
            #expect(driver.receive(.text).contains(.think(turn: driver.machine.turn)))
            #expect(driver.machine.phase == .thinking)
            #expect(driver.complaints.isEmpty)
        }
    }

    // MARK: no state can stick

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func whateverHappens_noStateSticks_andEveryTurnIsAccountedFor(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let mode = ConversationMachine.ButtonMode.allCases[Int(seed) % 3]
        let tap: ConversationMachine.TapWhileListening = seed % 2 == 0 ? .submit : .restart
        var driver = MachineDriver(mode: mode, tap: tap, isMuted: seed % 5 == 0)
        for step in 0..<3_000 {
            driver.time += .milliseconds(Int.random(in: 1...700, using: &random))
            driver.receive(try #require(anyEvent(&driver, &random)))
            try #require(driver.complaints.isEmpty, "step \(step): \(driver.complaints)")
            if step % 10 == 0 {
                let (end, steps) = leftAlone(driver)
                #expect(end.complaints.isEmpty, "step \(step): \(end.complaints)")
                #expect(end.machine.phase == .closed, "step \(step): stuck in \(end.machine.phase) after \(steps)")
            }
        }
    }

    /// An event that can happen: a timer only where it runs, the voice's end only while there is one.
    private func anyEvent(_ driver: inout MachineDriver, _ random: inout SeededGenerator) -> MachineDriver.Event? {
        var events: [MachineDriver.Event] = [
            .pressed(at: driver.time), .pressed(at: driver.time), .released(at: driver.time),
            .released(at: driver.time), .speechEnded, .noSpeech, .audioLimit, .microphoneFailed(.lost),
            .recogniserFailed, .speechBegan, .quiet, .microphoneBack, .introduceAgain,
            .replied(
                speaks: .random(using: &random), asks: .random(using: &random), closes: false,
                confirms: .random(using: &random)),
            .replied(speaks: .random(using: &random), asks: false, closes: true), .spoken, .text, .recording, .cancel,
            .close,
            .mute, .unmute,
        ]
        events += driver.timers.keys.sorted { $0.rawValue < $1.rawValue }.map { .timer($0) }
        return events.randomElement(using: &random)
    }

    /// Nobody does anything any more: only timers run out, silence is heard, and the button is let go.
    private func leftAlone(_ driver: MachineDriver) -> (MachineDriver, [String]) {
        var driver = driver, steps: [String] = []
        driver.time += .seconds(10)
        driver.receive(.released(at: driver.time))
        for _ in 0..<12 where driver.machine.phase != .closed {
            let event: MachineDriver.Event =
                switch driver.machine.phase {
                case .listening: .noSpeech
                case .thinking: .timer(.thinking)
                case .speaking: .timer(.speaking)
                case .ready, .closed: .timer(.idle)
                }
            if case .timer(let timer) = event, driver.timers[timer] == nil { break }
            steps.append("\(driver.machine.phase) –\(event)→")
            driver.receive(event)
        }
        return (driver, steps)
    }
}
