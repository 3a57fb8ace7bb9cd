import Domain
import Devices

/// Commands: confirmed where they are risky, sent, reported with their outcome, and taken back.
extension VanHandler {
    /// What became of a command to one device.
    package struct CommandResult: Sendable {
        package let device: Device
        package let command: DeviceCommand
        package let before: DeviceReport
        package let outcome: CommandOutcome
        package let after: DeviceReport

        /// True when something was sent, so that there is something to take back.
        package var isSent: Bool { [.confirmed, .begun, .sent, .unconfirmed].contains(outcome) }
    }

    func carryOut(
        _ request: DeviceRequest, on device: Device, _ command: Command
    ) async throws -> Reply {
        let report = await van.report(on: device)
        let order: DeviceCommand
        do { order = try request.command(for: device, report) } catch {
            switch error {
            case .unknown where !van.isConnected: return .failed(replies("van.unreachable"))
            case .unknown: return .failed(replies("van.unknown_before", names(device)))
            case .atEnd: return Reply(replies("van.at_end", names(device)))
            }
        }
        if !command.isConfirmed, let question = await confirmation(before: order, device, report) {
            return Reply(question, question: .confirmation(of: command))
        }
        let result = await perform(order, device)
        var reply =
            result.outcome.isDone || result.outcome == .unconfirmed
            ? Reply(sentence(result)) : .failed(sentence(result))
        if result.outcome == .unconfirmed { reply.outcome = .failed }
        reply.effects = effects(result)
        if result.isSent { reply.undo = await undo([result], described: undone(result)) }
        if result.outcome == .begun, device.verbs[.stop] != nil, order != .verb(.stop) {
            // “Stop” without a name means the cover that moves.
            reply.question = .steps(["stop": VanIntent.command(.stop, VanIntent.slots(naming: device))])
        }
        return reply
    }

    /// What is asked before a risky command; nil for others.
    package func confirmation(
        before order: DeviceCommand, _ device: Device, _ report: DeviceReport
    ) async -> Wording? {
        guard await isRisky(order, device, report) else { return nil }
        let values = names(device).merging(["what": phrase(for: order, device)]) { $1 }
        return replies("van.confirm_\(key(of: order))", values)
    }

    package func perform(_ order: DeviceCommand, _ device: Device) async
        -> CommandResult
    {
        let before = await van.report(on: device)
        let outcome = await van.carryOut(order, on: device)
        return CommandResult(
            device: device, command: order, before: before, outcome: outcome,
            after: await van.report(on: device))
    }

