/// What is on, and what is open.
extension VanHandler {
    static func listOn(_ command: Command, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let area = command.slots["area"]?.names.first?.name
        let word = command.text("kinds").flatMap(KindWord.init)
        var on: [String] = [], named: [Device] = []
        for device in context.van.devices where device.canSwitch && (area == nil || device.area == area) {
            if let word, !word.holds(device) { continue }
            let report = await context.van.report(on: device)
            guard report.state == .on, report.isAvailable, !report.isStale else { continue }
            on.append(context.spoken.the(device.name))
            named.append(device)
        }
        guard !on.isEmpty else {
            // “Nothing” would be more than was asked, and untrue.
            guard word != nil, let slot = command.slots["kinds"] else { return Reply(context.replies("van.none_on")) }
            let noun = withoutArticle(slot.spoken, context)
            let whole = area.map { context.replies("van.in_area", ["noun": noun, "area": context.spoken.the($0)]) }
            return Reply(context.replies("van.none_on_of", ["noun": whole ?? noun]))
        }
        let be = on.count == 1 ? context.spoken.be(on[0]) : context.replies("verb.are")
        let values = ["list": context.spoken.list(on), "be": be]
        return about(named, Reply(context.replies("van.list_on", values).capitalisedFirst))
    }

    /// The reply with its subject, where that is one device.
    private static func about(_ devices: [Device], _ reply: Reply) -> Reply {
        guard devices.count == 1, let device = devices.first else { return reply }
        let name = OwnerName(name: device.name, aliases: device.aliases, id: device.id)
        var reply = reply
        reply.subject = ["device": SlotValue(text: device.name, content: .names([name]))]
        return reply
    }

    /// What is open or unlocked. What has not told is named, too: somebody is about to drive off.
    static func listOpen(_ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var open: [String] = [], unlocked: [String] = [], silent: [String] = [], hasAny = false
        var named: [Device] = []
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
            case (.lock, _, _):
                unlocked.append(name)
                named.append(device)
            case (.cover, _, _), (_, .on, _):
                open.append(name)
                named.append(device)
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
        return about(named, Reply(parts.compactMap { $0 }.joined(separator: " ")))
    }
}
