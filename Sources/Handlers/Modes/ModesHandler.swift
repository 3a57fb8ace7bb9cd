import Domain
import Devices

/// The van's modes. Before a mode is set, its checks are made; the mode is stored, so that it survives a restart.
package struct ModesHandler: Handler {
    package static let name = "modes"
    package static let intents = ModesIntent.names

    /// Commands and describes the devices.
    let devices: VanHandler
    let kept: any KeptValueStore
    package var environment: HandlerEnvironment { devices.environment }

    /// Where the mode is kept.
    package static let key = "mode"

    var van: Van { devices.van }

    package func act(on command: Command) async throws -> Reply {
        switch try ModesIntent(command) {
        case .set(let mode): try await setMode(mode, command)
        case .get(let mode): try await getMode(mode)
        case .check(let mode): try await checkMode(mode)
        case .list: Reply(replies("modes.list", ["list": modeList]))
        }
    }

    /// The names of all modes, in a sentence.
    var modeList: Wording { spoken.list(van.modes.map(\.name)) }

    /// What modes are called.
    package func names() -> [OwnerName] {
        van.modes.map { OwnerName(name: $0.name, aliases: $0.aliases) }
    }

    /// The mode of this name, or with this alias.
    package func mode(_ name: String) -> Mode? {
        van.modes.first { $0.name == name || $0.aliases.contains(name) }
    }

    private func getMode(_ said: SpokenName?) async throws -> Reply {
        guard let current = try await kept.value(Self.key) else {
            return Reply(replies("modes.none"))
        }
        guard let asked = said.flatMap({ mode($0.ownName) }) else {
            return Reply(replies("modes.current", ["mode": current]))
        }
        let reply = asked.name == current ? "modes.yes" : "modes.no"
        return Reply(replies(reply, ["mode": current]))
    }

    // MARK: switching

    private func setMode(_ said: SpokenName?, _ command: Command) async throws -> Reply {
        guard let said else {
            return Reply(replies("modes.ask_mode"), question: ModesIntent.question(for: .mode, of: command))
        }
        guard let mode = mode(said.ownName) else {
            return .failed(replies("modes.no_mode", ["name": said.text.wording, "list": modeList]))
        }
        let key = Self.key, before = try await kept.value(key)
        if before == mode.name { return Reply(replies("modes.already", ["mode": mode.name])) }
        let orders = devices.commander.orders(mode.actions)
        if !command.isConfirmed, let question = await question(before: mode, orders) {
            return Reply(question, question: .confirmation(of: command))
        }
        // A turn that was dropped meanwhile changes nothing.
        try Task.checkCancellation()
        // First the store, then the devices: where it cannot be written, nothing has been touched.
        try await kept.set(key, to: mode.name)
        let results = await devices.commander.performAll(orders)
        let sent = results.filter(\.isSent), failed = results.filter { !$0.outcome.isDone }
        let description = replies("modes.undo", ["mode": before?.wording ?? replies("modes.none_name")])
        let back = await devices.commander.undo(sent, described: description)
        var undo = Undo(description) {
            try await kept.set(key, to: before)
            // A device that does not obey is reported; the mode is the old one all the same.
            let undone = sent.isEmpty ? Undone() : try await back.perform?()
            let left = [replies("modes.left_devices")]
            return Undone(
                effects: ["mode: \(before ?? "none")"] + (undone?.effects ?? []), left: undone?.left ?? left)
        }
        undo.confirmation = back.confirmation
        var reply = Reply(
            text(mode, results, failed),
            effects: ["mode: \(mode.name)"] + results.flatMap(devices.commander.effects), undo: undo)
        if !failed.isEmpty { reply.outcome = .failed }
        return reply
    }

    private func text(
        _ mode: Mode, _ results: [CommandResult], _ failed: [CommandResult]
    ) -> Wording {
        var values: [String: any Worded] = ["mode": mode.name, "count": "\(results.count)"]
        if results.isEmpty { return replies("modes.set", values) }
        if failed.isEmpty {
            // “Everything is set” would be too much where a device never reports its state.
            let isUnconfirmed = results.contains { $0.outcome == .sent || $0.outcome == .begun }
            return replies(isUnconfirmed ? "modes.set_told" : "modes.set_all", values)
        }
        let isCutOff = failed.allSatisfy { if case .unreachable = $0.outcome { true } else { false } }
        if isCutOff, failed.count == results.count { return replies("modes.set_unreachable", values) }
        values["list"] = spoken.list(failed.map { devices.phrasing.left($0) })
        return replies("modes.set_partly", values)
    }

    /// What is asked before the mode begins: checks that fail, and what is risky; nil where there is neither.
    private func question(
        before mode: Mode, _ orders: [(Device, DeviceCommand)]
    ) async -> Wording? {
        let findings = await findings(mode)
        if !findings.isEmpty {
            let list = spoken.list(findings).capitalisedFirst
            return replies("modes.confirm", ["mode": mode.name, "list": list])
        }
        let risky = await devices.commander.risks(orders)
        guard !risky.isEmpty else { return nil }
        let values: [String: any Worded] = ["mode": mode.name, "list": spoken.list(risky)]
        return replies("modes.confirm_risk", values).capitalisedFirst
    }
}
