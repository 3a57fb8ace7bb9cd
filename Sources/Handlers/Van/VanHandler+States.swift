import Domain
import Devices

/// Questions about devices.
extension VanHandler {
    func state(_ reference: VanIntent.TargetReference, _ command: Command) async -> Reply {
        switch targets(reference, for: nil, command) {
        case .reply(let reply): return reply
        case .one(let device): return await state(device)
        case .many(let devices, let said): return await states(devices, said)
        }
    }

    /// What one device is doing.
    package func state(_ device: Device) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let report = await van.report(on: device)
        var values = names(device)
        guard device.kind != .button, device.kind != .scene, !device.sources.isEmpty else {
            return Reply(replies("van.stateless", values))
        }
        guard report.isAvailable else { return Reply(replies("van.is_offline", values)) }
        guard let words = words(for: report, device) else {
            return Reply(replies(report.state == .invalid ? "van.invalid" : "van.unknown", values))
        }
        values["state"] = words
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        return Reply(replies(report.isStale ? "van.state_stale" : "van.state", values))
    }

    /// A state in words: “on at 40 percent”, “closed”, “set to 20 degrees, and it's 17 now”; nil for none.
    package func words(for report: DeviceReport, _ device: Device) -> Wording? {
        let level = report.level.map { quantity($0, "%") }
        switch report.state {
        case .unknown, .invalid: return nil
        case .on:
            if device.isOpening(environment.books.words.deviceClass) { return replies("van.open") }
            if device.isHeating, let heat = heat(report, device) {
                return replies("van.on_and", ["more": heat])
            }
            return level.map { replies("van.on_at", ["value": $0]) } ?? word("on", device)
        case .off:
            return device.isOpening(environment.books.words.deviceClass) ? replies("van.closed") : word("off", device)
        case .value(let text):
            if device.isHeating, let heat = heat(report, device) { return heat }
            if let position = report.position {
                // Half open is given in percent.
                if let level = report.level, device.kind == .cover, level > 1, level < 99, position != .closed {
                    return replies("van.open_by", ["value": quantity(level, "%")])
                }
                return replies("van.\(position)")
            }
            if let number = report.number, device.unit != nil { return quantity(number, device.unit) }
            return Wording(text)
        }
    }

    private func heat(_ report: DeviceReport, _ device: Device) -> Wording? {
        var parts: [Wording] = []
        if let option = report.option { parts.append(replies("van.set_to", ["value": option])) }
        if let target = report.target {
            parts.append(replies("van.set_to", ["value": quantity(target, "°C")]))
        }
        if let current = report.current {
            parts.append(replies("van.it_is", ["value": quantity(current, "°C")]))
        }
        return parts.isEmpty ? nil : spoken.list(parts)
    }

    /// Several devices: those of each state together.
    private func states(_ devices: [Device], _ said: String) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var groups: [(state: Wording, names: [String])] = []
        for device in devices where !device.sources.isEmpty {
            let report = await van.report(on: device)
            let state: Wording
            if !report.isAvailable {
                state = replies("van.offline_word")
            } else if report.isStale {
                state = replies("van.stale_word")
            } else {
                state = words(for: report, device) ?? replies("van.silent_word")
            }
            if let index = groups.firstIndex(where: { $0.state == state }) {
                groups[index].names.append(spoken.the(device.name))
            } else {
                groups.append((state, [spoken.the(device.name)]))
            }
        }
        guard let first = groups.first else { return Reply(replies("van.none_of", ["noun": said])) }
        if groups.count == 1, first.names.count > 1 {
            let values: [String: any Worded] = ["count": "\(first.names.count)", "noun": said, "state": first.state]
            return Reply(replies("van.all_done", values))
        }
        let parts = groups.map { group in
            let be = group.names.count == 1 ? spoken.be(group.names[0]) : replies("verb.are").spoken
            return replies(
                "van.part", ["list": spoken.list(group.names), "be": be, "state": group.state])
        }
        return Reply(replies("van.parts", ["list": spoken.list(parts)]).capitalisedFirst)
    }
}
