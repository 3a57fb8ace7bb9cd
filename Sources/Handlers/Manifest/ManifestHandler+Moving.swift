import Domain

/// What changes its place.
extension ManifestHandler {
    package static func move(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["everything"] != nil { return try await moveAll(command, context) }
        switch try await item(narrowedByOrigin(command, context), context) {
        case .reply(let reply): return reply
        case .item(let old):
            guard let place = place(command, context), !place.isEmpty else {
                return Reply(
                    context.replies("manifest.ask_where", values(old, context)), question: .slot("place", of: command))
            }
            if command.slots["other"] != nil { return try await moveTwo(old, command, to: place, context) }
            var item = old
            item.place = place
            if old.place == place { return Reply(context.replies("manifest.there_already", values(item, context))) }
            if let slot = command.slots["number"] {
                guard let some = pieces(slot) else { return .failed(context.replies("manifest.bad_quantity")) }
                guard some <= old.quantity else {
                    return .failed(context.replies("manifest.only", values(old, context)))
                }
                if some < old.quantity { return try await moveSome(some, of: old, to: place, context) }
            }
            return try await store(item, insteadOf: old, "manifest.moved", context)
        }
    }

    /// “the torch from the cab” is the one in the cab.
    private static func narrowedByOrigin(_ command: Command, _ context: HandlerContext) async throws -> Command {
        guard let origin = command.slots["origin"]?.names.first?.name, let slot = command.slots["item"] else {
            return command
        }
        let items = try await context.stores.manifest.items(ids: slot.names.compactMap { Int64($0.id) })
        let there = items.filter { $0.place == origin }
        guard !there.isEmpty else { return command }
        var command = command
        command.slots["item"] = SlotValue(text: slot.text, content: .names(there.map(name)))
        return command
    }

    /// Some pieces: they join what is there already, or become an entry of their own.
    private static func moveSome(
        _ count: Int, of old: Item, to place: String, _ context: HandlerContext
    ) async throws -> Reply {
        var stays = old, goes = old
        stays.quantity -= count
        let there = try await context.stores.manifest.items(ids: search(old.name, context).ids).first {
            $0.name == old.name && $0.place == place
        }
        if var there {
            there.quantity += count
            goes = there
        } else {
            (goes.id, goes.quantity, goes.place) = (0, count, place)
        }
        guard try await context.stores.manifest.change([stays, goes], removing: []) else {
            return .failed(context.replies("manifest.not_aboard", ["name": old.name]))
        }
        var moved = old
        (moved.quantity, moved.place) = (count, place)
        var values = values(moved, context)
        values["quantity"] = "\(count)"
        return Reply(
            context.replies("manifest.moved_some", values), effects: ["manifest: \(count) of item \(old.id)"],
            undo: Undo(context.replies("manifest.undo_change", self.values(old, context))), changesNames: true)
    }

    /// Two things named in one breath: both, or none.
    private static func moveTwo(
        _ one: Item, _ command: Command, to place: String, _ context: HandlerContext
    ) async throws -> Reply {
        var second = command
        second.slots["item"] = command.slots["other"]
        switch try await item(second, context) {
        case .reply(var reply):
            // An answer to that question would move the second one only.
            if case .choice = reply.question { reply = .failed(context.replies("manifest.one_by_one")) }
            return reply
        case .item(let other):
            var items = [one, other]
            for index in items.indices { items[index].place = place }
            guard try await context.stores.manifest.change(items, removing: []) else {
                return .failed(context.replies("manifest.not_aboard", ["name": other.name]))
            }
            let names = context.spoken.list([context.spoken.the(one.name), context.spoken.the(other.name)])
            let values = ["Names": names.capitalisedFirst, "the": names, "in": context.spoken.inside(place)]
            return Reply(
                context.replies("manifest.moved_two", values),
                effects: ["manifest: items \(one.id) and \(other.id)"],
                undo: Undo(context.replies("manifest.undo_change", values)), changesNames: true)
        }
    }

    private static func moveAll(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let origin = command.slots["origin"]?.names.first?.name, let destination = place(command, context) else {
            return Reply(context.replies("manifest.ask_where"), question: .slot("place", of: command))
        }
        let count = try await context.stores.manifest.totals(ItemQuery(place: origin)).items
        let values = [
            "origin": context.spoken.the(origin), "place": context.spoken.the(destination), "n": "\(count)",
        ]
        guard count > 0, origin != destination else {
            return Reply(context.replies("manifest.place_empty", ["place": context.spoken.the(origin)]))
        }
        _ = try await context.stores.manifest.moveAll(from: origin, to: destination)
        return Reply(
            context.replies("manifest.moved_all", values), effects: ["manifest: all from \(origin) to \(destination)"],
            undo: Undo(context.replies("manifest.undo_move_all", values)), changesNames: true)
    }
}
