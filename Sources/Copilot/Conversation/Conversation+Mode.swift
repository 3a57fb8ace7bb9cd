/// What the van's mode means for the conversation.
extension Conversation {
    /// Speaks as the mode wants it that the van is in by now.
    func followMode() async {
        let name: String?
        // A lost store cannot tell; it stays as it was.
        do { name = try await parts.context.stores.kept.value(ModesHandler.key) } catch { return }
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
