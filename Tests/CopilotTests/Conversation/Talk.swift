@testable import Domain
@testable import AudioPipeline
@testable import Dialogue
import CopilotTestKit
import Foundation
import Synchronization
import Testing

/// A conversation on fakes, with everything that it says and does.
struct Talk: Sendable {
    let conversation: Conversation
    let events: Journal<ConversationEvent>
    let bench: VanBench
    let clock: ManualClock
    let microphone: ScriptedMicrophone?
    let recogniser: ScriptedRecogniser?
    let speaker: RecordingSpeaker
    let synthesiser: FakeSynthesiser
    let panel: FakePanel
    let ducking = FakeDucking()
    let health = Health()
    private let hooks: Hooks

    /// What happens as the conversation tells of a look, in the middle of its work.
    private final class Hooks: Sendable {
        let byLook = Mutex<[RingLook: @Sendable () async -> Void]>([:])
    }

    init(
        _ bench: VanBench, hears openings: [ScriptedMicrophone.Opening] = [], says texts: [String] = [],
        recogniser given: ScriptedRecogniser? = nil, hasMicrophone: Bool = true, hasRecogniser: Bool = true,
        classifier: (any IntentClassifier)? = nil,
        isMuted: Bool = false, introduces: Bool = false, _ change: (inout ConversationSettings) -> Void = { _ in }
    ) async throws {
        let events = Journal<ConversationEvent>("conversation"), hooks = Hooks()
        let clock = ManualClock(), panel = FakePanel(), speaker = RecordingSpeaker(), synthesiser = FakeSynthesiser()
        let microphone = hasMicrophone ? ScriptedMicrophone(openings) : nil
        let recogniser = hasRecogniser ? given ?? ScriptedRecogniser(texts: texts) : nil
        var settings = ConversationSettings()
        change(&settings)
        let chime = Sound(samples: Array(repeating: 0, count: 1_600), sampleRate: 16_000)
        let parts = ConversationParts(
            panel: panel, microphone: microphone, speaker: speaker, synthesiser: synthesiser, recogniser: recogniser,
            hearing: Hearing { EnergyVoiceActivity() }, classifier: classifier, context: bench.context,
            chimes: [.start: chime, .end: chime, .error: chime], ducking: ducking, health: health)
        let names = await OwnerNamesReader.readableNames(bench.context).names
        conversation = await Conversation(
            parts: parts, settings: settings,
            start: SessionStart(names: names, isMuted: isMuted, introduces: introduces),
            logger: .silent, clock: clock
        ) { [hooks] event in
            if case .look(let look, _) = event, let hook = hooks.byLook.withLock({ $0.removeValue(forKey: look) }) {
                Task { await hook() }
            }
            events.note(event)
        }
        self.hooks = hooks
        self.events = events
        self.bench = bench
        self.clock = clock
        self.microphone = microphone
        self.recogniser = recogniser
        self.speaker = speaker
        self.synthesiser = synthesiser
        self.panel = panel
    }

    // MARK: the owner

    /// Presses and releases, long after whatever was pressed before.
    func tap() async {
        clock.advance(by: .milliseconds(500))
        await conversation.press(.pressed)
        clock.advance(by: .milliseconds(100))
        await conversation.press(.released)
    }

    /// Does something as soon as the ring next shows `look`.
    func atLook(_ look: RingLook, _ hook: @escaping @Sendable () async -> Void) {
        hooks.byLook.withLock { $0[look] = hook }
    }

    // MARK: what happens

    /// Returns once the state has been `state`, counting from the event at `start`.
    @discardableResult
    func reached(_ state: ConversationMachine.Phase, from start: Int = 0) async throws -> Int {
        try await events.first("state \(state)", from: start) { $0.isStatus(state) }
        return events.entries.indices.first { $0 >= start && events.entries[$0].isStatus(state) } ?? start
    }

    /// The record of a turn, once it has come to its end.
    func turn(_ number: Int) async throws -> TurnTrace {
        let event = try await events.first("the end of turn \(number)") { event in
            if case .turn(let trace) = event { trace.turn == number } else { false }
        }
        guard case .turn(let trace) = event else { throw NeverHappened(description: "turn \(number)") }
        return trace
    }

    /// The entry of the history for a turn.
    func history(_ number: Int) async throws -> HistoryEntry {
        let event = try await events.first("turn \(number) in the history") { event in
            if case .history(let entry) = event { entry.turn == number } else { false }
        }
        guard case .history(let entry) = event else { throw NeverHappened(description: "history \(number)") }
        return entry
    }

    /// Returns once a sentence has been handed to the speaker.
    func spoken(_ sentence: String) async throws {
        try await speaker.journal.until("“\(sentence)” is spoken") { $0.contains(.sentence(sentence)) }
    }

    /// What the ledger holds.
    var ledger: [LedgerEntry] {
        get async throws { try await bench.stores.ledger.entries(limit: 100) }
    }
}

extension ConversationEvent {
    func isStatus(_ wanted: ConversationMachine.Phase) -> Bool {
        if case .status(let state, _, _) = self { state == wanted } else { false }
    }
    /// The event in short, for comparing orders.
    var brief: String {
        switch self {
        case .status(let state, _, _): "status \(state)"
        case .hint: "hint"
        case .partial(let text, _): "partial \(text)"
        case .transcript(let text, _): "transcript \(text)"
        case .look(let look, _): "look \(look)"
        case .pulse(let pulse): "pulse \(pulse)"
        case .chime(let chime): "chime \(chime)"
        case .reply(let text, _): "reply \(text)"
        case .word(let text, _, _): "word \(text)"
        case .turn(let trace): "turn \(trace.turn) \(trace.outcome.rawValue)"
        case .history(let entry): "history \(entry.turn)"
        case .action(let action): "action \(action.kind) \(action.target)"
        case .notice(let text): "notice \(text)"
        case .changed(let handler): "changed \(handler)"
        case .session(let isOpen): "session \(isOpen)"
        }
    }
}

extension Conversation {
    /// Takes back the last change, also where that is risky.
    nonisolated func undo() async -> TurnTrace { await services.typed.undo(isConfirmed: true) }
}

extension VanBench {
    /// What was published, but for what attached screens are to do.
    var commands: [FakeBus.Publication] { bus.journal.entries.filter { $0.topic != AppAction.topic } }
}

extension [ScriptedMicrophone.Opening] {
    /// A microphone that may be opened by a question and hears nothing: the test types.
    static var patient: Self { Array(repeating: .hears([], then: .waiting), count: 4) }
}
