import Foundation

/// Emergencies: the number to call, where the first aid kit is, what to do. Needs neither network nor classifier, and
/// answers also when the store does not.
enum EmergencyHandler: Handler {
    static let name = "emergency"
    static let intents = [
        "emergency", "fire", "gas", "carbon_monoxide", "medical", "emergency_number", "first_aid",
    ]

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        let replies = context.replies
        var parts: [String] = [], effects: [String] = []
        let number =
            replies.keys.contains("emergency_numbers.\(context.country)")
            ? replies("emergency_numbers.\(context.country)") : replies("emergency_numbers.other")
        let call = replies("emergency.call", ["number": number.map(String.init).joined(separator: " ")])
        switch command.intent {
        case "emergency_number": parts = [call]
        case "first_aid":
            let place = await place(of: "first aid kit", "emergency.first_aid_kit", context)
            parts = place.isEmpty ? [replies("emergency.no_first_aid_kit"), call] : [place]
        default:
            parts = [replies("emergency.\(command.intent)"), call, replies("emergency.cannot_call")]
            if command.intent == "fire" {
                parts.append(await place(of: "fire extinguisher", "emergency.extinguisher", context))
            }
            if ["emergency", "medical"].contains(command.intent) {
                parts.append(await place(of: "first aid kit", "emergency.first_aid_kit", context))
                if let notes = try? await context.stores.kept.value("medical_notes"), !notes.isEmpty {
                    parts.append(replies("emergency.medical_notes", ["notes": notes]))
                }
            }
            effects = await publish(command.intent, context)
        }
        return Reply(parts.filter { !$0.isEmpty }.joined(separator: " "), palette: .emergency, effects: effects)
    }

    private static func place(of name: String, _ key: String, _ context: HandlerContext) async -> String {
        // A damaged store must not silence the rest.
        let items = (try? await context.stores.manifest.items()) ?? []
        guard let item = items.first(where: { $0.name.contains(name) }), let place = item.place else { return "" }
        return context.replies(key, ["place": context.spoken.the(place)])
    }

    private static func publish(_ intent: String, _ context: HandlerContext) async -> [String] {
        guard let bus = context.bus else { return [] }
        let payload = "{\"kind\": \"\(intent)\"}"
        do {
            try await bus.publish(topic: "vanorb/emergency", payload: payload, retain: false)
            return ["mqtt: vanorb/emergency \(payload)"]
        } catch { return ["mqtt: nothing sent, \(error)"] }
    }
}
