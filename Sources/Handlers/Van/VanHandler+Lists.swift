import Domain
import Devices

/// What is on, and what is open.
extension VanHandler {
    static func listOn(_ command: Command, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        let area = command.slots["area"]?.names.first?.name
        let word = command.text("kinds").flatMap(KindWord.init)
        var on: [String] = [], named: [Device] = [], silent: [String] = [], known = 0
        for device in context.van.devices where device.canSwitch && (area == nil || device.area == area) {
            if let word, !word.holds(device) { continue }
            let report = await context.van.report(on: device)
            if !report.isKnown { silent.append(context.spoken.the(device.name)) }
            if report.isKnown { known += 1 }
            guard report.state == .on, report.isAvailable, !report.isStale else { continue }
            on.append(context.spoken.the(device.name))
            named.append(device)
        }
        guard !on.isEmpty else {
            // Of what nothing is known it is not known that it is off.
            if known == 0, let unknown = self.silent(silent, context) { return Reply(unknown) }
            return Reply(
                [noneOn(command, area, hasWord: word != nil, context), self.silent(silent, context)]
                    .compactMap { $0 }.joined(separator: " "))
        }
        let be = on.count == 1 ? context.spoken.be(on[0]) : context.replies("verb.are")
        let values = ["list": context.spoken.list(on), "be": be]
        return about(named, Reply(context.replies("van.list_on", values).capitalisedFirst))
    }

    private static func noneOn(
        _ command: Command, _ area: String?, hasWord: Bool, _ context: HandlerContext
    ) -> String {
        // “Nothing” would be more than was asked, and untrue.
        guard hasWord, let slot = command.slots["kinds"] else { return context.replies("van.none_on") }
        let noun = withoutArticle(slot.spoken, context)
        let whole = area.map { context.replies("van.in_area", ["noun": noun, "area": context.spoken.the($0)]) }
        return context.replies("van.none_on_of", ["noun": whole ?? noun])
    }

    /// So many are named; of more, how many they are.
    private static let mostNamed = 5

    /// What is not known, in a sentence; nil where all is.
    private static func silent(_ names: [String], _ context: HandlerContext) -> String? {
        guard !names.isEmpty else { return nil }
        guard names.count > mostNamed else {
            return context.replies("van.list_silent", ["list": context.spoken.list(names)])
        }
        return context.replies("van.many_silent", ["count": "\(names.count)"])
    }

    /// Which devices do not answer.
    static func listOffline(_ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var offline: [Device] = []
        for device in context.van.devices where await !context.van.report(on: device).isAvailable {
            offline.append(device)
        }
        guard !offline.isEmpty else { return Reply(context.replies("van.none_offline")) }
        let names = offline.map { context.spoken.the($0.name) }
        let be = names.count == 1 ? context.spoken.be(names[0]) : context.replies("verb.are")
        let values = ["list": context.spoken.list(names), "be": be]
        return about(offline, Reply(context.replies("van.list_offline", values).capitalisedFirst))
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
    static func listOpen(_ command: Command, _ context: HandlerContext) async -> Reply {
        guard context.van.isConnected else { return .failed(context.replies("van.unreachable")) }
        var open: [String] = [], unlocked: [String] = [], silent: [String] = [], count = 0
        var named: [Device] = []
        let word = command.text("kinds").flatMap(KindWord.init)
        for device in context.van.devices where device.kind == .cover || device.kind == .lock || device.isOpening {
            if let word, !word.holds(device) { continue }
            count += 1
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
        let noun = word == nil ? nil : command.slots["kinds"].map { withoutArticle($0.spoken, context) }
        guard count > 0 else {
            return Reply(
                noun.map { context.replies("van.none_known", ["noun": $0]) } ?? context.replies("van.nothing_opens"))
        }
        func part(_ names: [String], _ key: String) -> String? {
            guard !names.isEmpty else { return nil }
            let be = names.count == 1 ? context.spoken.be(names[0]) : context.replies("verb.are")
            return context.replies(key, ["list": context.spoken.list(names), "be": be]).capitalisedFirst
        }
        let none = noun.map { context.replies("van.none_open_of", ["noun": $0]) } ?? context.replies("van.none_open")
        let parts = [
            // Of what nothing is known it is not known that it is closed.
            open.isEmpty ? silent.count == count ? nil : none : part(open, "van.list_open"),
            part(unlocked, "van.list_unlocked"), self.silent(silent, context),
        ]
        return about(named, Reply(parts.compactMap { $0 }.joined(separator: " ")))
    }
}
