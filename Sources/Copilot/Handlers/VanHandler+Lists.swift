/// What is on, and what is open.
extension VanHandler {
    static func listOn(_ command: Command, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let area = command.slots["area"]?.names.first?.name
        let word = command.text("kinds").flatMap(KindWord.init)
        var on: [String] = []
        for device in context.van.devices where device.canSwitch && (area == nil || device.area == area) {
            if let word, !word.holds(device) { continue }
            let report = await context.van.report(on: device)
            if report.state == .on, report.isAvailable, !report.isStale { on.append(context.spoken.the(device.name)) }
        }
        guard !on.isEmpty else { return Reply(context.replies("van.none_on")) }
        let be = on.count == 1 ? context.spoken.be(on[0]) : context.replies("verb.are")
        let values = ["list": context.spoken.list(on), "be": be]
        return Reply(context.replies("van.list_on", values).capitalisedFirst)
    }

    /// What is open or unlocked. What has not told is named, too: somebody is about to drive off.
    static func listOpen(_ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var open: [String] = [], unlocked: [String] = [], silent: [String] = [], hasAny = false
        for device in context.van.devices where device.kind == .cover || device.kind == .lock || device.isOpening {
            hasAny = true
            let report = await context.van.report(on: device)
            let name = context.spoken.the(device.name)
            guard report.isKnown else {
                silent.append(name)
                continue
            }
            switch (device.kind, report.state, report.position) {
            case (.lock, _, .locked?), (.cover, _, .closed?): break
            case (.lock, _, _): unlocked.append(name)
            case (.cover, _, _), (_, .on, _): open.append(name)
            default: break
            }
        }
        guard hasAny else { return Reply(context.replies("van.nothing_opens")) }
        func part(_ names: [String], _ key: String) -> String? {
            guard !names.isEmpty else { return nil }
            let be = names.count == 1 ? context.spoken.be(names[0]) : context.replies("verb.are")
            return context.replies(key, ["list": context.spoken.list(names), "be": be]).capitalisedFirst
        }
        let parts = [
            open.isEmpty ? context.replies("van.none_open") : part(open, "van.list_open"),
            part(unlocked, "van.list_unlocked"), part(silent, "van.list_silent"),
        ]
        return Reply(parts.compactMap { $0 }.joined(separator: " "))
    }
}
