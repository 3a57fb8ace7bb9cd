import Devices
import Dialogue
import Control

/// The van's devices over SSH.
struct DeviceCalls: Sendable {
    let van: Van
    let typed: TypedDevices

    func list() async -> DevicesListResult {
        var rows: [DeviceRow] = []
        for device in van.devices { rows.append(DeviceRow(device, await van.report(on: device))) }
        // Those without an area behind the others.
        return DevicesListResult(
            devices: rows.sorted {
                ($0.area ?? "\u{10FFFF}", $0.name, $0.id) < ($1.area ?? "\u{10FFFF}", $1.name, $1.id)
            })
    }

    func show(_ asked: DeviceArguments) async throws -> DeviceShowResult {
        let device = try device(asked.device)
        let model = [device.manufacturer, device.model].compactMap { $0 }.joined(separator: " ")
        return DeviceShowResult(
            device: DeviceRow(device, await van.report(on: device)), aliases: device.aliases, groups: device.groups,
            model: model.isEmpty ? nil : model,
            topics: await van.topics(of: device).map { TopicRow(use: $0.use, topic: $0.topic, payload: $0.payload) },
            problems: await van.problems(of: device).map(\.sentence))
    }

    func test() async -> DevicesTestResult {
        DevicesTestResult(problems: await van.problems.map(\.sentence), count: van.devices.count)
    }

    /// What is risky is done with a yes only, as by voice.
    func set(_ wanted: DeviceSetArguments) async throws -> Acknowledgement {
        let device = try device(wanted.device)
        guard let command = device.command(wanted.value) else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "“\(wanted.value)” is nothing that \(device.name), a \(device.kind.rawValue), can be set to.")
        }
        switch await typed.set(device, to: command, isConfirmed: wanted.confirmed == true) {
        case .asks(let question):
            return .asking(question)
        case .tried(let outcome):
            return Acknowledgement(
                done: outcome.isDone || outcome == .unconfirmed, message: "\(device.name): \(outcome.sentence)")
        }
    }

    func forget(_ asked: DeviceArguments) async throws -> Acknowledgement {
        let device = try device(asked.device), topics = await van.descriptions(of: device)
        guard !topics.isEmpty else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "\(device.name) does not describe itself; take it out of devices.yaml.")
        }
        guard device.origin == HomeAssistantDiscovery.convention else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message:
                    "\(device.name) is described by its bridge; remove it there, or hide it under “discovered:” in devices.yaml."
            )
        }
        try await remove(topics)
        return Acknowledgement(message: "Removed \(topics.joined(separator: ", ")).")
    }

    func purge(_ wanted: DevicesPurgeArguments) async throws -> DevicesPurgeResult {
        let topics = await van.orphaned
        if wanted.removes { try await remove(topics) }
        return DevicesPurgeResult(topics: topics, isRemoved: wanted.removes)
    }

    private func remove(_ topics: [String]) async throws {
        do { try await van.removeDescriptions(topics) } catch {
            throw ControlError(code: "broker", message: "The broker did not take it: \(error)")
        }
    }

    private func device(_ name: String) throws -> Device {
        let name = name.lowercased()
        let found = van.devices.filter { $0.id.lowercased() == name }
        let named = van.devices.filter { $0.name == name || $0.aliases.contains(name) }
        if let device = found.first ?? (named.count == 1 ? named.first : nil) { return device }
        throw ControlError(
            code: ControlError.Code.badArguments,
            message: named.isEmpty
                ? "There is no device called \(name). Try: vanorb devices"
                : "Several devices are called \(name): \(named.map(\.id).joined(separator: ", "))")
    }
}

extension Van.Problem {
    /// With what to do.
    fileprivate var sentence: String {
        switch self {
        case .keptCommand(let device, let topic):
            "\(device): the broker keeps a command on \(topic), which is carried out again after every connect; remove it with: mosquitto_pub -r -n -t \(topic)"
        case .silent(let device, let topic):
            "\(device): nothing ever came on \(topic); is that its topic, and does it publish with retain?"
        case .offline(let device): "\(device): it says that it is offline; is it powered and in reach?"
        case .stale(let device): "\(device): its last state is too old"
        case .unusable(let topic, let why): "\(topic): left out: \(why)"
        }
    }
}

extension CommandOutcome {
    fileprivate var sentence: String {
        switch self {
        case .confirmed: "done"
        case .begun: "it has begun"
        case .told: "told; it never reports back"
        case .already: "it is so already"
        case .unconfirmed: "told, but it has not confirmed"
        case .offline: "offline; nothing was sent"
        case .unsupported: "it cannot do that"
        case .outOfRange(let low, let high): "out of range; it takes \(low) to \(high)"
        case .noOption(let names): "no such option; it has: \(names.joined(separator: ", "))"
        case .unreachable(let detail): "nothing was sent: \(detail)"
        }
    }
}

extension Device {
    /// What a word or a number on the command line means to it.
    fileprivate func command(_ value: String) -> DeviceCommand? {
        let word = value.lowercased()
        if options?.all.contains(where: { $0.name == word }) == true { return .option(word) }
        switch word {
        case "on": return .on
        case "off": return .off
        default: break
        }
        if let verb = Verb(rawValue: word) { return .verb(verb) }
        // `Double` reads “1e2”, “0x10” and “inf” as well, which nobody means.
        guard word.wholeMatch(of: /[-+]?[0-9]{1,15}(\.[0-9]{1,15})?%?/) != nil,
            let number = Double(word.hasSuffix("%") ? String(word.dropLast()) : word)
        else {
            return options == nil ? nil : .option(word)
        }
        switch kind {
        case .number: return .value(number)
        case .climate, .heater: return .temperature(number)
        default: return number >= 1_000 && colourTemperature != nil ? .colourTemperature(number) : .level(number)
        }
    }
}
