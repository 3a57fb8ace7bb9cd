import Domain

/// What the night means for the conversation.
extension Conversation {
    /// Between two looks at the time of day.
    static let nightPause = Duration.seconds(30)

    /// Follows the hours of the night, until its task is cancelled; in place of those that it followed before.
    func followNight() {
        night?.cancel()
        followRing()
        guard settings.night != nil else { return night = nil }
        let clock = clock
        night = Task {
            while (try? await clock.sleep(for: Self.nightPause)) != nil { self.followRing() }
        }
    }

    /// Gives the ring its night's colours, or the day's, where that has changed.
    func followRing() {
        let isNight = mode?.settings.nightRing ?? isNightByHours
        guard isNight != showsNight else { return }
        showsNight = isNight
        parts.panel.setNight(isNight)
    }

    /// A clock that may be wrong makes no night: it would be dark at noon.
    private var isNightByHours: Bool {
        guard let night = settings.night, parts.context.isTimeCertain() else { return false }
        return night.contains(parts.context.now(), in: parts.context.calendar)
    }

    /// The voice of replies: lower at night, unless the mode has a loudness of its own.
    var replyVoice: VoiceSettings {
        guard mode?.settings.volume == nil, isNightByHours else { return voice }
        var low = voice
        low.volume *= settings.nightSpeech
        return low
    }
}
