import Domain

/// A typed command that waits.
struct TypedCommand {
    let number: Int
    let text: String
    /// True where nobody has heard a question that the text could answer.
    let isUnheard: Bool
    let answer: CheckedContinuation<TurnTrace, Never>
}

/// Commands that are typed, or come from another program: one after the other, none at the cost of another.
extension Conversation {
    /// How many typed commands wait at most; one more is refused.
    static let queueLimit = 100

    /// Types a command and returns its turn once the reply is known. A turn that is being thought about gets its reply
    /// first. A caller that is cancelled while its command waits withdraws it.
    /// - Returns: a turn that failed, numbered 0, where too many wait.
    public func say(_ text: String) async -> TurnTrace { await enter(text, isUnheard: false) }

    /// Takes a command from another program. Nobody has heard the question that it may answer: what waits for a yes is
    /// dropped before.
    public func take(_ text: String) async -> TurnTrace { await enter(text, isUnheard: true) }

    private func enter(_ text: String, isUnheard: Bool) async -> TurnTrace {
        guard typedQueue.count < Self.queueLimit else { return refusal(of: text, "general.too_many_typed") }
        nextTypedNumber += 1
        let number = nextTypedNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let command = TypedCommand(number: number, text: text, isUnheard: isUnheard, answer: answer)
                // Who types while the microphone waits for the first word takes the turn; a sentence is not cut off.
                if typedQueue.isEmpty, takesTyped || machine.state == .listening && !endpointer.hasSpeech {
                    begin(command)
                } else {
                    typedQueue.append(command)
                }
            }
        } onCancel: {
            Task { await self.withdraw(number) }
        }
    }

    /// True where a typed command takes nobody's turn: a question may be answered by voice or by hand.
    private var takesTyped: Bool {
        switch machine.state {
        case .closed, .ready, .speaking: true
        case .listening: machine.isAwaitingAnswer && !endpointer.hasSpeech
        case .thinking: false
        }
    }

    /// Begins the command that has waited longest, if it may begin.
    func beginQueued() {
        guard !typedQueue.isEmpty, takesTyped else { return }
        begin(typedQueue.removeFirst())
    }

    private func begin(_ command: TypedCommand) {
        if command.isUnheard { open.dropQuestion() }
        let actions = machine.receive(.text)
        let turn = machine.turn
        typedText[turn] = command.text
        typedTurn = turn
        waiters[turn, default: []].append(command.answer)
        perform(actions)
    }

    private func withdraw(_ number: Int) {
        guard let place = typedQueue.firstIndex(where: { $0.number == number }) else { return }
        let command = typedQueue.remove(at: place)
        command.answer.resume(returning: refusal(of: command.text, "general.cancelled", .cancelled))
    }

    /// Answers those that still wait when the conversation ends.
    func refuseQueued() {
        let waiting = typedQueue
        typedQueue = []
        for command in waiting {
            command.answer.resume(returning: refusal(of: command.text, "general.failed"))
        }
    }

    private func refusal(of typed: String, _ key: String, _ outcome: TurnOutcome = .failed) -> TurnTrace {
        var trace = TurnTrace(turn: 0, source: "text", startedAt: parts.context.now())
        trace.transcript = typed
        trace.reply = text(key)
        trace.outcome = outcome
        return trace
    }
}
