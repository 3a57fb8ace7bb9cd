/// What is aboard, how many, and where.
enum ManifestHandler: Handler {
    static let name = "manifest"
    static let intents = [
        "find_item", "have_item", "list_place", "count_items", "add_item", "remove_item", "move_item",
    ]

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        var reply =
            switch command.intent {
            case "find_item": try await find(await forgiving(command, context), context)
            case "have_item": try await have(await forgiving(command, context), context)
            case "list_place": try await list(command, context)
            case "count_items": try await count(command, context)
            case "add_item": try await add(command, context)
            case "remove_item": try await remove(command, context)
            default: try await move(command, context)
            }
        reply.palette = .manifest
        return reply
    }

    /// The item that the slot names; a question or an answer instead where there is not exactly one.
    private enum Found {
        case item(Item)
        case reply(Reply)
    }

    private static func item(_ command: Command, _ context: HandlerContext) async throws -> Found {
        guard let slot = command.slots["item"] else {
            if let thing = command.text("thing") {
                return .reply(Reply(context.replies("manifest.not_aboard", ["name": cleaned(thing, context)])))
            }
            return .reply(Reply(context.replies("manifest.ask_item"), question: .slot("item", of: command)))
        }
        let items = try await context.stores.manifest.items()
        let matches = slot.names.compactMap { name in items.first { "\($0.id)" == name.id } }
        if matches.count > 1 {
            let choices = matches.map { context.choice($0.name, in: $0.place, id: "\($0.id)") }
            return .reply(
                Reply(
                    context.replies("manifest.which", ["list": context.spoken.choice(choices.map(\.name))]),
                    question: .choice(slot: "item", among: choices, of: command)))
        }
        guard let item = matches.first else {
            return .reply(Reply(context.replies("manifest.not_aboard", ["name": slot.text])))
        }
        return .item(item)
    }

    private static func values(_ item: Item, _ context: HandlerContext) -> [String: String] {
        [
            "name": item.name, "Name": context.spoken.the(item.name).capitalisedFirst,
            "the": context.spoken.the(item.name), "place": item.place.map { context.spoken.the($0) } ?? "",
            "counted": counted(item), "be": context.spoken.be(item.name),
        ]
    }

    /// “1 kettle”, “4 camping chairs”.
    private static func counted(_ item: Item) -> String {
        var words = item.name.split(separator: " ").map(String.init)
        if item.quantity != 1, let last = words.popLast() { words.append(MatchingRules.plural(last)) }
        return "\(item.quantity) \(words.joined(separator: " "))"
    }

    private static func find(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let item):
            let key =
                item.quantity == 0 ? "manifest.used_up" : item.place == nil ? "manifest.no_place" : "manifest.found"
            return Reply(context.replies(key, values(item, context)))
        }
    }

    private static func have(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let item):
            let key =
                item.quantity == 0 ? "manifest.used_up" : item.place == nil ? "manifest.have" : "manifest.have_in"
            return Reply(context.replies(key, values(item, context)))
        }
    }

    private static func count(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let item): return Reply(context.replies("manifest.count", values(item, context)))
        }
    }

    private static func list(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let place = command.slots["place"]?.names.first?.name else {
            return Reply(context.replies("manifest.ask_place"), question: .slot("place", of: command))
        }
        let items = try await context.stores.manifest.items().filter { $0.place == place && $0.quantity > 0 }
        let spoken = items.prefix(6).map { $0.quantity == 1 ? $0.name : counted($0) }
        let values = [
            "Place": context.spoken.the(place).capitalisedFirst, "place": context.spoken.the(place),
            "list": context.spoken.list(spoken), "rest": "\(items.count - spoken.count)",
        ]
        let key = items.isEmpty ? "manifest.place_empty" : items.count > 6 ? "manifest.place_more" : "manifest.place"
        return Reply(context.replies(key, values))
    }

    /// The place that was named: one of the owner's, or a new one in the words that were said.
    private static func place(_ command: Command, _ context: HandlerContext) -> String? {
        if let known = command.slots["place"]?.names.first?.name { return known }
        return command.text("where").map { cleaned($0, context) }
    }

    private static func add(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let manifest = context.stores.manifest
        let quantity = Int(command.slots["number"]?.number ?? 1)
        guard quantity > 0, quantity <= 100_000 else { return Reply(context.replies("manifest.bad_quantity")) }
        let destination = place(command, context)
        if let slot = command.slots["item"] {
            return try await addMore(of: slot, quantity, to: destination, command, context)
        }
        guard let thing = command.text("thing").map({ cleaned($0, context) }), !thing.isEmpty else {
            return Reply(context.replies("manifest.ask_thing"), question: .slot("thing", of: command))
        }
        let items = try await manifest.items()
        if let old = items.first(where: { $0.name == thing }), destination == nil || old.place == destination {
            var item = old
            item.quantity += quantity
            return try await store(item, insteadOf: old, "manifest.added_more", context)
        }
        return try await addNew(Item(name: thing, quantity: quantity, place: destination), context)
    }

    /// More of something known. What is kept elsewhere stays there; the same in another place is an entry of its own.
    private static func addMore(
        of slot: SlotValue, _ quantity: Int, to destination: String?, _ command: Command, _ context: HandlerContext
    ) async throws -> Reply {
        let items = try await context.stores.manifest.items()
        let known = items.filter { item in slot.names.contains { $0.id == "\(item.id)" } }
        let here = known.filter { destination == nil || $0.place == nil || $0.place == destination }
        if here.isEmpty, let name = known.first?.name {
            return try await addNew(Item(name: name, quantity: quantity, place: destination), context)
        }
        var narrowed = command
        narrowed.slots["item"] = SlotValue(text: slot.text, content: .names(here.map(name)))
        switch try await item(narrowed, context) {
        case .reply(let reply): return reply
        case .item(let old):
            var item = old
            item.quantity += quantity
            item.place = destination ?? old.place
            return try await store(item, insteadOf: old, "manifest.added_more", context)
        }
    }

    private static func addNew(_ new: Item, _ context: HandlerContext) async throws -> Reply {
        let manifest = context.stores.manifest
        let item = try await manifest.add(new)
        let key = item.place == nil ? "manifest.added" : "manifest.added_to"
        return Reply(
            context.replies(key, values(item, context)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(context.replies("manifest.undo_add", values(item, context))), changesNames: true)
    }

    private static func remove(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let manifest = context.stores.manifest
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let item):
            guard try await manifest.remove(id: item.id) else {
                return Reply(context.replies("manifest.not_aboard", ["name": item.name]))
            }
            return Reply(
                context.replies("manifest.removed", values(item, context)), effects: ["manifest: removed \(item.id)"],
                undo: Undo(context.replies("manifest.undo_remove", values(item, context))), changesNames: true)
        }
    }

    private static func move(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let old):
            guard let place = place(command, context), !place.isEmpty else {
                return Reply(
                    context.replies("manifest.ask_where", values(old, context)), question: .slot("place", of: command))
            }
            var item = old
            item.place = place
            if old.place == place { return Reply(context.replies("manifest.there_already", values(item, context))) }
            return try await store(item, insteadOf: old, "manifest.moved", context)
        }
    }

    private static func store(
        _ item: Item, insteadOf old: Item, _ key: String, _ context: HandlerContext
    ) async throws -> Reply {
        let manifest = context.stores.manifest
        guard try await manifest.update(item) else {
            return Reply(context.replies("manifest.not_aboard", ["name": item.name]))
        }
        return Reply(
            context.replies(key, values(item, context)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(context.replies("manifest.undo_change", values(old, context))),
            changesNames: item.place != old.place)
    }
}
