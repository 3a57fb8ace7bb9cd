import Domain
import Devices

/// Scenes: some devices at once, by one name.
extension VanHandler {
    func runScene(_ said: SpokenName?, _ command: Command) async throws -> Reply {
        guard let said else {
            return Reply(replies("van.ask_scene"), question: VanIntent.question(for: .scene, of: command))
        }
        let id = said.things.first?.id ?? said.text
        if let device = van.devices.first(where: { $0.id == id && $0.kind == .scene }) {
            return try await carryOut(.verb(.press), on: device, command)
        }
        guard let scene = van.scenes.first(where: { $0.name == id }) else {
            return .failed(replies("van.no_scene", ["name": said.text]))
        }
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let values: [String: any Worded] = ["name": scene.name, "Name": scene.name.capitalisedFirst]
        let orders = orders(scene.actions)
        if !command.isConfirmed {
            let risky = await risks(orders)
            if !risky.isEmpty {
                let list = spoken.list(risky)
                return Reply(
                    replies("van.confirm_scene", values.merging(["list": list]) { $1 }),
                    question: .confirmation(of: command))
            }
        }
        let results = await performAll(orders)
        let failed = results.filter { !$0.outcome.isDone }
        let list = spoken.list(failed.map { left($0) })
        let text = replies(
            failed.isEmpty ? "van.scene_done" : "van.scene_partly", values.merging(["list": list]) { $1 })
        var reply = failed.isEmpty ? Reply(text) : .failed(text)
        reply.effects = results.flatMap(effects)
        let sent = results.filter(\.isSent)
        if !sent.isEmpty { reply.undo = await undo(sent, described: Wording(scene.name)) }
        return reply
    }

    /// The devices and commands of a scene or a mode.
    func orders(_ actions: [DeviceAction]) -> [(Device, DeviceCommand)] {
        actions.map { (van.device(withID: $0.device), $0.command) }
    }

    /// What of it is asked before: “the roof vent open”.
    func risks(
        _ orders: [(Device, DeviceCommand)]
    ) async -> [Wording] {
        var risky: [Wording] = []
        for (device, order) in orders {
            let report = await van.report(on: device)
            guard await isRisky(order, device, report) else { continue }
            let values: [String: any Worded] = ["name": spoken.the(device.name), "state": phrase(for: order, device)]
            risky.append(replies("van.undo", values))
        }
        return risky
    }

    /// What scenes are called: the owner's, and those that other programs carry out.
    package func sceneNames() -> [OwnerName] {
        van.scenes.map { OwnerName(name: $0.name, aliases: $0.aliases) }
            + van.devices.filter { $0.kind == .scene }.map {
                OwnerName(name: $0.name, aliases: $0.aliases, id: $0.id)
            }
    }

    /// What devices may be set to, each name once.
    package func optionNames() -> [OwnerName] {
        var seen = Set<String>()
        return van.devices.flatMap { $0.options?.all ?? [] }.flatMap { [$0.name] + $0.aliases }
            .filter { seen.insert($0).inserted }.map { OwnerName(name: $0) }
    }
}
