import Domain
import Devices

/// Scenes: some devices at once, by one name.
extension VanHandler {
    func runScene(_ said: SpokenName?, in area: String?, _ command: Command) async throws -> Reply {
        guard let said else {
            return Reply(replies("van.ask_scene"), question: VanIntent.question(for: .scene, of: command))
        }
        // “Party mode in the kitchen” is the kitchen's own, where it has one.
        let own = area.flatMap { area in
            van.devices.first { device in
                device.kind == .scene
                    && (device.name == "\(area) \(said.ownName)"
                        || device.area == area && said.ids.contains(device.id))
            }
        }
        let id = own?.id ?? said.things.first?.id ?? said.text
        if let device = van.devices.first(where: { $0.id == id && $0.kind == .scene }) {
            return try await commander.carryOut(.verb(.press), on: device, command)
        }
        guard let scene = van.scenes.first(where: { $0.name == id }) else {
            return .failed(replies("van.no_scene", ["name": said.text]))
        }
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let values: [String: any Worded] = ["name": scene.name, "Name": scene.name.capitalisedFirst]
        let orders = commander.orders(scene.actions)
        if !command.isConfirmed {
            let risky = await commander.risks(orders)
            if !risky.isEmpty {
                let list = spoken.list(risky)
                return Reply(
                    replies("van.confirm_scene", values.merging(["list": list]) { $1 }),
                    question: .confirmation(of: command))
            }
        }
        let results = await commander.performAll(orders)
        let failed = results.filter { !$0.outcome.isDone }
        let list = spoken.list(failed.map { phrasing.left($0) })
        let text = replies(
            failed.isEmpty ? "van.scene_done" : "van.scene_partly", values.merging(["list": list]) { $1 })
        var reply = failed.isEmpty ? Reply(text) : .failed(text)
        reply.effects = results.flatMap(commander.effects)
        let sent = results.filter(\.isSent)
        if !sent.isEmpty { reply.undo = await commander.undo(sent, described: Wording(scene.name)) }
        return reply
    }
}
