import Devices
import Dialogue
import Control

/// Calls that list, show, set and remove the van's devices.
struct DeviceCalls: Sendable {
    let van: Van
    let typed: TypedDevices

    func register(in table: inout CallTable) {
        table.register(DevicesListCall.self) { [self] _ in await list() }
        table.register(DeviceShowCall.self) { [self] in try await show($0) }
        table.register(DeviceSetCall.self) { [self] in try await set($0) }
        table.register(DevicesTestCall.self) { [self] _ in await test() }
        table.register(DeviceForgetCall.self) { [self] in try await forget($0) }
        table.register(DevicesPurgeCall.self) { [self] in try await purge($0) }
    }

    private func list() async -> DevicesListResult {
        var rows: [DeviceRow] = []
        for device in van.devices { rows.append(DeviceRow(device, await van.report(on: device))) }
        // Those without an area behind the others.
        return DevicesListResult(
            devices: rows.sorted {
                ($0.area ?? "\u{10FFFF}", $0.name, $0.id) < ($1.area ?? "\u{10FFFF}", $1.name, $1.id)
            })
    }

    private func show(_ asked: DeviceArguments) async throws -> DeviceShowResult {
        let device = try device(asked.device)
        let model = [device.manufacturer, device.model].compactMap { $0 }.joined(separator: " ")
        return DeviceShowResult(
            device: DeviceRow(device, await van.report(on: device)), aliases: device.aliases, groups: device.groups,
            model: model.isEmpty ? nil : model,
            topics: await van.topics(of: device).map { TopicRow(use: $0.use, topic: $0.topic, payload: $0.payload) },
            problems: await van.problems(of: device).map(\.sentence))
    }

    private func test() async -> DevicesTestResult {
        DevicesTestResult(problems: await van.problems.map(\.sentence), count: van.devices.count)
    }

    /// Risky commands need a confirmation, as by voice.
    private func set(_ wanted: DeviceSetArguments) async throws -> Acknowledgement {
        let device = try device(wanted.device)
        guard let command = device.command(wanted.value) else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "\(device.name.capitalisedFirst) accepts \(device.acceptedValues).")
        }
        switch await typed.set(device, to: command, isConfirmed: wanted.confirmed == true) {
        case .asks(let question):
            return .asking(question)
        case .tried(let outcome):
            return Acknowledgement(
                done: outcome.isDone || outcome == .unconfirmed, message: "\(device.name): \(outcome.sentence)")
        }
    }

    private func forget(_ asked: DeviceArguments) async throws -> Acknowledgement {
        let device = try device(asked.device), topics = await van.descriptions(of: device)
        guard !topics.isEmpty else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "\(device.name) was not discovered. Remove it from devices.yaml.")
        }
        guard device.origin == HomeAssistantDiscovery.convention else {
            throw ControlError(
                code: ControlError.Code.badArguments,
                message:
                    "\(device.name) is announced by its bridge. Remove it there, or hide it under “discovered:” in devices.yaml."
            )
        }
        try await remove(topics)
        return Acknowledgement(message: "Removed \(topics.joined(separator: ", ")).")
    }

    private func purge(_ wanted: DevicesPurgeArguments) async throws -> DevicesPurgeResult {
        let topics = await van.orphaned
        if wanted.removes { try await remove(topics) }
        return DevicesPurgeResult(topics: topics, isRemoved: wanted.removes)
    }

    private func remove(_ topics: [String]) async throws {
        do { try await van.removeDescriptions(topics) } catch {
            throw ControlError(code: "broker", message: "The broker rejected it: \(error)")
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
                ? "No device is called \(name). List them: vanorb devices"
                : "Several devices are called \(name). Use an id: \(named.map(\.id).joined(separator: ", "))")
    }
}

extension Van.Problem {
    /// With what to do.
    fileprivate var sentence: String {
        switch self {
        case .keptCommand(let device, let topic):
            "\(device): a retained command on \(topic) is carried out again after every connect. Remove it: mosquitto_pub -r -n -t \(topic)"
        case .silent(let device, let topic):
            "\(device): no message on \(topic) yet. Check the topic, and that the device publishes it retained."
        case .offline(let device): "\(device): reports itself offline. Check its power and range."
        case .stale(let device): "\(device): its last state is out of date"
        case .unusable(let topic, let why): "\(topic): ignored: \(why)"
        }
    }
}

extension CommandOutcome {
    fileprivate var sentence: String {
        switch self {
        case .confirmed: "done"
        case .begun: "started"
        case .sent: "sent; the device does not report its state"
        case .already: "no change needed"
        case .unconfirmed: "sent, but not confirmed"
        case .offline: "offline; nothing was sent"
        case .unsupported: "not supported"
        case .outOfRange(let low, let high): "out of range (\(low) to \(high))"
        case .noOption(let names): "no such option; choose one of \(names.joined(separator: ", "))"
        case .unreachable(let detail): "nothing was sent: \(detail)"
        }
    }
}

extension Device {
    /// What `command(_:)` takes, such as `on or off`.
    fileprivate var acceptedValues: String {
        var values = canSwitch ? ["on", "off"] : []
        values += Verb.allCases.filter { verbs[$0] != nil }.map(\.rawValue)
        values += options?.all.map(\.name) ?? []
        if level != nil { values.append("a percentage") }
        if target != nil { values.append("a temperature") }
        if value != nil { values.append("a number") }
        guard let last = values.popLast() else { return "no commands" }
        return values.isEmpty ? last : "\(values.joined(separator: ", ")) or \(last)"
    }

    /// The command that a word or a number on the command line stands for.
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
