import Domain

/// How many there are, and what one weighs.
extension ManifestHandler {
    /// What one thing may weigh, in grams: from a gram to five tonnes.
    package static let massRange = 1.0...5_000_000.0

    static func setQuantity(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let isNone = command.slots["none"] != nil
        guard isNone || command.slots["number"] != nil else {
            return Reply(context.replies("manifest.ask_number"), question: .slot("number", of: command))
        }
        guard let quantity = isNone ? 0 : pieces(command.slots["number"], least: 0) else {
            return .failed(context.replies("manifest.bad_quantity"))
        }
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let old):
            var item = old
            item.quantity = quantity
            if item == old { return Reply(context.replies("manifest.as_it_was", values(item, context))) }
            let key = quantity == 0 ? "manifest.now_used_up" : "manifest.added_more"
            return try await store(item, insteadOf: old, key, context)
        }
    }

    static func setWeight(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        // A number without a unit means kilos.
        let said = command.slots["mass"]?.number ?? command.slots["number"]?.number.map { $0 * 1_000 }
        guard let said else {
            return Reply(context.replies("manifest.ask_weight"), question: .slot("mass", of: command))
        }
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let old):
            let isTogether = command.text("share") == "together" && old.quantity > 1
            let grams = isTogether ? said / Double(old.quantity) : said
            guard massRange.contains(grams.rounded()) else { return .failed(context.replies("manifest.bad_weight")) }
            var item = old
            item.unitGrams = Int(grams.rounded())
            var reply = try await store(item, insteadOf: old, "manifest.weight_one", context)
            if reply.outcome == .done { reply.text = weight(item, context) }
            return reply
        }
    }

    /// “The toolbox weighs 11.5 kilos.”
    package static func weight(_ item: Item, _ context: HandlerContext) -> String {
        var values = values(item, context)
        guard let grams = item.unitGrams else { return context.replies("manifest.weight_unknown", values) }
        values["mass"] = mass(grams, context)
        let (total, isTooMuch) = grams.multipliedReportingOverflow(by: item.quantity)
        guard item.quantity > 1, !isTooMuch else { return context.replies("manifest.weight_one", values) }
        values["total"] = mass(total, context)
        return context.replies("manifest.weight_many", values).capitalisedFirst
    }
}
