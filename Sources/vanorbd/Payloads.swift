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
        self.init(
            turn: trace.turn, source: trace.source == "text" ? .text : .voice, transcript: trace.transcript,
            alternatives: trace.alternatives.map { .init(text: $0.text, confidence: $0.confidence) },
            hearing: trace.hearing.isEmpty ? nil : trace.hearing, normalised: trace.normalised,
            handler: trace.chosen?.handler, intent: trace.chosen?.intent,
            level: TurnLevel(trace.chosen?.level ?? .none), confidence: trace.chosen?.confidence ?? 0,
            recogniserConfidence: trace.recogniserConfidence,
            slots: trace.chosen?.slots.mapValues(\.text) ?? [:],
            classifier: trace.guesses.map { .init(intent: $0.intent, probability: $0.probability) },
            proposals: trace.proposals.map {
                .init(handler: $0.handler, intent: $0.intent, level: TurnLevel($0.level))
            },
            reply: trace.reply, outcome: Control.TurnOutcome(rawValue: trace.outcome.rawValue) ?? .failed,
            effects: trace.effects, stages: trace.stages.map { .init(name: $0.name, milliseconds: $0.milliseconds) },
            startedAt: trace.startedAt)
    }
}

extension TurnLevel {
    init(_ level: MatchLevel) { self = TurnLevel(rawValue: level.name) ?? .none }
}

extension ApplianceState {
    init(_ state: ConversationMachine.State) {
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
            category: entry.category, merchant: entry.merchant, note: entry.note,
            account: entry.account, millilitres: entry.millilitres, date: entry.date,
            timeUncertain: entry.timeUncertain)
    }
}

extension ItemRow {
    init(_ item: Item) {
        self.init(
            id: item.id, name: item.name, quantity: item.quantity, unitGrams: item.unitGrams, place: item.place,
            aliases: item.aliases, category: item.category, notes: item.notes)
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
            // A button has nothing to tell, which is not the same as having told nothing yet.
            case .unknown: device.sources.isEmpty ? "none" : nil
            }
        var words = [state.map { device.unit != nil && report.number != nil ? "\($0) \(device.unit ?? "")" : $0 }]
        let isLit = device.kind != .sensor && report.state != .off && state != nil
        words.append(isLit ? report.level.map { "\(Int($0.rounded())) %" } : nil)
        words.append(report.target.map { "set to \($0.formatted()) °C" })
        words.append(report.option.flatMap { $0 == state ? nil : $0 })
        let told = words.compactMap { $0 }.joined(separator: ", ")
        self.init(
            id: device.id, name: device.name, kind: device.kind.rawValue, area: device.area,
            state: told.isEmpty ? nil : report.isStale ? "\(told) (stale)" : told, online: report.isAvailable,
            source: device.origin == Device.ownersOrigin ? "devices.yaml" : device.origin,
            ageSeconds: report.age?.seconds)
    }
}
