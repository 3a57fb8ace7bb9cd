@testable import Devices
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// Which hours are the night's.
@Suite struct NightHoursTests {
    private func isNight(_ from: String, _ to: String, at time: String, zone: String = "UTC") throws -> Bool {
        let night = try #require(NightHours(from: from, to: to))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return night.contains(try Date("2026-07-01T\(time):00Z", strategy: .iso8601), in: calendar)
    }

    @Test(arguments: [
        ("21:59", false), ("22:00", true), ("23:59", true), ("00:00", true), ("06:59", true), ("07:00", false),
    ])
    func nightPastMidnight_beginsAndEndsOnTheMinute(time: String, expected: Bool) throws {
        #expect(try isNight("22:00", "07:00", at: time) == expected)
    }

    @Test func nightWithinADay_isTheHoursBetween() throws {
        #expect(try isNight("01:00", "5:30", at: "05:29"))
        #expect(try !isNight("01:00", "5:30", at: "05:30"))
        #expect(try !isNight("01:00", "5:30", at: "23:00"))
    }

    @Test func hours_areThoseOfTheVansTimeZone() throws {
        // British summer time is an hour ahead.
        #expect(try isNight("22:00", "07:00", at: "21:30", zone: "Europe/London"))
        #expect(try !isNight("22:00", "07:00", at: "06:30", zone: "Europe/London"))
    }

    @Test(arguments: [
        ("", "07:00"), ("24:00", "07:00"), ("22:60", "07:00"), ("22", "7"), ("22:00", "22:00"), ("-1:00", "7:00"),
    ])
    func whatIsNoTime_isRefused(from: String, to: String) {
        #expect(NightHours(from: from, to: to) == nil)
    }
}

/// What the night does.
@Suite struct NightTalkTests {
    private static let always = NightHours(from: "00:00", to: "23:59")

    private static func bench(isTimeCertain: Bool = true) throws -> VanBench {
        var bright = Mode(name: "camp"), low = Mode(name: "night")
        bright.settings.nightRing = false
        low.settings.volume = 0.5
        low.settings.nightRing = true
        return try VanBench(modes: [bright, low], isTimeCertain: isTimeCertain)
    }

    private func talk(_ bench: VanBench, byHours: Bool = true) async throws -> Talk {
        try await Talk(bench, hears: .patient) { settings in
            settings.night = byHours ? Self.always : nil
            settings.nightSpeech = 0.6
        }
    }

    @Test func repliesAtNight_areLower_andAModesOwnLoudnessCounts() async throws {
        let talk = try await talk(Self.bench())
        _ = await talk.conversation.say("switch to camp mode")
        try await talk.spoken("Switched to camp mode.")
        #expect(talk.synthesiser.lastVoice?.volume == 0.6)
        #expect(await talk.conversation.services.profile.voice.volume == 1, "the owner's voice is what it was")
        _ = await talk.conversation.say("switch to night mode")
        try await talk.spoken("Switched to night mode.")
        #expect(talk.synthesiser.lastVoice?.volume == 0.5)
    }

    @Test func uncertainClock_makesNoNight() async throws {
        let talk = try await talk(Self.bench(isTimeCertain: false))
        _ = await talk.conversation.say("switch to camp mode")
        try await talk.spoken("Switched to camp mode.")
        #expect(talk.synthesiser.lastVoice?.volume == 1)
    }

    @Test func ring_followsTheHours_andAModeHasTheSayOverThem() async throws {
        let talk = try await talk(Self.bench())
        let running = Task { await talk.conversation.run() }
        defer { running.cancel() }
        try await talk.panel.journal.until("night") { $0.contains(.night(true)) }
        _ = await talk.conversation.say("switch to camp mode")
        try await talk.panel.journal.until("day") { $0.contains(.night(false)) }
    }

    @Test func modeAlone_makesTheRingsNight() async throws {
        let talk = try await talk(Self.bench(), byHours: false)
        _ = await talk.conversation.say("switch to night mode")
        try await talk.panel.journal.until("night") { $0.contains(.night(true)) }
        _ = await talk.conversation.say("undo that")
        try await talk.panel.journal.until("day") { $0.contains(.night(false)) }
    }

    @Test func hoursSetWhileItGoesOn_countAtOnce() async throws {
        let talk = try await talk(Self.bench(), byHours: false)
        let running = Task { await talk.conversation.run() }
        defer { running.cancel() }
        var settings = ConversationSettings()
        settings.night = Self.always
        await talk.conversation.adopt(settings)
        try await talk.panel.journal.until("night") { $0.contains(.night(true)) }
        settings.night = nil
        await talk.conversation.adopt(settings)
        try await talk.panel.journal.until("day") { $0.contains(.night(false)) }
    }

    @Test func voiceSetWhileAModeHasItsOwn_countsOnceThatIsLeft() async throws {
        let talk = try await talk(Self.bench(), byHours: false)
        _ = await talk.conversation.say("switch to night mode")
        try await talk.spoken("Switched to night mode.")
        var settings = ConversationSettings()
        settings.voice.volume = 1.5
        await talk.conversation.adopt(settings)
        #expect(await talk.conversation.services.profile.voice.volume == 0.5)
        #expect(await talk.conversation.services.profile.modeOverriding("speech.volume") == "night")
        #expect(await talk.conversation.services.profile.modeOverriding("speech.rate") == nil)
        // What is asked of the mode's voice stays while something else is set.
        _ = await talk.conversation.say("speak louder")
        let asked = await talk.conversation.services.profile.voice
        #expect(asked.volume == 0.75)
        settings.historyLength = 3
        await talk.conversation.adopt(settings)
        #expect(await talk.conversation.services.profile.voice == asked)
        _ = await talk.conversation.say("switch to camp mode")
        try await talk.spoken("Switched to camp mode.")
        #expect(talk.synthesiser.lastVoice?.volume == 1.5)
    }
}
