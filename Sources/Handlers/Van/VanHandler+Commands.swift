import Domain
import Devices

/// Commands: asked for where they are risky, sent, told as they went, and taken back.
extension VanHandler {
    /// One device: what it was told, how that went, and how it was before.
    package struct CommandResult: Sendable {
        package let device: Device
        package let command: DeviceCommand
        package let before: DeviceReport
        package let outcome: CommandOutcome
        package let after: DeviceReport

        /// True when something was sent, so that there is something to take back.
        package var isSent: Bool { [.confirmed, .begun, .told, .unconfirmed].contains(outcome) }
    }

    package static func carryOut(
        _ wish: DeviceRequest, on device: Device, _ command: Command, _ context: HandlerContext
    ) async throws -> Reply {
        let report = await context.van.report(on: device)
        let order: DeviceCommand
        do { order = try wish.command(for: device, report) } catch {
            switch error {
            case .unknown where !context.van.isConnected: return .failed(context.replies("van.unreachable"))
            case .unknown: return .failed(context.replies("van.unknown_before", names(device, context)))
            case .atEnd: return Reply(context.replies("van.at_end", names(device, context)))
            }
        }
        if let question = await question(before: order, device, report, command, context) { return question }
        let deed = await perform(order, device, context)
        var reply =
            deed.outcome.isDone || deed.outcome == .unconfirmed
            ? Reply(sentence(deed, context)) : .failed(sentence(deed, context))
        if deed.outcome == .unconfirmed { reply.outcome = .failed }
        reply.effects = effects(deed)
        if deed.isSent { reply.undo = await undo([deed], described: undone(deed, context), context) }
        if deed.outcome == .begun, device.verbs[.stop] != nil, order != .verb(.stop) {
            // “Stop” is for a cover that moves before it is for anything else.
            let name = OwnerName(name: device.name, id: device.id)
            let stop = Command(
                handler: Self.name, intent: "stop",
                slots: ["device": SlotValue(text: device.name, content: .names([name]))])
            reply.question = .steps(["stop": stop])
        }
        return reply
    }

    /// What is asked before a risky command; nil where nothing is, or the yes was given.
    package static func question(
        before order: DeviceCommand, _ device: Device, _ report: DeviceReport, _ command: Command,
        _ context: HandlerContext
    ) async -> Reply? {
        guard !command.isConfirmed, await isRisky(order, device, report, context) else { return nil }
        let values = names(device, context).merging(["what": phrase(order, device, context)]) { $1 }
        return Reply(context.replies("van.confirm_\(key(of: order))", values), question: .confirmation(of: command))
    }

    package static func perform(_ order: DeviceCommand, _ device: Device, _ context: HandlerContext) async
        -> CommandResult
    {
        let before = await context.van.report(on: device)
        let outcome = await context.van.carryOut(order, on: device)
        return CommandResult(
            device: device, command: order, before: before, outcome: outcome,
            after: await context.van.report(on: device))
    }

