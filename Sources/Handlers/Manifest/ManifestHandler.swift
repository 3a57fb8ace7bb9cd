import Domain

/// What is aboard, how many, where, and what it weighs.
package enum ManifestHandler: Handler {
    package static let name = "manifest"
    package static let intents = [
        "find_item", "have_item", "list_place", "add_item", "remove_item", "move_item", "set_quantity", "set_weight",
        "count_items", "total_weight", "payload_left",
    ]

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        var reply =
            switch command.intent {
            case "find_item": try await find(command, context)
            case "have_item": try await have(command, context)
            case "list_place": try await list(command, context)
            case "count_items": try await count(command, context)
            case "add_item": try await add(command, context)
            case "remove_item": try await remove(command, context)
            case "set_quantity": try await setQuantity(command, context)
            case "set_weight": try await setWeight(command, context)
            case "total_weight": try await totalWeight(command, context)
            case "payload_left": try await payloadLeft(context)
            default: try await move(command, context)
            }
        reply.palette = .manifest
        return reply
    }

    /// What a command is about: one item, or a question or an answer instead.
    package enum Found {
        case item(Item)
        case reply(Reply)
    }

    /// The one item that the command names. Which of several is asked; a place said with it decides.
    package static func item(_ command: Command, _ context: HandlerContext) async throws -> Found {
        let matches: [Item]
        switch try await items(command, context) {
        case .reply(let reply): return .reply(reply)
        case .items(let items): matches = items
        }
        // Two entries of one name in one place cannot be told apart by voice; either will do.
        let differ = Set(matches.map { [$0.name, $0.place ?? ""] }).count > 1
        guard let item = matches.first else { return .reply(Reply(context.replies("manifest.ask_item"))) }
        guard differ else { return .item(item) }
        let choices = matches.prefix(choiceLimit).map { context.choice($0.name, in: $0.place, id: "\($0.id)") }
        return .reply(
            Reply(
                context.replies("manifest.which", ["list": context.spoken.choice(choices.map(\.name))]),
                question: .choice(slot: "item", among: choices, of: command)))
    }

    /// More than this nobody keeps in mind while choosing.
    private static let choiceLimit = 5

    /// What a command is about: all items of that name, at least one, or a question or an answer instead.
    package enum FoundItems {
        case items([Item])
        case reply(Reply)
    }

    /// All items that the command names: by name, else by a search that forgives.
    package static func items(_ command: Command, _ context: HandlerContext) async throws -> FoundItems {
        let manifest = context.stores.manifest, replies = context.replies
        var items: [Item] = []
        if let slot = command.slots["item"] {
            items = try await manifest.items(ids: slot.names.compactMap { Int64($0.id) })
            if items.isEmpty { return .reply(.failed(replies("manifest.not_aboard", ["name": slot.text]))) }
        } else if let thing = command.text("thing").map({ cleaned($0, context) }), !thing.isEmpty {
            let search = try await search(thing, context)
            items = try await manifest.items(ids: search.ids)
            guard let first = items.first else {
                let text = replies("manifest.not_aboard", ["name": thing])
                return .reply(isQuestion(command) ? Reply(text) : .failed(text))
            }
            // What changes something must name it: a near-miss is asked back.
            if !isQuestion(command), !search.isCertain, items.count == 1 {
                var meant = command
                meant.slots["item"] = SlotValue(text: first.name, content: .names([name(first)]))
                return .reply(
                    Reply(
                        replies("manifest.meant", ["the": context.spoken.the(first.name)]),
                        question: .confirmation(of: meant)))
            }
        } else {
            return .reply(Reply(replies("manifest.ask_item"), question: .slot("item", of: command)))
        }
        if command.intent != "move_item", let place = command.slots["place"]?.names.first?.name {
            let there = items.filter { $0.place == place }
            if !there.isEmpty { items = there }
        }
        return .items(items)
    }

    private static func isQuestion(_ command: Command) -> Bool {
        ["find_item", "have_item", "count_items", "total_weight"].contains(command.intent)
    }

    /// Writes a changed item, and answers.
    package static func store(
        _ item: Item, insteadOf old: Item, _ key: String, _ context: HandlerContext
    ) async throws -> Reply {
        guard try await context.stores.manifest.update(item) else {
            return .failed(context.replies("manifest.not_aboard", ["name": item.name]))
        }
        return Reply(
            context.replies(key, values(item, context)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(context.replies("manifest.undo_change", values(old, context))),
            changesNames: item.place != old.place)
    }
}
