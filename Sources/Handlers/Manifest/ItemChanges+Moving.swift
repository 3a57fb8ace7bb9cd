import Domain

/// What changes its place.
extension ItemChanges {
    func move(_ move: ManifestIntent.Move, _ command: Command) async throws -> Reply {
        switch try await finder.item(narrowedByOrigin(move), command) {
        case .reply(let reply): return reply
        case .item(let old):
            guard let place = words.place(move.destination), !place.isEmpty else {
                return Reply(
                    replies("manifest.ask_where", words.values(old)),
                    question: ManifestIntent.question(for: .place, of: command))
            }
            if let other = move.other { return try await moveTwo(old, other, to: place, command) }
            var item = old
            item.place = place
            if old.place == place { return Reply(replies("manifest.there_already", words.values(item))) }
            if let quantity = move.quantity {
                guard let some = ItemWords.pieces(quantity) else { return .failed(replies("manifest.bad_quantity")) }
                guard some <= old.quantity else {
                    return .failed(replies("manifest.only", words.values(old)))
                }
                if some < old.quantity { return try await moveSome(some, of: old, to: place) }
            }
            return try await store(item, insteadOf: old, "manifest.moved")
        }
    }

    /// “the torch from the cab” is the one in the cab.
    private func narrowedByOrigin(_ move: ManifestIntent.Move) async throws -> ManifestIntent.ItemReference {
        guard let origin = move.origin, let named = move.item.item else { return move.item }
        let there = try await manifest.items(ids: named.numbers).filter { $0.place == origin }
        guard !there.isEmpty else { return move.item }
        var narrowed = move.item
        narrowed.item = SpokenName(SlotValue(text: named.text, content: .names(there.map(ItemWords.name))))
        return narrowed
    }

    /// Some pieces: they join what is there already, or become an entry of their own.
    private func moveSome(
        _ count: Int, of old: Item, to place: String
    ) async throws -> Reply {
        var stays = old, goes = old
        stays.quantity -= count
        let there = try await manifest.items(ids: finder.search(old.name).ids).first {
            $0.name == old.name && $0.place == place
        }
        if var there {
            there.quantity += count
            goes = there
        } else {
            (goes.id, goes.quantity, goes.place) = (0, count, place)
        }
        guard try await manifest.change([stays, goes], removing: []) else {
            return .failed(replies("manifest.not_aboard", ["name": old.name]))
        }
        var moved = old
        (moved.quantity, moved.place) = (count, place)
        var values = words.values(moved)
        values["quantity"] = "\(count)"
        return Reply(
            replies("manifest.moved_some", values), effects: ["manifest: \(count) of item \(old.id)"],
            undo: Undo(replies("manifest.undo_change", words.values(old))), changesNames: true)
    }

    /// Two things named in one breath: both, or none.
    private func moveTwo(
        _ one: Item, _ second: ManifestIntent.ItemReference, to place: String, _ command: Command
    ) async throws -> Reply {
        switch try await finder.item(second, command) {
        case .reply(var reply):
            // An answer to that question would move the second one only.
            if case .choice = reply.question { reply = .failed(replies("manifest.one_by_one")) }
            return reply
        case .item(let other):
            var items = [one, other]
            for index in items.indices { items[index].place = place }
            guard try await manifest.change(items, removing: []) else {
                return .failed(replies("manifest.not_aboard", ["name": other.name]))
            }
            let names = spoken.list([spoken.the(one.name), spoken.the(other.name)])
            let values: [String: any Worded] = [
                "Names": names.capitalisedFirst, "the": names, "in": spoken.inside(place),
            ]
            return Reply(
                replies("manifest.moved_two", values),
                effects: ["manifest: items \(one.id) and \(other.id)"],
                undo: Undo(replies("manifest.undo_change", values)), changesNames: true)
        }
    }

    func moveAll(
        from origin: String?, to reference: ManifestIntent.PlaceReference, _ command: Command
    ) async throws -> Reply {
        guard let origin, let destination = words.place(reference) else {
            return Reply(
                replies("manifest.ask_where"), question: ManifestIntent.question(for: .place, of: command))
        }
        let count = try await manifest.totals(ItemQuery(place: origin)).items
        let values = [
            "origin": spoken.the(origin), "place": spoken.the(destination), "n": "\(count)",
        ]
        guard count > 0, origin != destination else {
            return Reply(replies("manifest.place_empty", ["place": spoken.the(origin)]))
        }
        _ = try await manifest.moveAll(from: origin, to: destination)
        return Reply(
            replies("manifest.moved_all", values), effects: ["manifest: all from \(origin) to \(destination)"],
            undo: Undo(replies("manifest.undo_move_all", values)), changesNames: true)
    }
}
