import Domain
import Devices
import Handlers

/// What the van's mode means for the conversation.
extension Conversation {
    /// Speaks as the mode wants it that the van is in by now.
    func followMode() async {
        let kept = parts.context.stores.kept
        // A lost store, or one that hangs, cannot tell; it stays as it was.
        let told = await withReplyTimeout(clock: clock) { try await kept.value(ModesHandler.key) ?? "" }
        guard let told else { return }
        let name = told.isEmpty ? nil : told
        guard name != mode?.name else { return }
        let before = mode?.settings ?? ModeSettings()
        mode = parts.context.van.modes.first { $0.name == name }
        let now = mode?.settings ?? ModeSettings()
        if before.hasVoice || now.hasVoice { voice = now.applied(to: ownVoice) }
        followRing()
    }

    /// Whether replies are spoken.
    var speaksReplies: Bool { mode?.settings.autoSpeak ?? settings.autoSpeak }

    /// The voice of a warning: a mode's may be too low to wake anybody.
    var warningVoice: VoiceSettings {
        var loud = voice
        loud.volume = max(loud.volume, ownVoice.volume, 1)
        return loud
    }
}
