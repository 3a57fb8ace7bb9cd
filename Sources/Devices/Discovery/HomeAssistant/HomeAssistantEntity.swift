/// What Home Assistant discovery says of one entity, under long keys; every wrong entry is an error that names it.
struct HomeAssistantEntity {
    /// Its entries, those of the device's description that it shares among them.
    let entries: [String: JSONValue]
    /// The device that it is part of.
    let device: [String: JSONValue]

    init(_ entries: [String: JSONValue], device: [String: JSONValue]) {
        self.entries = entries
        self.device = device
    }

    private func wrong(_ key: String) -> DiscoveryError { DiscoveryError(detail: "“\(key)” has an invalid value") }

    /// What is there and not null.
    private func value(_ key: String) -> JSONValue? {
        guard let value = entries[key], value != .null else { return nil }
        return value
    }

    /// A text; numbers and truth values as Home Assistant writes them.
    func text(_ key: String) throws(DiscoveryError) -> String? {
        guard let value = value(key) else { return nil }
        if case .truth(let isTrue) = value { return isTrue ? "True" : "False" }
        guard let text = value.text, text.utf8.count <= 1_000 else { throw wrong(key) }
        return text
    }

    func text(_ key: String, _ standard: String) throws(DiscoveryError) -> String { try text(key) ?? standard }

    func number(_ key: String) throws(DiscoveryError) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.double, abs(number) < 1e9 else { throw wrong(key) }
        return number
    }

    func number(_ key: String, _ standard: Double) throws(DiscoveryError) -> Double { try number(key) ?? standard }

    func flag(_ key: String) throws(DiscoveryError) -> Bool {
        guard let value = value(key) else { return false }
        guard case .truth(let isTrue) = value else { throw wrong(key) }
        return isTrue
    }

    func texts(_ key: String) throws(DiscoveryError) -> [String]? {
        guard let value = value(key) else { return nil }
        guard let list = value.list else { throw wrong(key) }
        return list.compactMap(\.text)
    }

    /// True for an entry that says null on purpose: “this it does not know”.
    func isRefused(_ key: String) -> Bool { entries[key] == .null }

    func topic(_ key: String) throws(DiscoveryError) -> String? {
        guard let text = try text(key) else { return nil }
        return try DiscoveredText.topic(text)
    }

    func required(_ key: String) throws(DiscoveryError) -> String {
        guard let topic = try topic(key) else { throw DiscoveryError(detail: "“\(key)” is missing") }
        return topic
    }

    /// The first of the templates that is there.
    func template(_ keys: String...) throws(DiscoveryError) -> ValueTemplate? {
        for key in keys {
            guard let text = try text(key), !text.isEmpty else { continue }
            do { return try ValueTemplate(text) } catch { throw DiscoveryError(detail: "\(key): \(error)") }
        }
        return nil
    }

    func command(_ key: String, name: String = "value") throws(DiscoveryError) -> CommandTemplate {
        guard let text = try text(key), !text.isEmpty else { return .plain }
        do { return try CommandTemplate(text, name: name) } catch { throw DiscoveryError(detail: "\(key): \(error)") }
    }

    /// A list of topics of which each says whether it is there.
    func availability() throws(DiscoveryError) -> [Device.Availability] {
        if let list = value("availability") {
            guard let elements = list.list, elements.count <= 20 else { throw wrong("availability") }
            var all: [Device.Availability] = []
            for element in elements {
                guard let entry = element.object else { throw wrong("availability") }
                let source = HomeAssistantEntity(HomeAssistantKeys.expanded(entry), device: [:])
                all.append(
                    Device.Availability(
                        topic: try source.required("topic"),
                        payloadAvailable: try source.text("payload_available", "online"),
                        payloadNotAvailable: try source.text("payload_not_available", "offline"),
                        template: try source.template("value_template")))
            }
            return all
        }
        guard let topic = try topic("availability_topic") else { return [] }
        return [
            Device.Availability(
                topic: topic, payloadAvailable: try text("payload_available", "online"),
                payloadNotAvailable: try text("payload_not_available", "offline"),
                template: try template("availability_template"))
        ]
    }

    /// What the device says of itself, as text; longer than any name is not for people.
    func ofDevice(_ key: String) -> String? {
        guard let text = device[key]?.string, !text.isEmpty else { return nil }
        return String(text.prefix(80))
    }
}
