import Domain
import Devices

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

/// Commands: confirmed where they are risky, sent, reported with their outcome, and taken back.
package struct DeviceCommander: DevicePart {
    let van: Van
    /// Holds the mode: in an empty van, heat has to be confirmed.
    let kept: any KeptValueStore
    package let environment: HandlerEnvironment

    func carryOut(
        _ request: DeviceRequest, on device: Device, _ command: Command
    ) async throws -> Reply {
        let report = await van.report(on: device)
        let order: DeviceCommand
        do { order = try request.command(for: device, report) } catch {
            if error == .unknown, !van.isConnected { return .failed(replies("van.unreachable")) }
            let text = phrasing.refusal(error, device)
            if case .atEnd = error { return Reply(text) }
            return .failed(text)
        }
        if !command.isConfirmed, let question = await confirmation(before: order, device, report) {
            return Reply(question, question: .confirmation(of: command))
        }
        let result = await perform(order, device)
        var reply =
            result.outcome.isDone || result.outcome == .unconfirmed
            ? Reply(phrasing.sentence(result)) : .failed(phrasing.sentence(result))
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
        let values = phrasing.names(device).merging(["what": phrasing.phrase(for: order, device)]) { $1 }
        return replies("van.confirm_\(phrasing.key(of: order))", values)
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
        try await carryOut(devices.map { ($0, request) }, said, isEverything: isEverything, command)
    }

    /// Several devices, each asked its own.
    func carryOut(
        _ requests: [(device: Device, request: DeviceRequest)], _ said: String, isEverything: Bool, _ command: Command
    ) async throws -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var orders: [(Device, DeviceCommand)] = [], unable: [Wording] = [], isRisky = isEverything
        for (device, request) in requests {
            let report = await van.report(on: device)
            do {
                let order = try request.command(for: device, report)
                if await self.isRisky(order, device, report) { isRisky = true }
                orders.append((device, order))
            } catch let refusal {
                unable.append(phrasing.refusal(refusal, device))
            }
        }
        guard let first = orders.first else { return .failed(unable.joined(separator: " ")) }
        if !command.isConfirmed, isRisky {
            let values: [String: any Worded] = [
                "count": "\(orders.count)", "noun": said, "name": spoken.the(said),
                "what": phrasing.phrase(for: first.1, first.0),
            ]
            return Reply(
                replies("van.confirm_all_\(phrasing.key(of: first.1))", values), question: .confirmation(of: command))
        }
        let results = await performAll(orders)
        let isGood = results.allSatisfy(\.outcome.isDone) && unable.isEmpty
        let text = ([phrasing.summary(results, said)] + unable).joined(separator: " ")
        var reply = isGood ? Reply(text) : .failed(text)
        reply.effects = results.flatMap(effects)
        let sent = results.filter(\.isSent)
        if !sent.isEmpty {
            let values: [String: any Worded] = [
                "name": spoken.the(said), "state": phrasing.phrase(for: first.1, first.0),
            ]
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

    // MARK: scenes and modes

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
            let values: [String: any Worded] = [
                "name": spoken.the(device.name), "state": phrasing.phrase(for: order, device),
            ]
            risky.append(replies("van.undo", values))
        }
        return risky
    }
}
