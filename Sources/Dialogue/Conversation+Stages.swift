/// The stages of a turn that do not wait for it: what a press did at once, and the sound of the reply.
extension Conversation {
    /// From the press to the first samples of the start chime in the device.
    static let pressToChime = "press to chime"
    /// From the press to the end of what was being spoken: the device has dropped what it held.
    static let pressToSilence = "press to silence"

    /// Notes how long a press takes to end `speech`, with the turn that the press begins.
    func timeSilence(of speech: Task<Void, Never>?) {
        guard let pressed = pressUnderWay, let speech else { return }
        let turn = machine.turn
        Task {
            await speech.value
            self.addStage(Self.pressToSilence, pressed.duration(to: .now), turn: turn)
        }
    }

    /// Adds a stage to a turn, which may have been recorded already or not yet.
    func addStage(_ name: String, _ duration: Duration, turn: Int) {
        if let place = traces.firstIndex(where: { $0.turn == turn }) {
            traces[place].add(name, duration)
        } else if turn >= (traces.last?.turn ?? 0) {
            earlyStages.append((turn, name, duration))
        }
    }

    /// The record of a turn with what was known before it; of turns that were never recorded it is forgotten.
    func withEarlyStages(_ trace: TurnTrace) -> TurnTrace {
        var whole = trace
        for stage in earlyStages where stage.turn == trace.turn { whole.add(stage.name, stage.duration) }
        earlyStages.removeAll { $0.turn <= trace.turn }
        return whole
    }
}
