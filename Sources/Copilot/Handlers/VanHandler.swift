/// The van's devices: on, off, and what they are doing. It speaks of success only when the device's state says so.
enum VanHandler: Handler {
    static let name = "van"
    static let intents = ["turn_on", "turn_off", "get_state", "list_on"]

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        var reply =
            switch command.intent {
            case "turn_on": await withDevice(command, context) { await turn($0, true, context) }
            case "turn_off": await withDevice(command, context) { await turn($0, false, context) }
            case "get_state": await withDevice(command, context) { await state($0, context) }
            default: await listOn(context)
            }
        reply.palette = .van
        return reply
    }

    private static func withDevice(
        _ command: Command, _ context: HandlerContext, _ body: (Device) async -> Reply
    ) async -> Reply {
        guard let slot = command.slots["device"] else {
            return Reply(context.replies("van.ask_device"), question: .slot("device", of: command))
        }
        guard slot.names.count <= 1 else {
            let choices = slot.names.map { name in
                context.choice(name.name, in: context.van.devices.first { $0.id == name.id }?.area, id: name.id)
            }
            return Reply(
                context.replies("van.which", ["list": context.spoken.choice(choices.map(\.name))]),
                question: .choice(slot: "device", among: choices, of: command))
        }
        guard let id = slot.names.first?.id, let device = context.van.devices.first(where: { $0.id == id }) else {
            return Reply(context.replies("van.no_device", ["name": slot.text]))
        }
        return await body(device)
    }

    private static func turn(_ device: Device, _ isOn: Bool, _ context: HandlerContext) async -> Reply {
        let word = context.replies(isOn ? "van.on" : "van.off")
        let values = names(device, context).merging(["state": word]) { $1 }
        let before = await context.van.report(on: device)
        let outcome = await context.van.turn(device, on: isOn)
        let topic = device.commandTopic ?? ""
        let effect = "mqtt: \(topic) \(isOn ? device.payloadOn : device.payloadOff)"
        let undo = Undo(context.replies("van.undo", values)) {
            // Only a known state can be restored.
            guard before.state == .on || before.state == .off else { return false }
            return [.confirmed, .already, .told].contains(await context.van.turn(device, on: before.state == .on))
        }
        switch outcome {
        case .confirmed: return Reply(context.replies("van.confirmed", values), effects: [effect], undo: undo)
        case .told: return Reply(context.replies("van.told", values), effects: [effect], undo: undo)
        case .unconfirmed: return .failed(context.replies("van.unconfirmed", values), effects: [effect], undo: undo)
        case .already: return Reply(context.replies("van.already", values))
        case .offline: return .failed(context.replies("van.offline", values))
        case .unsupported: return .failed(context.replies("van.unsupported", values))
        case .unreachable(let detail):
            return .failed(context.replies("van.unreachable"), effects: ["mqtt: nothing sent, \(detail)"])
        }
    }

    private static func state(_ device: Device, _ context: HandlerContext) async -> Reply {
        var values = names(device, context)
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let report = await context.van.report(on: device)
        guard report.isAvailable else { return Reply(context.replies("van.offline", values)) }
        switch report.state {
        case .on: values["state"] = context.replies("van.on")
        case .off: values["state"] = context.replies("van.off")
        case .value(let value): values["state"] = value
        case .invalid: return Reply(context.replies("van.invalid", values))
        case .unknown: return Reply(context.replies("van.unknown", values))
        }
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        return Reply(context.replies(report.isStale ? "van.state_stale" : "van.state", values))
    }

    private static func listOn(_ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var on: [String] = []
        for device in context.van.devices where device.canSwitch {
            let report = await context.van.report(on: device)
            if report.state == .on, report.isAvailable { on.append(context.spoken.the(device.name)) }
        }
        guard !on.isEmpty else { return Reply(context.replies("van.none_on")) }
        let be = on.count == 1 ? context.spoken.be(on[0]) : context.replies("verb.are")
        let values = ["list": context.spoken.list(on), "be": be]
        return Reply(context.replies("van.list_on", values).capitalisedFirst)
    }

    private static func names(_ device: Device, _ context: HandlerContext) -> [String: String] {
        let name = context.spoken.the(device.name)
        return ["name": name, "Name": name.capitalisedFirst, "be": context.spoken.be(device.name)]
    }
}
