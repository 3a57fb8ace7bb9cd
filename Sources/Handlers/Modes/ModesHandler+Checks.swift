import Domain
import Devices

/// The checks of a mode.
extension ModesHandler {
    /// “Am I ready to drive?”: the checks alone. Without a mode it is about driving.
    func checkMode(_ said: SpokenName?) async throws -> Reply {
        let name = said?.ownName ?? Mode.standard[0]
        guard let mode = mode(name) else {
            return .failed(replies("modes.no_mode", ["name": name, "list": modeList]))
        }
        guard !mode.checks.isEmpty else { return Reply(replies("modes.no_checks", ["mode": mode.name])) }
        let findings = await findings(mode)
        guard !findings.isEmpty else {
            return Reply(replies("modes.ready", ["mode": mode.name, "count": "\(mode.checks.count)"]))
        }
        return Reply(
            replies(
                "modes.not_ready", ["mode": mode.name, "list": spoken.list(findings)]))
    }

    /// The checks of a mode that fail, each as a part of a sentence. A check fails also where the state is unknown or
    /// stale or the device is offline: nobody drives off on a guess.
    package func findings(_ mode: Mode) async -> [Wording] {
        guard mode.checks.isEmpty || van.isConnected else { return [replies("modes.unreachable")] }
        var findings: [Wording] = []
        for check in mode.checks {
            let device = van.device(withID: check.device)
            let report = await van.report(on: device)
            if let finding = finding(check.expectation, device, report) { findings.append(finding) }
        }
        return findings
    }

    private func finding(
        _ expectation: Check.Expectation, _ device: Device, _ report: DeviceReport
    ) -> Wording? {
        var values = devices.phrasing.names(device)
        guard report.isAvailable else { return replies("modes.offline", values) }
        if report.isStale { return replies("modes.stale", values) }
        guard let holds = Self.holds(expectation, device, report) else { return replies("modes.unknown", values) }
        guard !holds else { return nil }
        values["state"] = state(expectation, device, report)
        return replies("modes.wrong", values)
    }

    /// What it is instead.
    private func state(
        _ expectation: Check.Expectation, _ device: Device, _ report: DeviceReport
    ) -> Wording {
        switch expectation {
        case .option: return replies("van.set_to", ["value": report.option ?? ""])
        case .above, .below:
            let value = report.number ?? report.level ?? 0
            return replies(
                "van.at", ["value": devices.phrasing.quantity(value, report.number == nil ? "%" : device.unit)])
        default: return devices.phrasing.words(for: report, device) ?? ""
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
