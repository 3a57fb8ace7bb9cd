import Domain
import Devices

/// The van's modes: checks, then what is done, and the mode is kept. It survives a restart.
package enum ModesHandler: Handler {
    package static let name = "modes"
    package static let intents = ["set_mode", "get_mode", "list_modes", "check_mode"]

    /// Where the mode is kept.
    package static let key = "mode"

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        switch command.intent {
        case "set_mode": return try await setMode(command, context)
        case "get_mode": return try await getMode(command, context)
        case "check_mode": return try await checkMode(command, context)
        default:
            return Reply(context.replies("modes.list", ["list": context.spoken.list(context.van.modes.map(\.name))]))
        }
    }

    /// What modes are called.
    package static func names(_ van: Van) -> [OwnerName] {
        van.modes.map { OwnerName(name: $0.name, aliases: $0.aliases) }
    }

    /// The mode that a command names; the phrasebook's words for the standard modes stand for their names.
    private static func mode(_ command: Command, _ context: HandlerContext) -> Mode? {
        guard let slot = command.slots["mode"] ?? command.slots["said"] else { return nil }
        let name = slot.names.first?.name ?? slot.text
        return context.van.modes.first { $0.name == name || $0.aliases.contains(name) }
    }

    private static func getMode(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let current = try await context.stores.kept.value(key) else {
            return Reply(context.replies("modes.none"))
        }
        guard let asked = mode(command, context) else {
            return Reply(context.replies("modes.current", ["mode": current]))
        }
        let reply = asked.name == current ? "modes.yes" : "modes.no"
        return Reply(context.replies(reply, ["mode": current]))
    }

    // MARK: switching

    private static func setMode(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let kept = context.stores.kept
        guard let slot = command.slots["mode"] ?? command.slots["said"] else {
            return Reply(context.replies("modes.ask_mode"), question: .slot("mode", of: command))
        }
        guard let mode = mode(command, context) else {
            let list = context.spoken.list(context.van.modes.map(\.name))
            return .failed(context.replies("modes.no_mode", ["name": slot.text, "list": list]))
        }
        let before = try await kept.value(key)
        if before == mode.name { return Reply(context.replies("modes.already", ["mode": mode.name])) }
        let orders = VanHandler.orders(mode.actions, context)
        if !command.isConfirmed, let question = await question(before: mode, orders, context) {
            return Reply(question, question: .confirmation(of: command))
        }
        // A turn that was dropped meanwhile changes nothing.
        try Task.checkCancellation()
        // First the note, then the devices: where it cannot be written, nothing has been touched.
        try await kept.set(key, to: mode.name)
        let results = await VanHandler.performAll(orders, context)
        let sent = results.filter(\.isSent), failed = results.filter { !$0.outcome.isDone }
        let description = context.replies("modes.undo", ["mode": before ?? context.replies("modes.none_name")])
        let devices = await VanHandler.undo(sent, described: description, context)
        var undo = Undo(description) {
            try await kept.set(key, to: before)
            // What does not obey is told; the mode is the old one all the same.
            let back = sent.isEmpty ? Undone() : try await devices.perform?()
            let left = [context.replies("modes.left_devices")]
            return Undone(
                effects: ["mode: \(before ?? "none")"] + (back?.effects ?? []), left: back?.left ?? left)
        }
        undo.confirmation = devices.confirmation
        var reply = Reply(
            text(mode, results, failed, context),
            effects: ["mode: \(mode.name)"] + results.flatMap(VanHandler.effects), undo: undo)
        if !failed.isEmpty { reply.outcome = .failed }
        return reply
    }

    private static func text(
        _ mode: Mode, _ results: [VanHandler.CommandResult], _ failed: [VanHandler.CommandResult],
        _ context: HandlerContext
    ) -> String {
        var values = ["mode": mode.name, "count": "\(results.count)"]
        if results.isEmpty { return context.replies("modes.set", values) }
        if failed.isEmpty {
            // “Everything is set” would be too much where a device never tells.
            let isTold = results.contains { $0.outcome == .told || $0.outcome == .begun }
            return context.replies(isTold ? "modes.set_told" : "modes.set_all", values)
        }
        let isCutOff = failed.allSatisfy { if case .unreachable = $0.outcome { true } else { false } }
        if isCutOff, failed.count == results.count { return context.replies("modes.set_unreachable", values) }
        values["list"] = context.spoken.list(failed.map { VanHandler.left($0, context) })
        return context.replies("modes.set_partly", values)
    }

    /// What is asked before the mode begins: checks that fail, and what is risky; nil when nothing stands against it.
    private static func question(
        before mode: Mode, _ orders: [(Device, DeviceCommand)], _ context: HandlerContext
    ) async -> String? {
        let findings = await findings(mode, context)
        if !findings.isEmpty {
            let list = context.spoken.list(findings).capitalisedFirst
            return context.replies("modes.confirm", ["mode": mode.name, "list": list])
        }
        let risky = await VanHandler.risks(orders, context)
        guard !risky.isEmpty else { return nil }
        let values = ["mode": mode.name, "list": context.spoken.list(risky)]
        return context.replies("modes.confirm_risk", values).capitalisedFirst
    }
}
