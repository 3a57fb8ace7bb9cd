import Domain
import Language
import Devices
import Dialogue
import Control
import Foundation

// The socket's payloads and the core's values are different types on purpose: Control never imports the core. Here they
// meet.

extension TraceRecord {
    init(_ trace: TurnTrace) {
        let chosen = trace.chosen
        self.init(
            Origin(turn: trace.turn, source: trace.source == "text" ? .text : .voice, startedAt: trace.startedAt),
            heard: Heard(
                trace.transcript, normalised: trace.normalised, recogniserConfidence: trace.recogniserConfidence,
                alternatives: trace.alternatives.map { .init(text: $0.text, confidence: $0.confidence) },
                hearing: trace.hearing.isEmpty ? nil : trace.hearing),
            interpretation: Interpretation(
                handler: chosen?.handler, intent: chosen?.intent, level: TurnLevel(chosen?.level ?? .none),
                confidence: chosen?.confidence ?? 0, slots: chosen?.slots.mapValues(\.text) ?? [:]),
            routing: Routing(
                classifier: trace.guesses.map { .init(intent: $0.intent, probability: $0.probability) },
                proposals: trace.proposals.map {
                    .init(handler: $0.handler, intent: $0.intent, level: TurnLevel($0.level))
                }, stages: trace.stages.map { .init(name: $0.name, milliseconds: $0.milliseconds) }),
            result: Result(
                reply: trace.reply, outcome: Control.TurnOutcome(rawValue: trace.outcome.rawValue) ?? .failed,
                effects: trace.effects))
    }
}

extension TurnLevel {
    init(_ level: MatchLevel) { self = TurnLevel(rawValue: level.name) ?? .none }
}

extension ApplianceState {
    init(_ state: ConversationMachine.Phase) {
        self =
            switch state {
            case .closed: .closed
            case .ready: .ready
            case .listening: .listening
            case .thinking: .thinking
            case .speaking: .speaking
            }
    }
}

extension Control.HistoryEntry {
    init(_ entry: Dialogue.HistoryEntry) {
        self.init(turn: entry.turn, user: entry.user, assistant: entry.assistant, startedAt: entry.startedAt)
    }
}

extension WatchEvent {
    /// The event as watchers see it; nil for what concerns nobody outside.
    init?(_ event: ConversationEvent) {
        switch event {
        case .status(let state, let line, _): self = .status(line, state: ApplianceState(state))
        case .hint(let hint): self = .hint(hint)
        case .partial(let text, let audio): self = .partial(text, audioSeconds: audio.seconds)
        case .transcript(let text, let audio): self = .transcript(text, audioSeconds: audio?.seconds)
        case .look(let look, let palette): self = .ring(look: look.rawValue, palette: palette.rawValue)
        case .pulse(let haptic): self = .haptic(haptic.rawValue)
        case .chime(let chime): self = .chime(chime.rawValue)
        case .reply(let text, _): self = .reply(text)
        case .word(let word, let start, let end): self = .word(word, start: start, end: end)
        case .turn(let trace): self = .turn(TraceRecord(trace))
        case .history(let entry): self = .history(Control.HistoryEntry(entry))
        case .action(let action): self = .action(action.kind, target: action.target)
        case .notice(let text): self = .notice(text)
        case .changed(let handler): self = .changed(handler)
        case .session: return nil
        }
    }
}

extension MoneyAmount {
    init(_ money: Money) {
        self.init(
            minorUnits: money.minorUnits, currency: money.currency, exponent: Money.exponent(of: money.currency))
    }
}

extension LedgerRow {
    init(_ entry: LedgerEntry) {
        self.init(
            id: entry.id, kind: entry.kind == .income ? .income : .expense, amount: MoneyAmount(entry.amount),
            category: entry.category, date: entry.date)
        (merchant, note, account) = (entry.merchant, entry.note, entry.account)
        (millilitres, timeUncertain) = (entry.millilitres, entry.timeUncertain)
    }
}

extension ItemRow {
    init(_ item: Item) {
        self.init(
            id: item.id, name: item.name, quantity: item.quantity, unitGrams: item.unitGrams, place: item.place)
        (aliases, category, notes) = (item.aliases, item.category, item.notes)
    }
}

extension DeviceRow {
    init(_ device: Device, _ report: DeviceReport) {
        let state: String? =
            switch report.state {
            case .on: "on"
            case .off: "off"
            case .value(let value): value
            case .invalid: "invalid"
            // A button has no state, which differs from one that is not known yet.
            case .unknown: device.sources.isEmpty ? "none" : nil
            }
        var words = [state.map { device.unit != nil && report.number != nil ? "\($0) \(device.unit ?? "")" : $0 }]
        let isLit = device.kind != .sensor && report.state != .off && state != nil
        words.append(isLit ? report.level.map { "\(Int($0.rounded())) %" } : nil)
        words.append(report.target.map { "set to \($0.formatted()) °C" })
        words.append(report.option.flatMap { $0 == state ? nil : $0 })
        let text = words.compactMap { $0 }.joined(separator: ", ")
        self.init(
            id: device.id, name: device.name, kind: device.kind.rawValue,
            state: text.isEmpty ? nil : report.isStale ? "\(text) (stale)" : text, online: report.isAvailable,
            source: device.origin == Device.ownersOrigin ? "devices.yaml" : device.origin)
        area = device.area
        ageSeconds = report.age?.seconds
    }
}

extension Acknowledgement {
    /// What would be asked aloud before it is done.
    static func asking(_ question: String) -> Acknowledgement {
        Acknowledgement(done: false, message: "\(question) Nothing was changed. To do it, add --yes.")
    }

    /// What came of something typed. What would be asked aloud is for the caller to decide, by doing it again.
    /// - Parameter countsAsDone: whether a reply that changed nothing is as good: what was wanted is so already.
    init(_ reply: Reply, withoutEffect countsAsDone: Bool = false) {
        switch reply.question {
        case .confirmation: self = .asking(reply.wording.written)
        case .slot, .choice: self.init(done: false, message: reply.wording.written)
        case .steps, nil:
            let isDone = reply.outcome == .done && (countsAsDone || !reply.effects.isEmpty)
            self.init(done: isDone, message: reply.wording.written)
        }
    }
}

/// Answers a call with what came of something typed.
/// - Throws: `ControlError` for what was refused; other errors as they are.
func typed<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let refusal as TypedRefusal {
        throw ControlError(code: ControlError.Code.badArguments, message: refusal.description)
    }
}
