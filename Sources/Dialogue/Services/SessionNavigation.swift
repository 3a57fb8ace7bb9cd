import Domain
import Handlers

/// Drives the attached screen by voice. Nothing in the van changes by it.
enum SessionNavigation {
    /// “Show the ledger”, “next”, “go back”. The bus is told of it in any case: a display of the owner's own may
    /// follow.
    static func navigate(_ command: Command, _ context: HandlerContext) -> Reply {
        let view = context.screens.current
        if let tab = command.text("tab") {
            return Reply(
                context.replies(view == nil ? "screen.none" : "screen.\(tab)"), palette: palette(of: tab),
                action: AppAction(kind: "tab", target: tab))
        }
        let move = command.text("move") ?? "next"
        let action = move == "close" ? AppAction(kind: "close") : AppAction(kind: "move", target: move)
        return Reply(context.replies(view.map { answer(to: move, on: $0) } ?? "screen.none"), action: action)
    }

    /// What is so once the screen has followed.
    private static func answer(to move: String, on view: ScreenView) -> String {
        switch move {
        case "close": view.tab == nil ? "screen.nothing_open" : "screen.closed"
        case "back": view.canGoBack ? "screen.back" : "screen.nothing_before"
        case "open": view.thing == nil ? "screen.nothing_selected" : "screen.open"
        case "previous" where view.count > 0: view.place > 0 ? "screen.previous" : "screen.first"
        case "next" where view.count > 0: view.place + 1 < view.count ? "screen.next" : "screen.last"
        default: "screen.no_list"
        }
    }

    /// “Star this”, “unstar this”: said once it is stored.
    static func star(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let view = context.screens.current else { return .failed(context.replies("screen.none")) }
        guard let thing = view.thing, let name = view.name else {
            return .failed(context.replies("screen.nothing_selected"))
        }
        guard Starrable.includes(thing) else { return .failed(context.replies("screen.no_star", ["name": name])) }
        let isOff = command.text("unstar") != nil
        guard try await context.stores.stars.setStar(!isOff, on: thing) else {
            return Reply(context.replies(isOff ? "screen.never_starred" : "screen.already_starred", ["name": name]))
        }
        return Reply(
            context.replies(isOff ? "screen.unstarred" : "screen.starred", ["name": name]),
            effects: ["\(isOff ? "unstarred" : "starred"): \(thing)"],
            undo: Undo(context.replies(isOff ? "screen.undo_unstar" : "screen.undo_star", ["name": name])),
            action: AppAction(kind: isOff ? "unstar" : "star", target: thing))
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
        let key = context.screens.current == nil ? "screen.none" : "screen.opened_\(kind)"
        return Reply(
            context.replies(key, ["name": said]), palette: palette,
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
