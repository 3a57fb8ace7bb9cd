import Domain

/// Where things are, and how many.
extension ManifestHandler {
    package static func find(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await item(command, context) {
        case .reply(let reply): return reply
        case .item(let item):
            let key =
                item.quantity == 0
                ? "manifest.used_up"
                : item.place == nil
                    ? "manifest.no_place" : item.quantity > 1 ? "manifest.found_many" : "manifest.found"
            var text = context.replies(key, values(item, context))
            if let notes = item.notes, !notes.isEmpty {
                text += " " + context.replies("manifest.note", ["notes": notes])
            }
            return Reply(text)
        }
    }

    package static func have(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        switch try await items(command, context) {
        case .reply(let reply): return reply
        case .items(let items):
            let left = items.filter { $0.quantity > 0 }
            if left.count > 1, let several = several(left, "manifest.have_several", context) { return several }
            guard let item = left.first ?? items.first else { return Reply(context.replies("manifest.ask_item")) }
            let key =
                item.quantity == 0
                ? "manifest.used_up"
                : item.place == nil
                    ? "manifest.have" : item.quantity > 1 ? "manifest.have_many" : "manifest.have_in"
            return Reply(context.replies(key, values(item, context)))
        }
    }

    /// Entries of one name, each with its place; nil where their names differ.
    private static func several(_ items: [Item], _ key: String, _ context: HandlerContext) -> Reply? {
        guard let first = items.first, items.allSatisfy({ $0.name == first.name }) else { return nil }
        let parts = items.map { item in
            let place = item.place.map { context.spoken.inside($0) }
            return "\(item.quantity) \(place ?? context.replies("manifest.somewhere"))"
        }
        var whole = first
        whole.quantity = items.reduce(0) { $0 + $1.quantity }
        return Reply(
            context.replies(key, ["counted": counted(whole, context), "list": context.spoken.list(parts)]))
    }

    package static func count(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        if command.slots["item"] == nil, command.slots["thing"] == nil {
            return try await countAll(command, context)
        }
        switch try await items(command, context) {
        case .reply(let reply): return reply
        case .items(let items):
            if items.count > 1, let several = several(items, "manifest.count_several", context) { return several }
            switch try await item(command, context) {
            case .reply(let reply): return reply
            case .item(let item):
                let key = item.quantity == 0 ? "manifest.used_up" : "manifest.count"
                return Reply(context.replies(key, values(item, context)))
            }
        }
    }

    /// All things, or those of a place or a category.
    private static func countAll(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let query = query(command)
        let totals = try await context.stores.manifest.totals(query)
        var values = [
            "items": "\(totals.items)", "pieces": "\(totals.pieces)", "sort": query.category ?? "",
            "where": context.replies("manifest.aboard"),
        ]
        if let place = query.place {
            values["where"] = context.spoken.inside(place)
        }
        if totals.items == 0 { return Reply(context.replies("manifest.count_none", values)) }
        let isEach = totals.items == totals.pieces
        let key = query.category == nil ? "manifest.count_all" : "manifest.count_sort"
        return Reply(context.replies(isEach ? key : key + "_pieces", values))
    }

    package static func query(_ command: Command) -> ItemQuery {
        ItemQuery(place: command.slots["place"]?.names.first?.name, category: command.text("sort"))
    }

    /// How many names are read out at once.
    private static let listLimit = 6

    package static func list(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        let query = query(command)
        guard query.place != nil || query.category != nil else {
            return Reply(context.replies("manifest.ask_place"), question: .slot("place", of: command))
        }
        let items = try await context.stores.manifest.items(query, limit: listLimit)
        let rest = try await context.stores.manifest.totals(query).items - items.count
        let spoken = items.map { $0.quantity == 1 ? $0.name : counted($0, context) }
        let place = query.place.map { context.spoken.the($0) } ?? query.category ?? ""
        let values = [
            "Place": place.capitalisedFirst, "place": place, "sort": query.category ?? "",
            "list": context.spoken.list(spoken), "rest": "\(rest)",
        ]
        let isSpot = query.place.map { context.spoken.saysWhere($0) } ?? false
        let key = query.place == nil ? "manifest.sort" : isSpot && !items.isEmpty ? "manifest.spot" : "manifest.place"
        return Reply(context.replies(items.isEmpty ? key + "_empty" : rest > 0 ? key + "_more" : key, values))
    }
}
