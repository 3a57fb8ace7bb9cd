import Domain

/// What comes aboard.
extension ManifestHandler {
    package static func add(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let quantity = command.slots["number"] == nil ? 1 : pieces(command.slots["number"])
        guard let quantity else { return .failed(context.replies("manifest.bad_quantity")) }
        let destination = place(command, context)
        if let slot = command.slots["item"] {
            let known = try await context.stores.manifest.items(ids: slot.names.compactMap { Int64($0.id) })
            return try await addMore(of: known, slot.text, quantity, to: destination, command, context)
        }
        guard let thing = command.text("thing").map({ cleaned($0, context) }), !thing.isEmpty else {
            return Reply(context.replies("manifest.ask_thing"), question: .slot("thing", of: command))
        }
        let found = try await search(thing, context)
        let known = found.isCertain ? try await context.stores.manifest.items(ids: found.ids) : []
        if !known.isEmpty { return try await addMore(of: known, thing, quantity, to: destination, command, context) }
        let grams = command.slots["mass"]?.number
        if let grams, !massRange.contains(grams) { return .failed(context.replies("manifest.bad_weight")) }
        return try await addNew(
            Item(
                name: thing, quantity: quantity, unitGrams: grams.map { Int($0.rounded()) }, place: destination,
                category: command.text("sort")), context)
    }

    /// More of something known. What is kept elsewhere stays there; the same in another place is an entry of its own.
    private static func addMore(
        of known: [Item], _ said: String, _ quantity: Int, to destination: String?, _ command: Command,
        _ context: HandlerContext
    ) async throws -> Reply {
        let here = known.filter { destination == nil || $0.place == nil || $0.place == destination }
        if here.isEmpty {
            var new = known.first ?? Item(name: said)
            (new.id, new.quantity, new.place) = (0, quantity, destination)
            return try await addNew(new, context)
        }
        var narrowed = command
        narrowed.slots["item"] = SlotValue(text: said, content: .names(here.map(name)))
        switch try await item(narrowed, context) {
        case .reply(let reply): return reply
        case .item(let old):
            var item = old
            let (sum, isTooMuch) = old.quantity.addingReportingOverflow(quantity)
            guard !isTooMuch else { return .failed(context.replies("manifest.bad_quantity")) }
            item.quantity = sum
            item.place = destination ?? old.place
            return try await store(item, insteadOf: old, "manifest.added_more", context)
        }
    }

    /// Stores a new item, and answers.
    package static func addNew(_ new: Item, _ context: HandlerContext) async throws -> Reply {
        let item = try await context.stores.manifest.add(new)
        let key = item.place == nil ? "manifest.added" : "manifest.added_to"
        return Reply(
            context.replies(key, values(item, context)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(context.replies("manifest.undo_add", values(item, context))), changesNames: true)
    }
}
