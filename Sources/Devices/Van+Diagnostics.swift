/// Why a device does not hear, or is not heard.
extension Van {
    /// One of a device's topics, with what came on it last.
    public struct TopicUse: Sendable, Equatable {
        /// What it is for, such as `command` or `state`; the topic; its last payload, at most 512 bytes.
        public let use: String, topic: String, payload: String?
    }

    /// What keeps devices from working.
    public enum Problem: Sendable, Equatable {
        /// The broker keeps a message on a topic of commands.
        case keptCommand(device: String, topic: String)
        /// Nothing ever came on a topic of states.
        case silent(device: String, topic: String)
        /// It says, or its bridge says, that it is not there.
        case offline(device: String)
        /// Its state has not come for too long.
        case stale(device: String)
        /// A description could not be used.
        case unusable(topic: String, why: String)
    }

    /// Where a device is spoken to and speaks.
    public func topics(of device: Device) -> [TopicUse] {
        func use(_ name: String, _ topic: String) -> TopicUse {
            TopicUse(use: name, topic: topic, payload: payloads[topic].map { String(decoding: $0, as: UTF8.self) })
        }
        return device.commandTopics.map { use("command", $0) }
            + device.sources.map { use($0.aspect == .main ? "state" : "\($0.aspect)", $0.topic) }
            + device.availability.map { use("availability", $0.topic) }
            + descriptions(of: device).map { use("description", $0) }
    }

    /// What may be wrong with a device.
    public func problems(of device: Device) -> [Problem] {
        let report = report(on: device)
        var problems = device.commandTopics.filter(keptCommands.contains).map {
            Problem.keptCommand(device: device.name, topic: $0)
        }
        if !report.isAvailable { problems.append(.offline(device: device.name)) }
        if report.isStale { problems.append(.stale(device: device.name)) }
        let silent = Set(device.sources.map(\.topic)).filter { payloads[$0] == nil }.sorted()
        return problems + silent.map { .silent(device: device.name, topic: $0) }
    }

    /// What may be wrong with all devices and descriptions.
    public var problems: [Problem] {
        let unusable = complaints.sorted { $0.key < $1.key }.flatMap { topic, reasons in
            reasons.map { Problem.unusable(topic: topic, why: $0) }
        }
        return devices.flatMap(problems) + unusable
    }

    /// Retained descriptions of devices that are offline, or that have not reported a state since the last connect:
    /// leftovers of devices that are gone.
    public var orphaned: [String] {
        let gone = devices.filter { device in
            let isSilent = !device.sources.isEmpty && device.sources.allSatisfy { payloads[$0.topic] == nil }
            return device.origin == HomeAssistantDiscovery.convention
                && (!report(on: device).isAvailable || isSilent && !device.availability.isEmpty)
        }
        // A description of several devices stays while one of them is online.
        let others = devices.filter { device in !gone.contains { $0.id == device.id } }
        let living = Set(others.flatMap { descriptions(of: $0) })
        return Set(gone.flatMap { descriptions(of: $0) }).subtracting(living).sorted()
    }

    /// Removes descriptions from the broker.
    /// - Throws: `BusFailure`.
    public func removeDescriptions(_ topics: [String]) async throws {
        for topic in topics { try await bus?.publish(topic: topic, payload: "", retain: true) }
    }
}

extension Device {
    /// The topics on which it takes commands, each once.
    package var commandTopics: [String] {
        let all = [
            commandTopic, level?.commandTopic, colourTemperature?.commandTopic, colour?.commandTopic,
            tilt?.commandTopic, oscillation?.commandTopic, target?.commandTopic, value?.commandTopic,
            options?.commandTopic,
        ]
        return Set(all.compactMap { $0 }).sorted()
    }
}
