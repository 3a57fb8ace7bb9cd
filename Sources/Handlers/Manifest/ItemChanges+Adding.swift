import Domain

/// What comes aboard.
extension ItemChanges {
    func add(_ addition: ManifestIntent.Addition, _ command: Command) async throws -> Reply {
        guard let quantity = ItemWords.pieces(addition.quantity ?? 1) else {
            return .failed(replies("manifest.bad_quantity"))
        }
        let destination = words.place(addition.destination)
        if let named = addition.item.item {
            let known = try await manifest.items(ids: named.numbers)
            return try await add(quantity, moreOf: known, named.text, addition, to: destination, command)
        }
        guard let thing = addition.item.thing.map(environment.bareName), !thing.isEmpty else {
            return Reply(
                replies("manifest.ask_thing"), question: ManifestIntent.question(for: .thing, of: command))
        }
        let found = try await finder.search(thing)
        let known = found.isCertain ? try await manifest.items(ids: found.ids) : []
        if !known.isEmpty {
            return try await add(quantity, moreOf: known, thing, addition, to: destination, command)
        }
        let grams = addition.grams
        if let grams, !Self.massRange.contains(grams) { return .failed(replies("manifest.bad_weight")) }
        return try await addNew(
            Item(
                name: thing, quantity: quantity, unitGrams: grams.map { Int($0.rounded()) }, place: destination,
                category: addition.category))
    }

    /// More of something known. What is kept elsewhere stays there; the same in another place is an entry of its own.
    private func add(
        _ quantity: Int, moreOf known: [Item], _ said: String, _ addition: ManifestIntent.Addition,
        to destination: String?, _ command: Command
    ) async throws -> Reply {
        let here = known.filter { destination == nil || $0.place == nil || $0.place == destination }
        if here.isEmpty {
            var new = known.first ?? Item(name: said)
            (new.id, new.quantity, new.place) = (0, quantity, destination)
            return try await addNew(new)
        }
        var narrowed = addition.item
        narrowed.item = SpokenName(SlotValue(text: said, content: .names(here.map(ItemWords.name))))
        switch try await finder.item(narrowed, command) {
        case .reply(let reply): return reply
        case .item(let old):
            var item = old
            let (sum, isTooMuch) = old.quantity.addingReportingOverflow(quantity)
            guard !isTooMuch else { return .failed(replies("manifest.bad_quantity")) }
            item.quantity = sum
            item.place = destination ?? old.place
            return try await store(item, insteadOf: old, "manifest.added_more")
        }
    }

    /// Stores a new item, and answers.
    package func addNew(_ new: Item) async throws -> Reply {
        let item = try await manifest.add(new)
        let key = item.place == nil ? "manifest.added" : "manifest.added_to"
        return Reply(
            replies(key, words.values(item)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(replies("manifest.undo_add", words.values(item))), changesNames: true)
    }
}
