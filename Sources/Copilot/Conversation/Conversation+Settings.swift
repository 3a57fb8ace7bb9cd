/// Settings that change while the conversation goes on.
extension Conversation {
    /// Goes on by other settings. What is under way ends as it began: time limits and the end of an utterance count from
    /// the next turn on, the voice from the next reply on. The hours of the night and the length of the history count at
    /// once.
    /// - Parameter settings: its voice is the owner's own, as he has set it or asked for it.
    public func adopt(_ settings: ConversationSettings) {
        let before = self.settings
        self.settings = settings
        machine.adopt(
            limits: settings.limits, buttonMode: settings.buttonMode, tapWhileListening: settings.tapWhileListening)
        ownVoice = settings.voice
        voice = mode?.settings.applied(to: ownVoice) ?? ownVoice
        shortenHistory()
        if settings.night != before.night { followNight() }
    }

    /// Forgets what is more than the history keeps.
    func shortenHistory() {
        if history.count > settings.historyLength { history.removeFirst(history.count - settings.historyLength) }
    }
}
