@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Testing

/// Microphone and speaker that fail: what is said, what the doctor knows, and that it ends by itself.
@Suite struct ConversationDeviceTests {
    static let advice: [(DeviceFailure.Reason, String, String)] = [
        (.missing, "arecord -l", "aplay -l"), (.busy, "fuser -v /dev/snd/*", "fuser -v /dev/snd/*"),
        (.noPermission, "group audio", "udev rule"), (.lost, "plug", "plug"),
        (.unusable, "arecord -D DEVICE --dump-hw-params", "aplay -D DEVICE --dump-hw-params"),
    ]

    @Test(arguments: advice.filter { $0.0 != .lost })
    func aMicrophoneThatFails_isKnownWithAdvice_untilItIsHeardAgain(
        reason: DeviceFailure.Reason, words: String, _: String
    ) async throws {
        let talk = try await Talk(VanBench(), hears: [.refused(reason), .utterance], says: ["balance"])
        await talk.tap()
        _ = try await talk.turn(1)
        let part = try #require(talk.health.part("microphone"))
        #expect(part.state == .failed)
        #expect(part.advice?.contains(words) == true, "\(part.advice ?? "")")
        try await talk.reached(.ready)
        await talk.tap()
        _ = try await talk.turn(2)
        #expect(talk.health.part("microphone")?.state == .ok)
        #expect(talk.health.part("microphone")?.advice == nil)
    }

    @Test(arguments: advice)
    func aSpeakerThatFails_isShown_andKnownWithAdvice_untilItSpeaksAgain(
        reason: DeviceFailure.Reason, _: String, words: String
    ) async throws {
        let talk = try await Talk(VanBench())
        talk.speaker.fail(DeviceFailure(device: "speech", reason: reason, detail: "as the test wants it"))
        #expect(await talk.conversation.say("balance").outcome == .done)
        let notice = talk.bench.books.replies("speaker.\(reason.rawValue)")
        try await talk.events.first("the notice") { $0.brief == "notice \(notice)" }
        try await talk.reached(.ready)
        let part = try #require(talk.health.part("speaker"))
        #expect(part.state == .failed)
        #expect(part.advice?.contains(words) == true, "\(part.advice ?? "")")
        talk.speaker.fail(nil)
        _ = await talk.conversation.say("what time is it")
        try await talk.spoken("It's 10:30.")
        _ = try await talk.history(2)
        #expect(talk.health.part("speaker")?.state == .ok)
        #expect(talk.speaker.sentences == ["It's 10:30."], "what was not spoken is not spoken later")
    }

    @Test func everyReasonHasItsOwnWords() throws {
        for part in ["microphone", "speaker"] {
            let texts = Self.advice.map { English.books.replies("\(part).\($0.0.rawValue)").spoken }
            #expect(Set(texts).count == texts.count)
            #expect(texts.allSatisfy { $0.contains(part) && $0.hasSuffix(".") })
        }
    }

    @Test func aSpeakerLostInAReply_leavesTheWholeTextToWatchers_andIsTriedByTheNext() async throws {
        let talk = try await Talk(VanBench())
        talk.speaker.fail(DeviceFailure(device: "speech", reason: .lost, detail: "write: gone"), after: 1)
        let reply = await talk.conversation.say("help").reply
        let sentences = SentenceSplitter().sentences(in: reply)
        #expect(sentences.count > 1)
        #expect(try await talk.history(1).assistant == reply)
        #expect(talk.events.entries.contains { $0.brief == "reply \(reply)" })
        try await talk.events.first("the notice") { $0.brief == "notice I lost the speaker; the rest is only shown." }
        try await talk.reached(.ready)
        _ = await talk.conversation.say("what time is it")
        try await talk.spoken("It's 10:30.")
        #expect(talk.speaker.sentences == [sentences[0], "It's 10:30."])
    }

