import Domain

/// How many there are, and what one weighs.
extension ManifestHandler {
    /// What one thing may weigh, in grams: from a gram to five tonnes.
    package static let massRange = 1.0...5_000_000.0

    func setQuantity(
        _ reference: ManifestIntent.ItemReference, _ said: Double?, _ command: Command
    ) async throws -> Reply {
        guard let said else {
            return Reply(
                replies("manifest.ask_number"), question: ManifestIntent.question(for: .number, of: command))
        }
        guard let quantity = Self.pieces(said, least: 0) else {
            return .failed(replies("manifest.bad_quantity"))
        }
        switch try await item(reference, command) {
        case .reply(let reply): return reply
        case .item(let old):
            var item = old
            item.quantity = quantity
            if item == old { return Reply(replies("manifest.as_it_was", values(item))) }
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
        switch try await item(reference, command) {
        case .reply(let reply): return reply
        case .item(let old):
            let grams = isTogether && old.quantity > 1 ? said / Double(old.quantity) : said
            guard Self.massRange.contains(grams.rounded()) else { return .failed(replies("manifest.bad_weight")) }
            var item = old
            item.unitGrams = Int(grams.rounded())
            var reply = try await store(item, insteadOf: old, "manifest.weight_one")
            if reply.outcome == .done { reply.wording = weight(item) }
            return reply
        }
    }

    /// “The toolbox weighs 11.5 kilos.”
    package func weight(_ item: Item) -> Wording {
        var values = values(item)
        guard let grams = item.unitGrams else { return replies("manifest.weight_unknown", values) }
        values["mass"] = mass(grams)
        let (total, isTooMuch) = grams.multipliedReportingOverflow(by: item.quantity)
        guard item.quantity > 1, !isTooMuch else { return replies("manifest.weight_one", values) }
        values["total"] = mass(total)
        return replies("manifest.weight_many", values).capitalisedFirst
    }
}
