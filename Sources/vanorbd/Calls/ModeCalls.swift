import Dialogue
import Control

/// Calls about modes and medical notes, and those that listen and speak without the button.
struct ModeCalls: Sendable {
    let conversation: Conversation
    let modes: TypedModes
    let notes: TypedNotes

    init(_ conversation: Conversation) {
        self.conversation = conversation
        modes = TypedModes(conversation)
        notes = TypedNotes(conversation)
    }

    func register(in table: inout CallTable) {
        table.register(ModesCall.self) { [self] _ in
            let rows = modes.all.map {
                ModeRow(name: $0.name, aliases: $0.aliases, checks: $0.checks.count, actions: $0.actions.count)
            }
            return ModesResult(modes: rows, current: try await modes.current())
        }
        table.register(ModeSetCall.self) { [self] arguments in
            try await typed {
                let reply = try await modes.set(arguments.mode ?? "", isConfirmed: arguments.confirmed == true)
                return Acknowledgement(reply, withoutEffect: true)
            }
        }
        table.register(ModeCheckCall.self) { [self] arguments in
            try await typed {
                let reply = try await modes.check(arguments.mode)
                return Acknowledgement(done: await modes.isReady(arguments.mode), message: reply.wording.written)
            }
        }
        table.register(MedicalCall.self) { [self] _ in MedicalNotes(notes: try await notes.medical()) }
        table.register(MedicalSetCall.self) { [self] arguments in
            try await typed { Acknowledgement(try await notes.setMedical(arguments.notes)) }
        }
        table.register(ListenCall.self) { [self] _ in try await listen() }
        table.register(HistorySpeakCall.self) { [self] arguments in
            try await typed {
                do {
                    return Acknowledgement(message: try await conversation.services.speakAgain(turn: arguments.turn))
                } catch let failure as PlayFailure {
                    throw ControlError(
                        code: failure == .busy ? ControlError.Code.busy : ControlError.Code.failed,
                        message: "\(failure)")
                }
            }
        }
    }

    /// Opens the microphone as a press does, and waits for the turn's end. A caller that goes away drops the utterance.
    private func listen() async throws -> TraceRecord {
        let trace = await withTaskCancellationHandler {
            await conversation.hear(.room)
        } onCancel: {
            Task { await conversation.cancel() }
        }
        guard let trace else {
            throw ControlError(
                code: ControlError.Code.failed, message: "VanOrb is muted. Run `vanorb unmute`."
            )
        }
        return TraceRecord(trace)
    }
}
