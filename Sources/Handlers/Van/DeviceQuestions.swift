import Domain
import Devices

/// Answers questions about devices.
package struct DeviceQuestions: DevicePart {
    let van: Van
    package let environment: HandlerEnvironment

    var resolver: DeviceResolver { DeviceResolver(van: van, environment: environment) }

    func state(_ question: VanIntent.StateQuestion, _ command: Command) async -> Reply {
        let reference = question.target
        if let condition = question.condition {
            guard let name = reference.device else { return await set(question, condition) }
            let named = resolver.devices(named: name)
            let concerned = named.filter { condition.concerns($0, isNamed: true, environment.books.words) }
            if concerned.isEmpty, let reply = await charging(condition) { return reply }
            if concerned.count == 1, named.count > 1 { return await state(concerned[0]) }
            if concerned.count > 1, named.count > concerned.count,
                case .reply(let reply) = resolver.choice(concerned, command)
            {
                return reply
            }
        }
        if reference.kind?.word.purposes.contains("carbon_monoxide") == true {
            var reply = await answer(reference, command)
            reply.wording += " " + replies("van.carbon_monoxide")
            return reply
        }
        return await answer(reference, command)
    }

    private func answer(_ reference: VanIntent.TargetReference, _ command: Command) async -> Reply {
        switch resolver.targets(reference, for: nil, command) {
        case .reply(let reply): return reply
        case .one(let device): return await state(device)
        case .many(let devices, let said): return await states(devices, said)
        }
    }

    /// What one device is doing.
    package func state(_ device: Device) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let report = await van.report(on: device)
        var values = phrasing.names(device)
        let own = spoken.the(resolver.spokenName(of: device))
        values.merge(["name": own, "Name": own.capitalisedFirst]) { $1 }
        guard device.kind != .button, device.kind != .scene, !device.sources.isEmpty else {
            return Reply(replies("van.stateless", values))
        }
        guard report.isAvailable else { return Reply(replies("van.is_offline", values)) }
        guard let words = phrasing.words(for: report, device) else {
            return Reply(replies(report.state == .invalid ? "van.invalid" : "van.unknown", values))
        }
        values["state"] = words
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        return Reply(replies(report.isStale ? "van.state_stale" : "van.state", values))
    }

    /// Several devices: those of each state together.
    func states(_ devices: [Device], _ said: String) async -> Reply {
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
                state = phrasing.words(for: report, device) ?? replies("van.silent_word")
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
            return Reply(phrasing.all("van.all_done", first.names.count, values))
        }
        return Reply(phrasing.parts(groups))
    }
}
