@testable import Domain
@testable import Devices
import CopilotTestKit
import Testing

/// What a mode means for how VanOrb speaks.
@Suite struct ModeTalkTests {
    private static func bench() throws -> VanBench {
        var night = Mode(name: "night"), silent = Mode(name: "silent")
        night.settings.volume = 0.5
        silent.settings.autoSpeak = false
        let gas = AlarmTests.sensor("gas")
        return try VanBench(
            devices: VanBench.devices + [gas], modes: Mode.plain.filter { $0.name != "night" } + [night, silent])
    }

    @Test func modeWithAVoiceOfItsOwn_hasIt_asLongAsItLasts() async throws {
        let bench = try Self.bench()
        let talk = try await Talk(bench)
        _ = await talk.conversation.say("switch to night mode")
        #expect(await talk.conversation.services.profile.voice.volume == 0.5)
        // What is asked for at night is for the night.
        _ = await talk.conversation.say("louder please")
        #expect(await talk.conversation.services.profile.voice.volume == 0.75)
        _ = await talk.conversation.say("speak slower")
        _ = await talk.conversation.say("switch to camp mode")
        #expect(await talk.conversation.services.profile.voice == VoiceSettings())
        #expect(await VoiceSettings.kept(in: bench.stores.kept, otherwise: VoiceSettings()) == VoiceSettings())
    }

    @Test func modeThatIsUndone_takesItsVoiceWithIt() async throws {
        let talk = try await Talk(Self.bench())
        _ = await talk.conversation.say("louder please")
        _ = await talk.conversation.say("switch to night mode")
        _ = await talk.conversation.say("undo that")
        #expect(await talk.conversation.services.profile.voice.volume == 1.25)
    }

    @Test func modeOfTheLastDay_isFollowedFromTheStart() async throws {
        let bench = try Self.bench()
        try await bench.stores.kept.set("mode", to: "night")
        let talk = try await Talk(bench)
        let running = Task { await talk.conversation.run() }
        defer { running.cancel() }
        try await talk.events.first("the first look") { if case .look = $0 { true } else { false } }
        #expect(await talk.conversation.services.profile.voice.volume == 0.5)
    }

    @Test func modeInWhichNothingIsSpoken_showsReplies_untilItEnds() async throws {
        let talk = try await Talk(Self.bench(), hears: .patient)
        _ = await talk.conversation.say("switch to silent mode")
        _ = await talk.conversation.say("what mode are we in")
        _ = await talk.conversation.say("switch to camp mode")
        try await talk.spoken("Switched to camp mode.")
        #expect(!talk.speaker.journal.entries.contains(.sentence("It's silent mode.")))
    }

    @Test func warningAtNight_isAsLoudAsEver() async throws {
        let talk = try await Talk(Self.bench(), hears: .patient)
        _ = await talk.conversation.say("switch to night mode")
        let alarm = Task { await talk.conversation.alarm(AlarmTests.sensor("gas")) }
        try await talk.spoken("No flames, no switches.")
        #expect(talk.synthesiser.lastVoice?.volume == 1)
        alarm.cancel()
        await alarm.value
    }
}
