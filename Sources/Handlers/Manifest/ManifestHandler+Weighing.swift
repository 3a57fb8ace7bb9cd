import Domain

/// What all of it weighs, and what may still come aboard.
extension ManifestHandler {
    static func totalWeight(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["item"] != nil || command.slots["thing"] != nil {
            switch try await item(command, context) {
            case .reply(let reply): return reply
            case .item(let item): return Reply(weight(item, context))
            }
        }
        let query = query(command), replies = context.replies
        if query != ItemQuery() {
            let totals = try await context.stores.manifest.totals(query)
            let name = query.place.map { context.spoken.the($0) } ?? query.category ?? ""
            let values = [
                "Name": name.capitalisedFirst, "place": name, "in": query.place.map { context.spoken.inside($0) } ?? "",
                "mass": mass(totals.grams, context),
            ]
            if totals.items == 0 { return Reply(replies("manifest.place_empty", values)) }
            let key = query.place == nil ? "manifest.sort_weight" : "manifest.place_weight"
            return Reply(joined([replies(key, values), unweighed(totals, context)]))
        }
        let load = try await LoadSheet.read(context)
        if command.slots["load"] != nil || load.total == nil {
            let sum = replies("manifest.load_weight", ["mass": mass(load.items.grams, context)])
            let missing = command.slots["load"] == nil ? replies("manifest.no_unladen") : ""
            return Reply(joined([sum, unweighed(load.items, context), missing]))
        }
        let sum = replies("manifest.van_weight", ["mass": mass(load.total ?? 0, context)])
        return Reply(joined([sum, gaps(load, context)]))
    }

    static func payloadLeft(_ context: HandlerContext) async throws -> Reply {
        let load = try await LoadSheet.read(context), replies = context.replies
        guard let left = load.left, let permitted = load.permitted, let total = load.total else {
            let key =
                load.permitted != nil ? "no_unladen" : load.unladen != nil ? "no_permitted" : "no_masses"
            return .failed(replies("manifest.\(key)"))
        }
        let values = [
            "mass": mass(Int(left.magnitude), context), "total": mass(total, context),
            "permitted": mass(permitted, context),
        ]
        if left == 0 { return Reply(joined([replies("manifest.at_the_limit", values), gaps(load, context)])) }
        return Reply(
            joined([replies(left < 0 ? "manifest.overweight" : "manifest.margin", values), gaps(load, context)]))
    }

    /// What the sum lacks, so that nobody takes it for the whole truth.
    private static func gaps(_ load: LoadSheet, _ context: HandlerContext) -> String {
        let tanks = load.unknownTanks.map { context.spoken.the($0) }
        let unknown =
            tanks.isEmpty ? "" : context.replies("manifest.tanks_unknown", ["list": context.spoken.list(tanks)])
        return joined([unweighed(load.items, context), unknown])
    }

    private static func unweighed(_ totals: ItemTotals, _ context: HandlerContext) -> String {
        totals.unweighed == 0 ? "" : context.replies("manifest.unweighed", ["n": "\(totals.unweighed)"])
    }

    private static func joined(_ sentences: [String]) -> String {
        sentences.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
