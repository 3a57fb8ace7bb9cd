import Domain
import Devices

/// Scenes: some devices at once, by one name.
extension VanHandler {
    static func runScene(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let slot = command.slots["scene"] else {
            return Reply(context.replies("van.ask_scene"), question: .slot("scene", of: command))
        }
        let id = slot.names.first?.id ?? slot.text
        if let device = context.van.devices.first(where: { $0.id == id && $0.kind == .scene }) {
            return try await carryOut(.verb(.press), on: device, command, context)
        }
        guard let scene = context.van.scenes.first(where: { $0.name == id }) else {
            return .failed(context.replies("van.no_scene", ["name": slot.text]))
        }
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let values = ["name": scene.name, "Name": scene.name.capitalisedFirst]
        let orders = orders(scene.actions, context)
        if !command.isConfirmed {
            let risky = await risks(orders, context)
            if !risky.isEmpty {
                let list = context.spoken.list(risky)
                return Reply(
                    context.replies("van.confirm_scene", values.merging(["list": list]) { $1 }),
                    question: .confirmation(of: command))
            }
        }
        let results = await performAll(orders, context)
        let failed = results.filter { !$0.outcome.isDone }
        let list = context.spoken.list(failed.map { left($0, context) })
        let text = context.replies(
            failed.isEmpty ? "van.scene_done" : "van.scene_partly", values.merging(["list": list]) { $1 })
        var reply = failed.isEmpty ? Reply(text) : .failed(text)
        reply.effects = results.flatMap(effects)
        let sent = results.filter(\.isSent)
        if !sent.isEmpty { reply.undo = await undo(sent, described: scene.name, context) }
        return reply
    }

    /// The devices and commands of a scene or a mode.
    static func orders(_ actions: [DeviceAction], _ context: HandlerContext) -> [(Device, DeviceCommand)] {
        actions.map { (context.van.device(withID: $0.device), $0.command) }
    }

    /// What of it is asked before: “the roof vent open”.
    static func risks(
        _ orders: [(Device, DeviceCommand)], _ context: HandlerContext
    ) async -> [String] {
        var risky: [String] = []
        for (device, order) in orders {
            let report = await context.van.report(on: device)
            guard await isRisky(order, device, report, context) else { continue }
            let values = ["name": context.spoken.the(device.name), "state": phrase(order, device, context)]
            risky.append(context.replies("van.undo", values))
        }
        return risky
    }

    /// What scenes are called: the owner's, and those that other programs carry out.
    package static func sceneNames(_ van: Van) -> [OwnerName] {
        van.scenes.map { OwnerName(name: $0.name, aliases: $0.aliases) }
            + van.devices.filter { $0.kind == .scene }.map {
                OwnerName(name: $0.name, aliases: $0.aliases, id: $0.id)
            }
    }

    /// What devices may be set to, each name once.
    package static func optionNames(_ van: Van) -> [OwnerName] {
        var seen = Set<String>()
        return van.devices.flatMap { $0.options?.all ?? [] }.flatMap { [$0.name] + $0.aliases }
            .filter { seen.insert($0).inserted }.map { OwnerName(name: $0) }
    }
}
