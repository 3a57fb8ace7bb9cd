/// What the ring shows of the appliance's health.
extension Conversation {
    /// Shows trouble as it comes and goes, until the task is cancelled.
    func followTrouble(_ changes: AsyncStream<Void>) async {
        for await _ in changes { judgeTrouble() }
        lookingAgain?.cancel()
    }

    /// Tells the machine the worst trouble there is, and looks again when waiting alone may make it worse.
    func judgeTrouble() {
        let now = elapsed()
        let (trouble, again) = troubles.judge(parts.health.all, at: now)
        receive(.trouble(trouble))
        lookingAgain?.cancel()
        lookingAgain = again.map { time in
            let clock = clock
            return Task {
                guard (try? await clock.sleep(for: time - now)) != nil, !Task.isCancelled else { return }
                self.judgeTrouble()
            }
        }
    }
}