    /// All at once: each waits for its own confirmation, and the slowest decides how long it takes.
    static func performAll(_ orders: [(Device, DeviceCommand)], _ context: HandlerContext) async -> [CommandResult] {
        await withTaskGroup(of: (Int, CommandResult).self) { group in
            for (number, order) in orders.enumerated() {
                group.addTask { (number, await perform(order.1, order.0, context)) }
            }
            var results: [(Int, CommandResult)] = []
            for await deed in group { results.append(deed) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    package static func carryOut(
        _ wish: DeviceRequest, onAll devices: [Device], _ said: String, _ command: Command, _ context: HandlerContext
    ) async throws -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var orders: [(Device, DeviceCommand)] = [], unable: [String] = [], isRisky = command.slots["everything"] != nil
        for device in devices {
            let report = await context.van.report(on: device)
            do {
                let order = try wish.command(for: device, report)
                if await Self.isRisky(order, device, report, context) { isRisky = true }
                orders.append((device, order))
            } catch let refusal {
                let key = refusal == .unknown ? "van.unknown_before" : "van.at_end"
                unable.append(context.replies(key, names(device, context)))
            }
        }
        guard let first = orders.first else { return .failed(unable.joined(separator: " ")) }
        if !command.isConfirmed, isRisky {
            let values = [
                "count": "\(orders.count)", "noun": said, "name": context.spoken.the(said),
                "what": phrase(first.1, first.0, context),
            ]
            return Reply(
                context.replies("van.confirm_all_\(key(of: first.1))", values), question: .confirmation(of: command))
        }
        let results = await performAll(orders, context)
        let isGood = results.allSatisfy(\.outcome.isDone) && unable.isEmpty
        let text = ([summary(results, said, context)] + unable).joined(separator: " ")
        var reply = isGood ? Reply(text) : .failed(text)
        reply.effects = results.flatMap(effects)
        let sent = results.filter(\.isSent)
        if !sent.isEmpty {
            let values = ["name": context.spoken.the(said), "state": phrase(first.1, first.0, context)]
            reply.undo = await undo(sent, described: context.replies("van.undo", values), context)
        }
        return reply
    }

    // MARK: risk

    /// What is asked before it is done: what lets somebody in, what moves, heat in an empty van, and what the owner
    /// marked. Never asked is what is so already, and a stop. Where nobody knows whether the van is empty, heat is
    /// asked.
    static func isRisky(
        _ order: DeviceCommand, _ device: Device, _ report: DeviceReport, _ context: HandlerContext
    ) async -> Bool {
        guard context.van.isConnected, report.isAvailable else { return false }
        if order == .verb(.stop) { return false }
        // What it cannot do needs no yes.
        let settled: Bool
        do {
            let wanted = try device.order(for: order, report)
            settled =
                wanted.isState && wanted.aspect == .main && !report.isStale && wanted.confirms(report.state) == .done
        } catch { return false }
        if settled { return false }
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
            // Where nobody can tell whether somebody is at home, it is asked.
            let kept = context.stores.kept
            let mode = await withReplyTimeout(clock: context.clock) { try await kept.value(ModesHandler.key) ?? "" }
            return mode == nil || mode == Mode.away
        }
        return false
    }

    // MARK: taking back

    /// The way back, which is asked for where it is as risky as a command would be: undoing a lock unlocks.
    package static func undo(
        _ results: [CommandResult], described description: String, _ context: HandlerContext
    ) async -> Undo {
        var undo = way(back: results, described: description, context)
        var risky: [String] = []
        for deed in results {
            for order in deed.device.restoring(deed.before, after: deed.command) ?? []
            where await isRisky(order, deed.device, deed.after, context) {
                let values = [
                    "name": context.spoken.the(deed.device.name), "state": phrase(order, deed.device, context),
                ]
                risky.append(context.replies("van.undo", values))
            }
        }
        if !risky.isEmpty {
            undo.confirmation = context.replies("van.confirm_undo", ["list": context.spoken.list(risky)])
        }
        return undo
    }

    private static func way(
        back results: [CommandResult], described description: String, _ context: HandlerContext
    ) -> Undo {
        Undo(description) {
            var done: [CommandResult] = [], left: [String] = []
            for deed in results.reversed() {
                // Only a known state can be restored.
                guard let way = deed.device.restoring(deed.before, after: deed.command) else {
                    left.append(context.replies("van.left_unknown", names(deed.device, context)))
                    continue
                }
                for order in way { done.append(await perform(order, deed.device, context)) }
            }
            let failed = done.filter { !$0.outcome.isDone }
            guard !done.isEmpty else { return nil }
            return Undone(effects: done.flatMap(effects), left: failed.map { self.left($0, context) } + left)
        }
    }

    package static func undone(_ deed: CommandResult, _ context: HandlerContext) -> String {
        let values = names(deed.device, context).merging(
            ["state": phrase(deed.command, deed.device, context)]) { $1 }
        return context.replies("van.undo", values)
    }

    package static func effects(_ deed: CommandResult) -> [String] {
        switch deed.outcome {
        case .already, .offline, .unsupported, .outOfRange, .noOption: return []
        case .unreachable(let detail): return ["mqtt: nothing acknowledged, \(detail)"]
        case .confirmed, .begun, .told, .unconfirmed:
            let messages = (try? deed.device.order(for: deed.command, deed.before))?.messages ?? []
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
