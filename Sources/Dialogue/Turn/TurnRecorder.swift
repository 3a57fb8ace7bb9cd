import Domain
import Foundation

/// What is known of the last turns: their traces, and the history that watchers see.
@DialogueActor
package final class TurnRecorder {
    /// From the press to the first samples of the start chime in the device.
    package nonisolated static let pressToChime = "press to chime"
    /// From the press to the end of what was being spoken: the device has dropped what it held.
    package nonisolated static let pressToSilence = "press to silence"
    /// How many traces are kept.
    private static let traceLimit = 50

    private let port: SessionPort
    private var historyLength: Int
    /// What is known of the last turns, oldest first.
    package private(set) var traces: [TurnTrace] = []
    /// The last turns.
    package private(set) var history: [HistoryEntry] = []
    /// Stages that were known before their turn was recorded: what a press did at once.
    package private(set) var earlyStages: [(turn: Int, name: String, duration: Duration)] = []

    nonisolated init(port: SessionPort, historyLength: Int) {
        self.port = port
        self.historyLength = historyLength
    }

    /// Records how a turn ended, or what was found out about it later.
    func record(_ trace: TurnTrace) {
        let whole = withEarlyStages(trace)
        if let place = traces.firstIndex(where: { $0.turn == whole.turn }) {
            traces[place] = whole
        } else {
            traces.append(whole)
        }
        if traces.count > Self.traceLimit { traces.removeFirst() }
        port.emit(.turn(whole))
    }

    /// Records how a turn ended, and answers those who wait for it.
    func record(_ trace: TurnTrace, of turn: Turn) {
        record(trace)
        turn.answerWaiters(traces.last { $0.turn == trace.turn } ?? trace)
    }

    /// Adds the bubbles of a turn to the history.
    func addToHistory(_ turn: Int, palette: Palette) {
        guard let trace = traces.last(where: { $0.turn == turn }) else { return }
        let entry = HistoryEntry(
            turn: turn, user: trace.transcript, answer: trace.answer, palette: palette, startedAt: trace.startedAt)
        history.append(entry)
        shortenHistory()
        port.emit(.history(entry))
    }

    /// Keeps so many turns in the history from now on.
    func keep(historyLength: Int) {
        self.historyLength = historyLength
        shortenHistory()
    }

    private func shortenHistory() {
        if history.count > historyLength { history.removeFirst(history.count - historyLength) }
    }

    /// Adds a stage to a turn, which may have been recorded already or not yet.
    func addStage(_ name: String, _ duration: Duration, turn: Int) {
        if let place = traces.firstIndex(where: { $0.turn == turn }) {
            traces[place].add(name, duration)
        } else if turn >= (traces.last?.turn ?? 0) {
            earlyStages.append((turn, name, duration))
        }
    }

    /// The record of a turn with what was known before it; that of turns which were never recorded is forgotten.
    private func withEarlyStages(_ trace: TurnTrace) -> TurnTrace {
        var whole = trace
        for stage in earlyStages where stage.turn == trace.turn { whole.add(stage.name, stage.duration) }
        earlyStages.removeAll { $0.turn <= trace.turn }
        return whole
    }
}
