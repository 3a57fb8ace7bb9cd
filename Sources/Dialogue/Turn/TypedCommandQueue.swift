import Domain
import Handlers

/// A typed command that waits.
struct TypedCommand: Sendable {
    let number: Int
    let text: String
    /// True where nobody has heard a question that the text could answer.
    let isUnheard: Bool
    let answer: CheckedContinuation<TurnTrace, Never>
}

/// Commands that are typed, or come from another program: one after the other, none at the cost of another.
@DialogueActor
package final class TypedCommandQueue {
    /// How many typed commands wait at most; one more is refused.
    package nonisolated static let limit = 100

    private let context: HandlerContext
    private let port: SessionPort
    private var waiting: [TypedCommand] = []
    private var lastNumber = 0

    nonisolated init(_ context: HandlerContext, port: SessionPort) {
        self.context = context
        self.port = port
    }

    /// How many commands wait.
    package var count: Int { waiting.count }

    /// Types a command and returns its turn once the reply is known. A caller that is cancelled while its command waits
    /// withdraws it.
    /// - Returns: a turn that failed, numbered 0, where too many wait.
    func enter(_ text: String, isUnheard: Bool) async -> TurnTrace {
        guard waiting.count < Self.limit else { return refusal(of: text, "general.too_many_typed") }
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let command = TypedCommand(number: number, text: text, isUnheard: isUnheard, answer: answer)
                // Typing takes the turn while the microphone waits for the first word; a sentence is not cut off.
                let isSilent = port.phase == .listening && !port.hasSpeech
                if waiting.isEmpty, mayBegin || isSilent { port.begin(command) } else { waiting.append(command) }
            }
        } onCancel: {
            Task { await self.withdraw(number) }
        }
    }

    /// True where a typed command takes nobody's turn: a question may be answered by voice or by hand.
    private var mayBegin: Bool {
        switch port.phase {
        case .closed, .ready, .speaking: true
        case .listening: port.isAwaitingAnswer && !port.hasSpeech
        case .thinking: false
        }
    }

    /// Begins the command that has waited longest, if it may begin.
    func beginNext() {
        guard !waiting.isEmpty, mayBegin else { return }
        port.begin(waiting.removeFirst())
    }

    private func withdraw(_ number: Int) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        let command = waiting.remove(at: place)
        command.answer.resume(returning: refusal(of: command.text, "general.cancelled", .cancelled))
    }

    /// Answers those that still wait when the session ends.
    func refuseAll() {
        let refused = waiting
        waiting = []
        for command in refused { command.answer.resume(returning: refusal(of: command.text, "general.failed")) }
    }

    private func refusal(of typed: String, _ key: String, _ outcome: TurnOutcome = .failed) -> TurnTrace {
        var trace = TurnTrace(turn: 0, source: "text", startedAt: context.now())
        trace.transcript = typed
        trace.answer = context.replies(key)
        trace.outcome = outcome
        return trace
    }
}
