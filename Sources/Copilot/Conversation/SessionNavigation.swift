/// Drives the attached screen by voice. Nothing in the van changes by it.
enum SessionNavigation {
    /// “Show the ledger”, “next”, “go back”.
    static func navigate(_ command: Command, _ context: HandlerContext) -> Reply {
        if let tab = command.text("tab") {
            let name = context.replies("screen.\(tab)")
            return Reply(
                context.replies("screen.tab", ["name": name]), palette: palette(of: tab),
                action: AppAction(kind: "tab", target: tab))
        }
        let move = command.text("move") ?? "next"
        guard move != "close" else { return Reply(context.replies("screen.closed"), action: AppAction(kind: "close")) }
        return Reply(context.replies("screen.\(move)"), action: AppAction(kind: "move", target: move))
    }

    /// “Star this”, “unstar this”.
    static func star(_ command: Command, _ context: HandlerContext) -> Reply {
        let isOff = command.text("unstar") != nil
        return Reply(
            context.replies(isOff ? "screen.unstarred" : "screen.starred"),
            action: AppAction(kind: isOff ? "unstar" : "star"))
    }

    /// The kinds of names that can be opened, in the order in which they are looked for.
    private static let kinds = ["device", "item", "task", "trip"]

    /// The bare name of something opens it and never acts on it.
    static func select(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let kind = kinds.first(where: { command.slots[$0] != nil }), let slot = command.slots[kind] else {
            throw HandlerFailure(replyKey: "general.not_understood", detail: "nothing to select")
        }
        let palette: Palette = kind == "device" ? .van : kind == "item" ? .manifest : .standard
        if slot.names.count > 1 {
            let choices = try await choices(slot.names, kind, context)
            if Set(choices.map(\.name)).count == choices.count {
                let list = context.spoken.choice(choices.map(\.name))
                return Reply(
                    context.replies("screen.which", ["list": list]), palette: palette,
                    question: .choice(slot: kind, among: choices, of: command))
            }
        }
        guard let name = slot.names.first else {
            throw HandlerFailure(replyKey: "general.not_understood", detail: "a name of nothing")
        }
        let said = kind == "item" || kind == "device" ? context.spoken.the(name.name) : name.name
        return Reply(
            context.replies("screen.opened_\(kind)", ["name": said]), palette: palette,
            action: AppAction(kind: "open", target: "\(kind):\(name.id)"))
    }

    /// Things of one name, told apart by where they are.
    private static func choices(
        _ names: [OwnerName], _ kind: String, _ context: HandlerContext
    ) async throws -> [OwnerName] {
        switch kind {
        case "device":
            return names.map { name in
                context.choice(name.name, in: context.van.devices.first { $0.id == name.id }?.area, id: name.id)
            }
        case "item":
            let items = try await context.stores.manifest.items()
            return names.map { name in
                context.choice(name.name, in: items.first { "\($0.id)" == name.id }?.place, id: name.id)
            }
        default: return names
        }
    }

    private static func palette(of tab: String) -> Palette {
        switch tab {
        case "ledger": .finance
        case "manifest": .manifest
        case "van": .van
        default: .standard
        }
    }
}
