import Domain
import Language
import Foundation

/// Emergencies: the number to call, where we are, where the first aid kit is, what to do. Needs neither network nor
/// classifier, and answers also when the store does not.
package enum EmergencyHandler: Handler {
    package static let name = HandlerName.emergency
    package static let intents = [
        "emergency", "fire", "gas", "carbon_monoxide", "medical", "emergency_number", "location", "first_aid",
    ]

    /// Where the medical notes are kept.
    package static let notesKey = "medical_notes"

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        let facts = await EmergencyFacts.gather(context)
        let parts: [String?]
        var effects: [String] = []
        switch command.intent {
        case "emergency_number": parts = numbers(command, facts, context)
        case "location": parts = [location(facts, context), call(nil, facts, context)]
        case "first_aid": parts = firstAid(command, facts, context)
        default:
            parts = alarm(command.intent, facts, context)
            // Gathering takes a moment; a turn that was dropped meanwhile publishes nothing.
            effects = Task.isCancelled ? [] : await publish(command.intent, facts, context)
        }
        let text = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        return Reply(text, palette: .emergency, effects: effects)
    }

    /// What to do comes first, then whom to call and what to tell them.
    private static func alarm(_ kind: String, _ facts: EmergencyFacts, _ context: HandlerContext) -> [String?] {
        let replies = context.replies
        let service = ["fire": "fire", "gas": "fire", "carbon_monoxide": "fire", "medical": "ambulance"][kind]
        var parts: [String?] = [replies("emergency.\(kind)"), call(service, facts, context)]
        parts += [replies("emergency.cannot_call"), facts.whereabouts == nil ? nil : location(facts, context)]
        if kind == "fire" { parts.append(facts.extinguisher.map { replies("emergency.extinguisher", ["place": $0]) }) }
        if ["emergency", "medical", "carbon_monoxide"].contains(kind) {
            parts.append(facts.firstAidKit.map { replies("emergency.first_aid_kit", ["place": $0]) })
            parts.append(facts.medicalNotes.map { replies("emergency.medical_notes", ["notes": $0]) })
        }
        return parts
    }

    private static func firstAid(
        _ command: Command, _ facts: EmergencyFacts, _ context: HandlerContext
    ) -> [String?] {
        let replies = context.replies
        let kit = facts.firstAidKit.map { replies("emergency.first_aid_kit", ["place": $0]) }
        let steps = command.text("injury").map { replies("emergency.aid_\($0)") }
        return [steps, kit ?? replies("emergency.no_first_aid_kit"), call("ambulance", facts, context)]
    }

    // MARK: numbers

    /// “The emergency number here is 1 1 2, or 1 5 for an ambulance.”
    private static func call(_ service: String?, _ facts: EmergencyFacts, _ context: HandlerContext) -> String {
        let replies = context.replies, numbers = facts.numbers
        let own = service == "fire" ? numbers.fire : service == "ambulance" ? numbers.ambulance : nil
        var values = ["number": spelled(numbers.general)]
        if let country = facts.country.map({ replies.country($0) }) { values["country"] = country }
        let key = facts.country == nil ? "emergency.call" : "emergency.call_in"
        guard let service, let own, own != numbers.general else { return replies(key, values) }
        values["other"] = spelled(own)
        return replies("\(key)_\(service)", values)
    }

    private static func numbers(
        _ command: Command, _ facts: EmergencyFacts, _ context: HandlerContext
    ) -> [String?] {
        let replies = context.replies
        var facts = facts
        if let named = command.text("country") {
            guard let code = replies.country(of: named), let numbers = EmergencyNumbers.of(code) else {
                return [replies("emergency.number_unknown", ["country": named])]
            }
            facts = facts.abroad(code, numbers)
        }
        let services: [(String, String?)] = [
            ("police", facts.numbers.police), ("ambulance", facts.numbers.ambulance), ("fire", facts.numbers.fire),
        ]
        let others = services.compactMap { service, number -> String? in
            guard let number, number != facts.numbers.general else { return nil }
            return replies("emergency.\(service)_number", ["number": spelled(number)])
        }
        let rest = others.isEmpty ? nil : replies("emergency.other_numbers", ["list": context.spoken.list(others)])
        return [call(nil, facts, context), rest]
    }

    /// Digit by digit: “1 1 2” is not a hundred and twelve.
    private static func spelled(_ number: String) -> String { number.map(String.init).joined(separator: " ") }

    // MARK: place

    private static func location(_ facts: EmergencyFacts, _ context: HandlerContext) -> String {
        let replies = context.replies
        guard let here = facts.whereabouts else {
            return facts.destination.map { replies("emergency.no_position_trip", ["destination": $0]) }
                ?? replies("emergency.no_position")
        }
        let values = [
            "coordinates": here.coordinates(context, decimals: 4, spelled: true),
            "place": here.place(context), "ago": here.ago(context) ?? "",
        ]
        return replies(here.isCurrent ? "emergency.position" : "emergency.position_last", values)
    }

    // MARK: telling others

    private struct Notice: Encodable {
        let kind: String
        let country: String?
        let latitude: Double?, longitude: Double?
        /// Metres and seconds.
        let uncertainty: Double?, age: Double?
    }

    private static func publish(
        _ kind: String, _ facts: EmergencyFacts, _ context: HandlerContext
    ) async -> [String] {
        guard let bus = context.bus else { return [] }
        let here = facts.whereabouts
        let notice = Notice(
            kind: kind, country: facts.presumedCountry, latitude: here?.position.latitude,
            longitude: here?.position.longitude, uncertainty: here?.position.uncertainty, age: here?.age)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let payload = (try? encoder.encode(notice)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        // The reply does not wait for a broker that hangs.
        let problem = await withTimeout(.seconds(1), clock: context.clock) { () async -> String? in
            do {
                try await bus.publish(topic: "vanorb/emergency", payload: payload, retain: false)
                return ""
            } catch { return "\(error)" }
        }
        guard let problem else { return ["mqtt: sent to vanorb/emergency, not confirmed"] }
        guard problem.isEmpty else { return ["mqtt: not acknowledged: vanorb/emergency, \(problem)"] }
        return ["mqtt: vanorb/emergency \(payload)"]
    }
}