    /// All at once: each waits for its own confirmation, and the slowest decides how long it takes.
    func performAll(_ orders: [(Device, DeviceCommand)]) async -> [CommandResult] {
        await withTaskGroup(of: (Int, CommandResult).self) { group in
            for (number, order) in orders.enumerated() {
                group.addTask { (number, await perform(order.1, order.0)) }
            }
            var results: [(Int, CommandResult)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    func carryOut(
        _ request: DeviceRequest, onAll devices: [Device], _ said: String, isEverything: Bool, _ command: Command
    ) async throws -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var orders: [(Device, DeviceCommand)] = [], unable: [Wording] = [], isRisky = isEverything
        for device in devices {
            let report = await van.report(on: device)
            do {
                let order = try request.command(for: device, report)
                if await self.isRisky(order, device, report) { isRisky = true }
                orders.append((device, order))
            } catch let refusal {
                let key = refusal == .unknown ? "van.unknown_before" : "van.at_end"
                unable.append(replies(key, names(device)))
            }
        }
        guard let first = orders.first else { return .failed(unable.joined(separator: " ")) }
        if !command.isConfirmed, isRisky {
            let values: [String: any Worded] = [
                "count": "\(orders.count)", "noun": said, "name": spoken.the(said),
                "what": phrase(for: first.1, first.0),
            ]
            return Reply(
                replies("van.confirm_all_\(key(of: first.1))", values), question: .confirmation(of: command))
        }
        let results = await performAll(orders)
        let isGood = results.allSatisfy(\.outcome.isDone) && unable.isEmpty
        let text = ([summary(results, said)] + unable).joined(separator: " ")
        var reply = isGood ? Reply(text) : .failed(text)
        reply.effects = results.flatMap(effects)
        let sent = results.filter(\.isSent)
        if !sent.isEmpty {
            let values: [String: any Worded] = ["name": spoken.the(said), "state": phrase(for: first.1, first.0)]
            reply.undo = await undo(sent, described: replies("van.undo", values))
        }
        return reply
    }

    // MARK: risk

    /// True for what has to be confirmed: what lets somebody in, what moves, heat in an empty van, and what the owner
    /// marked as risky; not for a stop, nor for a state that the device has already. Where it is unknown whether the
    /// van is empty, heat has to be confirmed.
    func isRisky(
        _ order: DeviceCommand, _ device: Device, _ report: DeviceReport
    ) async -> Bool {
        guard van.isConnected, report.isAvailable else { return false }
        if order == .verb(.stop) { return false }
        // What it cannot do needs no yes.
        let isAlready: Bool
        do {
            let wanted = try device.plan(for: order, report)
            isAlready =
                wanted.isState && wanted.aspect == .main && !report.isStale && wanted.confirms(report.state) == .done
        } catch { return false }
        if isAlready { return false }
        if device.isRisky { return true }
        if order == .verb(.unlock) { return true }
        if device.kind == .cover {
            switch order {
            case .verb(.open): return true
            case .level(let percent): return percent > (report.level ?? 0)
            default: break
            }
        }
        if device.isHeating, order != .off {
            let mode = await environment.readForReply { try await kept.value(ModesHandler.key) ?? "" }
            return mode == nil || mode == Mode.away
        }
        return false
    }

    // MARK: taking back

    /// The way back, which has to be confirmed where it is as risky as a command would be: undoing a lock unlocks.
    package func undo(
        _ results: [CommandResult], described description: Wording
    ) async -> Undo {
        var undo = way(back: results, described: description)
        var risky: [Wording] = []
        for result in results {
            for order in result.device.restoring(result.before, after: result.command) ?? []
            where await isRisky(order, result.device, result.after) {
                let values: [String: any Worded] = [
                    "name": spoken.the(result.device.name), "state": phrase(for: order, result.device),
                ]
                risky.append(replies("van.undo", values))
            }
        }
        if !risky.isEmpty {
            undo.confirmation = replies("van.confirm_undo", ["list": spoken.list(risky)])
        }
        return undo
    }

    private func way(
        back results: [CommandResult], described description: Wording
    ) -> Undo {
        Undo(description) {
            var done: [CommandResult] = [], left: [Wording] = []
            for result in results.reversed() {
                // Only a known state can be restored.
                guard let way = result.device.restoring(result.before, after: result.command) else {
                    left.append(replies("van.left_unknown", names(result.device)))
                    continue
                }
                for order in way { done.append(await perform(order, result.device)) }
            }
            let failed = done.filter { !$0.outcome.isDone }
            guard !done.isEmpty else { return nil }
            return Undone(
                effects: done.flatMap(effects), left: failed.map { self.left($0) } + left, sentence: again(done))
        }
    }

    /// How one device is again; nil where several are, or where it did not confirm.
    private func again(_ results: [CommandResult]) -> Wording? {
        guard let last = results.last, last.outcome == .confirmed,
            results.allSatisfy({ $0.device.id == last.device.id && $0.outcome.isDone })
        else { return nil }
        let values = ["state": phrase(for: last.command, last.device)]
        return replies("van.again", names(last.device).merging(values) { $1 })
    }

    package func undone(_ result: CommandResult) -> Wording {
        let values = names(result.device).merging(
            ["state": phrase(for: result.command, result.device)]) { $1 }
        return replies("van.undo", values)
    }

    package func effects(_ result: CommandResult) -> [String] {
        switch result.outcome {
        case .already, .offline, .unsupported, .outOfRange, .noOption: return []
        case .unreachable(let detail): return ["mqtt: nothing acknowledged, \(detail)"]
        case .confirmed, .begun, .sent, .unconfirmed:
            let messages = (try? result.device.plan(for: result.command, result.before))?.messages ?? []
            return messages.map { "mqtt: \($0.topic) \($0.payload)" }
        }
    }
}

extension Device {
    /// The commands that bring back the state before; nil where that was not known or cannot be commanded.
    func restoring(_ before: DeviceReport, after command: DeviceCommand) -> [DeviceCommand]? {
        switch command {
        case .on, .off:
            switch before.state {
            case .on: return [.on] + (kind == .light || kind == .fan ? level(before) : [])
            case .off: return [.off]
            default: return nil
            }
        case .verb(let verb):
            switch (verb, before.position) {
            case (.lock, .unlocked?), (.unlock, .unlocked?): return [.verb(.unlock)]
            case (.lock, .locked?), (.unlock, .locked?): return [.verb(.lock)]
            case (.open, let position?), (.close, let position?):
                if let level = before.level, self.level?.commandTopic != nil { return [.level(level)] }
                return position == .open ? [.verb(.open)] : position == .closed ? [.verb(.close)] : nil
            default: return nil
            }
        case .level:
            if canSwitch, before.state == .off { return [.off] }
            return before.level.map { [.level($0)] }
        case .colourTemperature: return before.colourTemperature.map { [.colourTemperature($0)] }
        case .temperature: return before.target.map { [.temperature($0)] }
        case .option: return before.option.map { [.option($0)] }
        case .value: return before.number.map { [.value($0)] }
        }
    }

    private func level(_ before: DeviceReport) -> [DeviceCommand] {
        guard level?.commandTopic != nil, let percent = before.level else { return [] }
        return [.level(percent)]
    }
}
