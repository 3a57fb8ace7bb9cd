import Domain

/// What goes from aboard.
extension ManifestHandler {
    /// Removes an entry, or some pieces of it. What was used up keeps its entry: it will be bought again.
    package static func remove(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["everything"] != nil { return try await removeAll(command, context) }
        let isUsed = command.slots["used"] != nil || command.slots["none"] != nil
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let old):
            if let slot = command.slots["number"] {
                guard let some = pieces(slot) else { return .failed(context.replies("manifest.bad_quantity")) }
                guard some <= old.quantity else {
                    return .failed(
                        context.replies(
                            old.quantity == 0 ? "manifest.used_up" : "manifest.only", values(old, context)))
                }
                if some < old.quantity || isUsed {
                    var item = old
                    item.quantity -= some
                    let key = item.quantity == 0 ? "manifest.now_used_up" : "manifest.left"
                    return try await store(item, insteadOf: old, key, context)
                }
            }
            if isUsed {
                if old.quantity == 0 { return Reply(context.replies("manifest.used_up", values(old, context))) }
                var item = old
                item.quantity = 0
                return try await store(item, insteadOf: old, "manifest.now_used_up", context)
            }
            return try await removeEntry(old, context)
        }
    }

    /// Removes an entry with all its pieces, and answers.
    package static func removeEntry(_ item: Item, _ context: HandlerContext) async throws -> Reply {
        guard try await context.stores.manifest.remove(id: item.id) else {
            return .failed(context.replies("manifest.not_aboard", ["name": item.name]))
        }
        return Reply(
            context.replies("manifest.removed", values(item, context)), effects: ["manifest: removed \(item.id)"],
            undo: Undo(context.replies("manifest.undo_remove", values(item, context))), changesNames: true)
    }

    /// Everything in a place, once the owner has said yes.
    private static func removeAll(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let place = command.slots["place"]?.names.first?.name else {
            return Reply(context.replies("manifest.ask_place"), question: .slot("place", of: command))
        }
        let count = try await context.stores.manifest.totals(ItemQuery(place: place)).items
        let values = ["place": context.spoken.the(place), "n": "\(count)"]
        guard count > 0 else { return Reply(context.replies("manifest.place_empty", values)) }
        guard command.isConfirmed else {
            return Reply(context.replies("manifest.confirm_remove_all", values), question: .confirmation(of: command))
        }
        _ = try await context.stores.manifest.removeAll(in: place)
        return Reply(
            context.replies("manifest.removed_all", values), effects: ["manifest: removed all in \(place)"],
            undo: Undo(context.replies("manifest.undo_remove_all", values)), changesNames: true)
    }
}
