import Domain

/// What goes from aboard.
extension ItemChanges {
    /// Removes an entry, or some pieces of it. What was used up keeps its entry: it will be bought again.
    func remove(_ removal: ManifestIntent.Removal, _ command: Command) async throws -> Reply {
        switch try await finder.item(removal.item, command) {
        case .reply(let reply): return reply
        case .item(let old):
            if let quantity = removal.quantity {
                guard let some = ItemWords.pieces(quantity) else { return .failed(replies("manifest.bad_quantity")) }
                guard some <= old.quantity else {
                    return .failed(
                        replies(
                            old.quantity == 0 ? "manifest.used_up" : "manifest.only", words.values(old)))
                }
                if some < old.quantity || removal.isUsedUp {
                    var item = old
                    item.quantity -= some
                    let key = item.quantity == 0 ? "manifest.now_used_up" : "manifest.left"
                    return try await store(item, insteadOf: old, key)
                }
            }
            if removal.isUsedUp {
                if old.quantity == 0 { return Reply(replies("manifest.used_up", words.values(old))) }
                var item = old
                item.quantity = 0
                return try await store(item, insteadOf: old, "manifest.now_used_up")
            }
            return try await removeEntry(old)
        }
    }

    /// Removes an entry with all its pieces, and answers.
    package func removeEntry(_ item: Item) async throws -> Reply {
        guard try await manifest.remove(id: item.id) else {
            return .failed(replies("manifest.not_aboard", ["name": item.name]))
        }
        return Reply(
            replies("manifest.removed", words.values(item)), effects: ["manifest: removed \(item.id)"],
            undo: Undo(replies("manifest.undo_remove", words.values(item))), changesNames: true)
    }

    /// Everything in a place, once the owner has said yes.
    func removeAll(in place: String?, _ command: Command) async throws -> Reply {
        guard let place else {
            return Reply(
                replies("manifest.ask_place"), question: ManifestIntent.question(for: .place, of: command))
        }
        let count = try await manifest.totals(ItemQuery(place: place)).items
        let values = ["place": spoken.the(place), "n": "\(count)"]
        guard count > 0 else { return Reply(replies("manifest.place_empty", values)) }
        guard command.isConfirmed else {
            return Reply(replies("manifest.confirm_remove_all", values), question: .confirmation(of: command))
        }
        _ = try await manifest.removeAll(in: place)
        return Reply(
            replies("manifest.removed_all", values), effects: ["manifest: removed all in \(place)"],
            undo: Undo(replies("manifest.undo_remove_all", values)), changesNames: true)
    }
}
