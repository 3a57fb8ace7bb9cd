import Devices
import Domain
import Language
import Foundation

/// Emergencies: the number to call, where we are, where the first aid kit is, what to do. Needs neither network nor
/// classifier, and answers also when the store does not.
package struct EmergencyHandler: Handler {
    package static let name = HandlerName.emergency
    package static let intents = EmergencyIntent.names

    /// Where the medical notes are kept.
    package static let notesKey = "medical_notes"

    let manifest: any ManifestStore
    let kept: any KeptValueStore
    let trips: any TripStore
    let bus: (any Bus)?
    /// Its smoke and gas sensors answer questions about the air.
    let van: Van
    let location: LocationSources
    package let environment: HandlerEnvironment

    package func act(on command: Command) async throws -> Reply {
        let intent = try EmergencyIntent(command), facts = await gatherFacts()
        let parts: [Wording?]
        var effects: [String] = []
        switch intent {
        case .numbers(let country): parts = numbers(country: country, facts)
        case .location: parts = [position(facts), call(nil, facts)]
        case .firstAid(let injury): parts = firstAid(injury: injury, facts)
        case .air(let kind): parts = await air(kind, facts)
        case .alarm(let alarm, let sign):
            parts = self.alarm(alarm, sign: sign, facts)
            // “What do we do if there's a gas leak?” is answered, and nothing has happened. Gathering takes a moment; a
            // turn that was dropped meanwhile publishes nothing.
            let isSupposed = command.analysis.modifiers.contains { $0.kind == .condition }
            effects = isSupposed || Task.isCancelled ? [] : await publish(notice(alarm, facts))
        case .falseAlarm:
            effects = Task.isCancelled ? [] : await publish(.falseAlarm)
            let isRefused = effects.contains { $0.hasPrefix(Self.refused) }
            parts = [replies("emergency.false_alarm"), isRefused ? replies("emergency.false_alarm_unsent") : nil]
        }
        let text = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
        return Reply(text, palette: .emergency, effects: effects)
    }

    /// Who is called, as reply keys name them.
    private enum Service: String { case fire, ambulance }

    /// What to do comes first, then whom to call and what to report.
    private func alarm(
        _ alarm: EmergencyIntent.Alarm, sign: String? = nil, _ facts: EmergencyFacts
    ) -> [Wording?] {
        let service: Service? =
            switch alarm {
            case .emergency: nil
            case .fire, .gas, .carbonMonoxide: .fire
            case .medical: .ambulance
            }
        let steps = sign.map { replies("emergency.aid_\($0)") } ?? replies("emergency.\(alarm.rawValue)")
        var parts: [Wording?] = [steps, call(service, facts)]
        parts += [replies("emergency.cannot_call"), facts.whereabouts == nil ? nil : position(facts)]
        if alarm == .fire { parts.append(facts.extinguisher.map { replies("emergency.extinguisher", ["place": $0]) }) }
        if [.emergency, .medical, .carbonMonoxide].contains(alarm) {
            parts.append(facts.firstAidKit.map { replies("emergency.first_aid_kit", ["place": $0]) })
            parts.append(facts.medicalNotes.map { replies("emergency.medical_notes", ["notes": $0]) })
        }
        return parts
    }

    private func firstAid(injury: String?, _ facts: EmergencyFacts) -> [Wording?] {
        let kit = facts.firstAidKit.map { replies("emergency.first_aid_kit", ["place": $0]) }
        let steps = injury.map { replies("emergency.aid_\($0)") }
        return [steps, kit ?? replies("emergency.no_first_aid_kit"), call(.ambulance, facts)]
    }

    /// What the sensors say, and what to do whatever they say: a sensor may be broken, or in the wrong place.
    private func air(_ kind: Device.Alarm, _ facts: EmergencyFacts) async -> [Wording?] {
        let sensors = van.devices.filter { $0.alarm == kind }
        var parts: [Wording?] = []
        for sensor in sensors {
            let report = await van.report(on: sensor), name = spoken.the(sensor.name)
            let isHeard = report.isAvailable && !report.isStale
            let values = ["name": name, "Name": name.capitalisedFirst]
            switch report.state {
            // An old warning is still a warning; an old all-clear is worth nothing.
            case .on:
                return [replies("emergency.tripped_\(kind.rawValue)", values)]
                    + alarm(EmergencyIntent.Alarm(kind), facts)
            case .off where isHeard: parts.append(replies("emergency.clear_\(kind.rawValue)", values))
            default: parts.append(replies("emergency.sensor_silent", values))
            }
        }
        if sensors.isEmpty { parts.append(replies("emergency.no_sensor_\(kind.rawValue)")) }
        return parts + [replies("emergency.if_\(kind.rawValue)"), call(.fire, facts)]
    }

    // MARK: numbers

    /// “The emergency number here is 1 1 2, or 1 5 for an ambulance.”
    private func call(_ service: Service?, _ facts: EmergencyFacts) -> Wording {
        let numbers = facts.numbers
        let own: String? =
            switch service {
            case .fire: numbers.fire
            case .ambulance: numbers.ambulance
            case nil: nil
            }
        var values: [String: any Worded] = ["number": Self.spelled(numbers.general)]
        if let country = facts.country.map({ replies.country($0) }) { values["country"] = country }
        let key = facts.country == nil ? "emergency.call" : "emergency.call_in"
        guard let service, let own, own != numbers.general else { return replies(key, values) }
        values["other"] = Self.spelled(own)
        return replies("\(key)_\(service.rawValue)", values)
    }

    private func numbers(country named: String?, _ facts: EmergencyFacts) -> [Wording?] {
        var facts = facts
        if let named {
            guard let code = replies.country(of: named), let numbers = EmergencyNumbers.of(code) else {
                return [replies("emergency.number_unknown", ["country": named])]
            }
            facts = facts.abroad(code, numbers)
        }
        let services: [(String, String?)] = [
            ("police", facts.numbers.police), ("ambulance", facts.numbers.ambulance), ("fire", facts.numbers.fire),
        ]
        let others = services.compactMap { service, number -> Wording? in
            guard let number, number != facts.numbers.general else { return nil }
            return replies("emergency.\(service)_number", ["number": Self.spelled(number)])
        }
        let rest = others.isEmpty ? nil : replies("emergency.other_numbers", ["list": spoken.list(others)])
        return [call(nil, facts), rest]
    }

    /// Said digit by digit: “1 1 2” is not a hundred and twelve.
    private static func spelled(_ number: String) -> Wording {
        Wording(spoken: number.map(String.init).joined(separator: " "), written: number)
    }

    // MARK: place

    private func position(_ facts: EmergencyFacts) -> Wording {
        guard let here = facts.whereabouts else {
            return facts.destination.map { replies("emergency.no_position_trip", ["destination": $0]) }
                ?? replies("emergency.no_position")
        }
        let values = [
            "coordinates": here.coordinates(decimals: 4, spelled: true, replies),
            "place": here.place(location.places, environment), "ago": here.ago(replies) ?? "",
        ]
        return replies(here.isCurrent ? "emergency.position" : "emergency.position_last", values)
    }

    // MARK: notifying others

    private struct Notice: Encodable {
        let kind: String
        let country: String?
        let latitude: Double?, longitude: Double?
        /// Metres and seconds.
        let uncertainty: Double?, age: Double?

        /// What takes the last one back.
        static let falseAlarm = Notice(
            kind: EmergencyIntent.Name.falseAlarm.rawValue, country: nil, latitude: nil, longitude: nil,
            uncertainty: nil, age: nil)
    }

    private func notice(_ alarm: EmergencyIntent.Alarm, _ facts: EmergencyFacts) -> Notice {
        let here = facts.whereabouts
        return Notice(
            kind: alarm.rawValue, country: facts.presumedCountry, latitude: here?.position.latitude,
            longitude: here?.position.longitude, uncertainty: here?.position.uncertainty, age: here?.age)
    }

    /// How the effect of a message begins that the broker did not take.
    private static let refused = "mqtt: not acknowledged"

    private func publish(_ notice: Notice) async -> [String] {
        guard let bus else { return [] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let payload = (try? encoder.encode(notice)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        // A broker that hangs does not delay the reply.
        let problem = await environment.read(within: .seconds(1)) { () async -> String? in
            do {
                try await bus.publish(topic: "vanorb/emergency", payload: payload, retain: false)
                return ""
            } catch { return "\(error)" }
        }
        guard let problem else { return ["mqtt: sent to vanorb/emergency, not confirmed"] }
        guard problem.isEmpty else { return ["\(Self.refused): vanorb/emergency, \(problem)"] }
        return ["mqtt: vanorb/emergency \(payload)"]
    }
}
