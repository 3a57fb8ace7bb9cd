import Domain
import Devices
import Handlers

/// How the voice sounds and the ring looks at this moment: as the owner has set it and asked for it, as the van's mode
/// wants it, and by the hours of the night.
@DialogueActor
package final class OutputProfile {
    private let context: HandlerContext
    private let panel: any Panel
    private let clock: any Clock<Duration>
    private var settings: ConversationSettings
    /// How the voice sounds; the owner may ask for it louder or slower.
    package private(set) var voice: VoiceSettings
    /// How it sounds in modes that have no voice of their own.
    private var ownVoice: VoiceSettings
    /// The mode that is followed.
    private(set) var mode: Mode?
    /// Whether the ring has its night's colours, and what looks whether it should.
    private var showsNight = false, night: Task<Void, Never>?

    /// Between two looks at the time of day.
    private static let nightPause = Duration.seconds(30)

    nonisolated init(_ parts: ConversationParts, settings: ConversationSettings, clock: any Clock<Duration>) {
        context = parts.context
        panel = parts.panel
        self.settings = settings
        (voice, ownVoice) = (settings.voice, settings.voice)
        self.clock = clock
    }

    /// Takes over other settings.
    /// - Parameter settings: its voice is the owner's own, as set or asked for.
    func adopt(_ settings: ConversationSettings) {
        let before = self.settings
        self.settings = settings
        // What was asked of a mode's own voice stays while another setting changes.
        if settings.voice != ownVoice {
            ownVoice = settings.voice
            voice = mode?.settings.applied(to: ownVoice) ?? ownVoice
        }
        if settings.night != before.night { followNight() }
    }

    // MARK: the mode

    /// Speaks and shines as the mode wants it that the van is in by now.
    func followMode() async {
        let kept = context.stores.kept
        // A lost store, or one that hangs, cannot say; the mode stays as it was.
        let stored = await withReplyTimeout(clock: clock) { try await kept.value(ModesHandler.key) ?? "" }
        guard let stored else { return }
        let name = stored.isEmpty ? nil : stored
        guard name != mode?.name else { return }
        let before = mode?.settings ?? ModeSettings()
        mode = context.van.modes.first { $0.name == name }
        let now = mode?.settings ?? ModeSettings()
        if before.hasVoice || now.hasVoice { voice = now.applied(to: ownVoice) }
        followRing()
    }

    /// The name of the van's mode, where that overrides a setting.
    package func modeOverriding(_ key: String) -> String? {
        guard let mode, mode.settings.own.contains(key) else { return nil }
        return mode.name
    }

    // MARK: the night

    /// Follows the hours of the night, until `stop`; in place of those that it followed before.
    func followNight() {
        night?.cancel()
        followRing()
        guard settings.night != nil else { return night = nil }
        let clock = clock
        night = Task {
            while (try? await clock.sleep(for: Self.nightPause)) != nil { self.followRing() }
        }
    }

    /// Follows nothing any more.
    func stop() { night?.cancel() }

    /// Gives the ring its night's colours, or the day's, where that has changed.
    private func followRing() {
        let isNight = mode?.settings.nightRing ?? isNightByHours
        guard isNight != showsNight else { return }
        showsNight = isNight
        panel.setNight(isNight)
    }

    /// A clock that may be wrong makes no night: it would be dark at noon.
    private var isNightByHours: Bool {
        guard let night = settings.night, context.isTimeCertain() else { return false }
        return night.contains(context.now(), in: context.calendar)
    }

    // MARK: the voice

    /// Whether replies are spoken.
    var speaksReplies: Bool { mode?.settings.autoSpeak ?? settings.autoSpeak }

    /// The voice of replies: lower at night, unless the mode has a loudness of its own.
    var replyVoice: VoiceSettings {
        guard mode?.settings.volume == nil, isNightByHours else { return voice }
        var low = voice
        low.volume *= settings.nightSpeech
        return low
    }

    /// The voice of a warning: a mode's may be too low to wake anybody.
    var warningVoice: VoiceSettings {
        var loud = voice
        loud.volume = max(loud.volume, ownVoice.volume, 1)
        return loud
    }

    /// Changes the voice by a step and answers in the new way; at the limit it says so.
    /// - Throws: the store's error; the voice is as it was then.
    func changeVoice(_ way: String) async throws -> Reply {
        guard let changed = voice.changed(way) else { return Reply(context.replies("voice.\(way)_limit")) }
        return try await change(to: changed, context.replies("voice.\(way)"))
    }

    /// Sets the voice's loudness to a number out of ten or to a percentage, and answers at that loudness.
    /// - Throws: the store's error; the voice is as it was then.
    func setVolume(_ level: SlotValue?) async throws -> Reply {
        let isPercent = if case .measure? = level?.content { true } else { false }
        guard let said = level.flatMap({ $0.number ?? Double($0.text) }),
            let changed = voice.withVolume(said, isPercent: isPercent)
        else { return .failed(context.replies("voice.volume_range")) }
        guard changed != voice else { return Reply(context.replies("voice.volume_same")) }
        let percent = Int((changed.volume / VoiceSettings.volumeRange.upperBound * 100).rounded())
        return try await change(to: changed, context.replies("voice.volume_set", ["percent": "\(percent)"]))
    }

    private func change(to changed: VoiceSettings, _ text: Wording) async throws -> Reply {
        let before = voice
        try await use(changed)
        return Reply(
            text, effects: ["voice: rate \(changed.rate), volume \(changed.volume)"],
            undo: Undo(context.replies("voice.undo")) { [weak self] in
                guard let self else { return nil }
                try await self.use(before)
                return Undone(effects: ["voice: rate \(before.rate), volume \(before.volume)"])
            })
    }

    private func use(_ changed: VoiceSettings) async throws {
        if mode?.settings.hasVoice != true {
            try await changed.keep(in: context.stores.kept, replacing: ownVoice)
            ownVoice = changed
        }
        voice = changed
    }
}
