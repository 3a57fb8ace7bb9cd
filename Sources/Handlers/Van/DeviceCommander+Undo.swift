import Devices
import Domain

/// Commands taken back.
extension DeviceCommander {
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
                    "name": spoken.the(result.device.name), "state": phrasing.phrase(for: order, result.device),
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
                    left.append(replies("van.left_unknown", phrasing.names(result.device)))
                    continue
                }
                for order in way { done.append(await perform(order, result.device)) }
            }
            let failed = done.filter { !$0.outcome.isDone }
            guard !done.isEmpty else { return nil }
            return Undone(
                effects: done.flatMap(effects), left: failed.map { phrasing.left($0) } + left, sentence: again(done))
        }
    }

    /// How one device is again; nil where several are, or where it did not confirm.
    private func again(_ results: [CommandResult]) -> Wording? {
        guard let last = results.last, last.outcome == .confirmed,
            results.allSatisfy({ $0.device.id == last.device.id && $0.outcome.isDone })
        else { return nil }
        let values: [String: any Worded] = ["state": phrasing.phrase(for: last.command, last.device)]
        return replies("van.again", phrasing.names(last.device).merging(values) { $1 })
    }

    package func undone(_ result: CommandResult) -> Wording {
        let values = phrasing.names(result.device).merging(
            ["state": phrasing.phrase(for: result.command, result.device)]) { $1 }
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
        case .colourTemperature, .colour:
            if let colour = before.colour { return [.colour(colour)] }
            return before.colourTemperature.map { [.colourTemperature($0)] }
        case .tilt: return before.tilt.map { [.tilt($0)] }
        case .oscillation: return before.isOscillating.map { [.oscillation($0)] }
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
