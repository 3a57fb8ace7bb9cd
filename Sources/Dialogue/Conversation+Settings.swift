/// Settings that change while the conversation goes on.
extension Conversation {
    /// Goes on by other settings. What is under way ends as it began: time limits and the end of an utterance count
    /// from the next turn on, the voice from the next reply on. The hours of the night and the length of the history
    /// count at once.
    /// - Parameter settings: its voice is the owner's own, as he has set it or asked for it.
    public func adopt(_ settings: ConversationSettings) {
        let before = self.settings
        self.settings = settings
        machine.adopt(
            limits: settings.limits, buttonMode: settings.buttonMode, tapWhileListening: settings.tapWhileListening)
        // What was asked of a mode's own voice stays while another setting changes.
        if settings.voice != ownVoice {
            ownVoice = settings.voice
            voice = mode?.settings.applied(to: ownVoice) ?? ownVoice
        }
        shortenHistory()
        if settings.night != before.night { followNight() }
    }

    /// The van's mode, where that has a say of its own over a setting.
    public func modeOverriding(over key: String) -> String? {
        guard let mode, mode.settings.own.contains(key) else { return nil }
        return mode.name
    }

    /// Forgets what is more than the history keeps.
    func shortenHistory() {
        if history.count > settings.historyLength { history.removeFirst(history.count - settings.historyLength) }
    }
}
