@testable import Domain
@testable import Devices
import Testing

/// A convention under test; it keeps what it has read, so that expectations can read on.
final class ConventionBench<Convention: DeviceConvention> {
    private(set) var convention: Convention

    init(_ convention: Convention) { self.convention = convention }

    /// What a message tells.
    func read(_ topic: String, _ payload: String) -> Discovery? {
        convention.read(BusMessage(topic: topic, payload: Array(payload.utf8), isRetained: true))
    }

    /// The one device that a message describes, without a complaint.
    func device(_ topic: String, _ payload: String) throws -> Device {
        let discovery = try #require(read(topic, payload))
        #expect(discovery.complaints.isEmpty)
        return try #require(discovery.devices.count == 1 ? discovery.devices.first : nil, "\(discovery)")
    }
}

extension Discovery {
    /// The device of this name.
    func device(_ name: String) throws -> Device {
        try #require(devices.first { $0.name == name }, "\(devices.map(\.name))")
    }
}

extension DeviceReport {
    /// Nothing is known.
    static let unknown = DeviceReport(state: .unknown, isAvailable: true, isStale: false)
}

extension Device {
    /// What a payload tells about one aspect.
    func hears(_ payload: String, _ aspect: Aspect = .main) -> DeviceReport.State? {
        state(aspect, payload: BusMessage(topic: "any", payload: Array(payload.utf8), isRetained: false))
    }

    /// What a command sends, as `topic payload`.
    func sends(_ command: DeviceCommand, _ report: DeviceReport = .unknown) throws -> [String] {
        try plan(for: command, report).messages.map { "\($0.topic) \($0.payload)" }
    }

    /// Why a command is refused.
    func refuses(_ command: DeviceCommand) -> CommandOutcome? {
        do {
            _ = try plan(for: command, .unknown)
            return nil
        } catch { return error.outcome }
    }

    /// Every topic that it has.
    var topics: [String] {
        let scales = [level, colourTemperature, target, current, value]
        let all =
            [commandTopic, stateTopic, options?.commandTopic, options?.stateTopic] + scales.map { $0?.commandTopic }
            + scales.map { $0?.stateTopic } + availability.map { $0.topic }
        return all.compactMap { $0 }
    }
}
