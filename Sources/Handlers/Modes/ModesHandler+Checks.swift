import Domain
import Devices

/// The checks of a mode.
extension ModesHandler {
    /// “Am I ready to drive?”: the checks alone. Without a mode it is about driving.
    static func checkMode(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let slot = command.slots["mode"] ?? command.slots["said"]
        let name = slot.map { $0.names.first?.name ?? $0.text } ?? Mode.standard[0]
        guard let mode = context.van.modes.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
            let list = context.spoken.list(context.van.modes.map(\.name))
            return .failed(context.replies("modes.no_mode", ["name": name, "list": list]))
        }
        guard !mode.checks.isEmpty else { return Reply(context.replies("modes.no_checks", ["mode": mode.name])) }
        let findings = await findings(mode, context)
        guard !findings.isEmpty else {
            return Reply(context.replies("modes.ready", ["mode": mode.name, "count": "\(mode.checks.count)"]))
        }
        return Reply(
            context.replies(
                "modes.not_ready", ["mode": mode.name, "list": context.spoken.list(findings)]))
    }

    /// What stands against a mode, each as a part of a sentence. A state that is not known, or old, or of a device that
    /// is offline stands against it too: nobody drives off on a guess.
    package static func findings(_ mode: Mode, _ context: HandlerContext) async -> [String] {
        guard mode.checks.isEmpty || context.van.isConnected else { return [context.replies("modes.unreachable")] }
        var findings: [String] = []
        for check in mode.checks {
            let device = context.van.device(withID: check.device)
            let report = await context.van.report(on: device)
            if let finding = finding(check.expectation, device, report, context) { findings.append(finding) }
        }
        return findings
    }

    private static func finding(
        _ expectation: Check.Expectation, _ device: Device, _ report: DeviceReport, _ context: HandlerContext
    ) -> String? {
        var values = VanHandler.names(device, context)
        guard report.isAvailable else { return context.replies("modes.offline", values) }
        if report.isStale { return context.replies("modes.stale", values) }
        guard let holds = holds(expectation, device, report) else { return context.replies("modes.unknown", values) }
        guard !holds else { return nil }
        values["state"] = state(expectation, device, report, context)
        return context.replies("modes.wrong", values)
    }

    /// What it is instead.
    private static func state(
        _ expectation: Check.Expectation, _ device: Device, _ report: DeviceReport, _ context: HandlerContext
    ) -> String {
        switch expectation {
        case .option: return context.replies("van.set_to", ["value": report.option ?? ""])
        case .above, .below:
            let value = report.number ?? report.level ?? 0
            return context.replies(
                "van.at", ["value": VanHandler.quantity(value, report.number == nil ? "%" : device.unit, context)])
        default: return VanHandler.words(for: report, device, context) ?? ""
        }
    }

    /// Whether it is as it should be; nil when that is not known.
    private static func holds(
        _ expectation: Check.Expectation, _ device: Device, _ report: DeviceReport
    ) -> Bool? {
        switch expectation {
        case .on, .off:
            guard report.state == .on || report.state == .off else { return nil }
            return (report.state == .on) == (expectation == .on)
        case .open, .closed:
            if report.state == .on || report.state == .off { return (report.state == .on) == (expectation == .open) }
            guard let position = report.position else { return nil }
            // Half open is not closed, and a cover that is still closing is not closed yet.
            return (position == .closed) == (expectation == .closed)
        case .locked, .unlocked:
            guard let position = report.position else { return nil }
            return (position == .locked) == (expectation == .locked)
        case .option(let name): return report.option.map { $0 == name }
        case .above(let limit): return (report.number ?? report.level).map { $0 > limit }
        case .below(let limit): return (report.number ?? report.level).map { $0 < limit }
        }
    }
}
