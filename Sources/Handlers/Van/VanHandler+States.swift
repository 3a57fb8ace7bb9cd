import Domain
import Devices

/// Questions about devices.
extension VanHandler {
    package static func state(_ command: Command, _ context: HandlerContext) async -> Reply {
        switch targets(of: command, for: nil, context) {
        case .reply(let reply): return reply
        case .one(let device): return await state(device, context)
        case .many(let devices, let said): return await states(devices, said, context)
        }
    }

    /// What one device is doing.
    package static func state(_ device: Device, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let report = await context.van.report(on: device)
        var values = names(device, context)
        guard device.kind != .button, device.kind != .scene, !device.sources.isEmpty else {
            return Reply(context.replies("van.stateless", values))
        }
        guard report.isAvailable else { return Reply(context.replies("van.is_offline", values)) }
        guard let words = words(for: report, device, context) else {
            return Reply(context.replies(report.state == .invalid ? "van.invalid" : "van.unknown", values))
        }
        values["state"] = words
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        return Reply(context.replies(report.isStale ? "van.state_stale" : "van.state", values))
    }

    /// A state in words: “on at 40 percent”, “closed”, “set to 20 degrees, and it's 17 now”; nil for none.
    package static func words(for report: DeviceReport, _ device: Device, _ context: HandlerContext) -> String? {
        let level = report.level.map { quantity($0, "%", context) }
        switch report.state {
        case .unknown, .invalid: return nil
        case .on:
            if device.isOpening { return context.replies("van.open") }
            if device.isHeating, let heat = heat(report, device, context) {
                return context.replies("van.on_and", ["more": heat])
            }
            return level.map { context.replies("van.on_at", ["value": $0]) } ?? context.replies("van.on")
        case .off: return context.replies(device.isOpening ? "van.closed" : "van.off")
        case .value(let text):
            if device.isHeating, let heat = heat(report, device, context) { return heat }
            if let position = report.position {
                // Neither quite open nor closed is told in percent.
                if let level = report.level, device.kind == .cover, level > 1, level < 99, position != .closed {
                    return context.replies("van.open_by", ["value": quantity(level, "%", context)])
                }
                return context.replies("van.\(position)")
            }
            if let number = report.number, device.unit != nil { return quantity(number, device.unit, context) }
            return text
        }
    }

    private static func heat(_ report: DeviceReport, _ device: Device, _ context: HandlerContext) -> String? {
        var parts: [String] = []
        if let option = report.option { parts.append(context.replies("van.set_to", ["value": option])) }
        if let target = report.target {
            parts.append(context.replies("van.set_to", ["value": quantity(target, "°C", context)]))
        }
        if let current = report.current {
            parts.append(context.replies("van.it_is", ["value": quantity(current, "°C", context)]))
        }
        return parts.isEmpty ? nil : context.spoken.list(parts)
    }

    /// Several devices: those of each state together.
    private static func states(_ devices: [Device], _ said: String, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var groups: [(state: String, names: [String])] = []
        for device in devices where !device.sources.isEmpty {
            let report = await context.van.report(on: device)
            let state: String
            if !report.isAvailable {
                state = context.replies("van.offline_word")
            } else if report.isStale {
                state = context.replies("van.stale_word")
            } else {
                state = words(for: report, device, context) ?? context.replies("van.silent_word")
            }
            if let index = groups.firstIndex(where: { $0.state == state }) {
                groups[index].names.append(context.spoken.the(device.name))
            } else {
                groups.append((state, [context.spoken.the(device.name)]))
            }
        }
        guard let first = groups.first else { return Reply(context.replies("van.none_of", ["noun": said])) }
        if groups.count == 1, first.names.count > 1 {
            let values = ["count": "\(first.names.count)", "noun": said, "state": first.state]
            return Reply(context.replies("van.all_done", values))
        }
        let parts = groups.map { group in
            let be = group.names.count == 1 ? context.spoken.be(group.names[0]) : context.replies("verb.are")
            return context.replies(
                "van.part", ["list": context.spoken.list(group.names), "be": be, "state": group.state])
        }
        return Reply(context.replies("van.parts", ["list": context.spoken.list(parts)]).capitalisedFirst)
    }
}