    @Test func aVoiceThatFails_isNoFaultOfTheSpeaker_andRecovers() async throws {
        let talk = try await Talk(VanBench())
        talk.synthesiser.fail()
        _ = await talk.conversation.say("balance")
        try await talk.events.first("the notice") { $0.brief == "notice I can't speak: there's no voice." }
        #expect(talk.health.part("voice")?.advice?.contains("espeak-ng-data") == true)
        #expect(talk.health.part("speaker")?.state != .failed)
        talk.synthesiser.fail(false)
        _ = await talk.conversation.say("balance")
        _ = try await talk.history(2)
        #expect(talk.health.part("voice")?.state == .ok)
    }

    @Test(arguments: [DeviceFailure.Reason.missing, .busy])
    func aMicrophoneThatComesBackBitByBit_isListenedToAgain_once(reason: DeviceFailure.Reason) async throws {
        // A card that is plugged in again is there before it can be opened.
        let talk = try await Talk(
            VanBench(),
            hears: [.loses(after: SampleSound.voice(.seconds(1))), .refused(reason), .refused(reason), .utterance],
            says: ["balance"])
        await talk.tap()
        #expect(try await talk.turn(1).reply == "I lost the microphone, so I did nothing.")
        // The clock moves on whenever somebody sleeps for no longer than between two tries.
        let clock = talk.clock, step = Duration.milliseconds(250)
        let ticking = Task {
            while !Task.isCancelled {
                if let next = clock.sleeping.first, next <= clock.now.elapsed + step { clock.advance(by: step) }
                await Task.yield()
            }
        }
        defer { ticking.cancel() }
        #expect(try await talk.turn(2).reply == "The ledger is empty.")
        #expect(talk.health.part("microphone")?.state == .ok)
    }

    // MARK: probes

    @Test func probe_tellsOfDevicesBeforeTheyAreNeeded_andOfTheirReturn() async throws {
        let talk = try await Talk(VanBench())
        talk.microphone?.failProbes(.noPermission)
        talk.speaker.fail(DeviceFailure(device: "speech", reason: .missing, detail: "open"))
        await talk.conversation.services.monitor.probe(onlyTroubled: false)
        #expect(talk.health.part("microphone")?.state == .failed)
        #expect(talk.health.part("speaker")?.state == .failed)
        #expect(talk.health.part("chimes")?.state == .warning)
        talk.microphone?.failProbes(nil)
        await talk.conversation.services.monitor.probe(onlyTroubled: true)
        #expect(talk.health.part("microphone")?.state == .ok)
        #expect(talk.health.part("speaker")?.state == .failed)
        talk.speaker.fail(nil)
        await talk.conversation.services.monitor.probe(onlyTroubled: true)
        #expect(talk.health.all.allSatisfy { $0.state == .ok })
        #expect(talk.microphone?.journal.entries.isEmpty == true, "nothing was heard")
    }

    @Test func probe_looksAtNothingThatWorks_andNeverDuringATurn() async throws {
        let talk = try await Talk(VanBench(), hears: [.hears([], then: .waiting)])
        await talk.conversation.services.monitor.probe(onlyTroubled: false)
        talk.microphone?.failProbes(.busy)
        await talk.conversation.services.monitor.probe(onlyTroubled: true)
        #expect(talk.health.part("microphone")?.state == .ok)
        await talk.tap()
        try await talk.microphone?.opened()
        await talk.conversation.services.monitor.probe(onlyTroubled: false)
        #expect(talk.health.part("microphone")?.state == .ok)
    }

    @Test func aBoardWithoutAMicrophone_isKnownAtOnce() async throws {
        let talk = try await Talk(VanBench(), hasMicrophone: false)
        await talk.conversation.services.monitor.probe(onlyTroubled: false)
        #expect(talk.health.part("microphone")?.detail.contains("the board file names none") == true)
    }

    @Test func aRecordingThatCannotBeRead_isNoFaultOfTheMicrophone() async throws {
        let talk = try await Talk(VanBench(), hears: [.refused(.missing)])
        _ = await talk.conversation.hear(.recording(path: "/nonexistent"))
        #expect(talk.health.part("microphone") == nil)
    }
}

extension Health {
    fileprivate func part(_ name: String) -> PartHealth? { all.first { $0.name == name } }
}
