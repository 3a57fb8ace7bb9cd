import Domain
import Language
import Foundation

/// The owner's own commands: publications with the slots filled in, and a reply.
struct CustomHandler: Handler {
    static let name = HandlerName.custom
    /// The owner's own, which are in no list.
    static let intents: [String] = []

    let bus: (any Bus)?
    let environment: HandlerEnvironment

    func act(on command: Command) async throws -> Reply {
        guard let intent = environment.books.intent(Self.name, command.intent) else {
            throw HandlerFailure(
                replyKey: "general.failed", detail: "no phrasebook has the custom intent “\(command.intent)”")
        }
        var values = command.slots.mapValues { Self.published($0) }
        values["slots"] = try Self.json(values)
        if let question = intent.confirm, !command.isConfirmed {
            return Reply(PlaceholderText(question).worded(values), question: .confirmation(of: command))
        }
        var effects: [String] = []
        for (topic, payload) in messages(intent.publish, values) {
            guard let bus else { return .failed(replies("van.unreachable")) }
            // A turn that was dropped meanwhile publishes nothing more, and reports what it has published.
            if Task.isCancelled {
                guard !effects.isEmpty else { throw CancellationError() }
                return .failed(
                    replies("custom.partly"), effects: effects, undo: undo(intent, values))
            }
            do {
                try await bus.publish(topic: topic, payload: payload, retain: false)
            } catch {
                let sent = effects.isEmpty ? "van.unreachable" : "custom.partly"
                return .failed(
                    replies(sent), effects: effects + ["mqtt: not acknowledged: \(topic), \(error)"],
                    undo: effects.isEmpty ? nil : undo(intent, values))
            }
            effects.append("mqtt: \(topic) \(payload)")
        }
        let text = intent.reply.map { PlaceholderText($0).worded(values) } ?? replies("custom.sent")
        return Reply(text, effects: effects, undo: effects.isEmpty ? nil : undo(intent, values))
    }

    private func messages(
        _ publications: [Publication], _ values: [String: String]
    ) -> [(topic: String, payload: String)] {
        // A slot must not add levels or wildcards to the owner's topic.
        let safe = values.mapValues {
            $0.replacing("/", with: "_").replacing("+", with: "_").replacing("#", with: "_")
        }
        return publications.map {
            (PlaceholderText($0.topic).filled(safe), PlaceholderText($0.payload).filled(values))
        }
    }

    /// The owner's own way back. Without one the command cannot be undone, and the reply to an undo says so rather than
    /// undoing the change before.
    private func undo(
        _ intent: PhrasebookIntent, _ values: [String: String]
    ) -> Undo {
        let name = intent.name.split(separator: "_").joined(separator: " ")
        let way = messages(intent.undo, values)
        return Undo(replies("custom.undo", ["command": name])) {
            guard let bus, !way.isEmpty else { return nil }
            var undone = Undone()
            for (topic, payload) in way {
                do {
                    try Task.checkCancellation()
                    try await bus.publish(topic: topic, payload: payload, retain: false)
                    undone.effects.append("mqtt: \(topic) \(payload)")
                } catch is CancellationError {
                    undone.left = [replies("custom.left")]
                    break
                } catch {
                    undone.effects.append("mqtt: not acknowledged: \(topic), \(error)")
                    undone.left = [replies("custom.left")]
                    break
                }
            }
            return undone
        }
    }

    /// A number or measure in digits, as devices read it; anything else as its text.
    private static func published(_ slot: SlotValue) -> String {
        guard let number = slot.number else { return slot.text }
        return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    private static func json(_ values: [String: String]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(values), as: UTF8.self)
    }
}
