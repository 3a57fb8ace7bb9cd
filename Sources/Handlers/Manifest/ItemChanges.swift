import Domain

/// Changes what is aboard: here how many there are, and what one weighs.
package struct ItemChanges: HandlerPart {
    let finder: ItemFinder
    let manifest: any ManifestStore
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (finder, manifest) = (ItemFinder(context), context.stores.manifest)
        environment = context.environment
    }

    var words: ItemWords { ItemWords(environment: environment) }

    /// What one thing may weigh, in grams: from a gram to five tonnes.
    package static let massRange = 1.0...5_000_000.0

    func setQuantity(
        _ reference: ManifestIntent.ItemReference, _ said: Double?, _ command: Command
    ) async throws -> Reply {
        guard let said else {
            return Reply(
                replies("manifest.ask_number"), question: ManifestIntent.question(for: .number, of: command))
        }
        guard let quantity = ItemWords.pieces(said, least: 0) else {
            return .failed(replies("manifest.bad_quantity"))
        }
        switch try await finder.item(reference, command) {
        case .reply(let reply): return reply
        case .item(let old):
            var item = old
            item.quantity = quantity
            if item == old { return Reply(replies("manifest.as_it_was", words.values(item))) }
            let key = quantity == 0 ? "manifest.now_used_up" : "manifest.added_more"
            return try await store(item, insteadOf: old, key)
        }
    }

    func setWeight(
        _ reference: ManifestIntent.ItemReference, grams said: Double?, isTogether: Bool, _ command: Command
    ) async throws -> Reply {
        guard let said else {
            return Reply(replies("manifest.ask_weight"), question: ManifestIntent.question(for: .mass, of: command))
        }
        switch try await finder.item(reference, command) {
        case .reply(let reply): return reply
        case .item(let old):
            let grams = isTogether && old.quantity > 1 ? said / Double(old.quantity) : said
            guard Self.massRange.contains(grams.rounded()) else { return .failed(replies("manifest.bad_weight")) }
            var item = old
            item.unitGrams = Int(grams.rounded())
            var reply = try await store(item, insteadOf: old, "manifest.weight_one")
            if reply.outcome == .done { reply.wording = words.weight(item) }
            return reply
        }
    }

    /// Writes a changed item, and answers.
    package func store(
        _ item: Item, insteadOf old: Item, _ key: String
    ) async throws -> Reply {
        guard try await manifest.update(item) else {
            return .failed(replies("manifest.not_aboard", ["name": item.name]))
        }
        return Reply(
            replies(key, words.values(item)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(replies("manifest.undo_change", words.values(old))),
            changesNames: item.place != old.place)
    }
}
