import Domain

/// Where things are, and how many.
package struct ItemQuestions: HandlerPart {
    let finder: ItemFinder
    let manifest: any ManifestStore
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (finder, manifest) = (ItemFinder(context), context.stores.manifest)
        environment = context.environment
    }

    var words: ItemWords { ItemWords(environment: environment) }

    func find(_ reference: ManifestIntent.ItemReference, _ command: Command) async throws -> Reply {
        switch try await finder.item(reference, command) {
        case .reply(let reply): return reply
        case .item(let item):
            let key =
                item.quantity == 0
                ? "manifest.used_up"
                : item.place == nil
                    ? "manifest.no_place" : item.quantity > 1 ? "manifest.found_many" : "manifest.found"
            var text = replies(key, words.values(item))
            if let notes = item.notes, !notes.isEmpty {
                text += " " + replies("manifest.note", ["notes": notes])
            }
            return Reply(text)
        }
    }

    func have(_ reference: ManifestIntent.ItemReference, _ command: Command) async throws -> Reply {
        switch try await finder.items(reference, command) {
        case .reply(let reply): return reply
        case .items(let items):
            let left = items.filter { $0.quantity > 0 }
            if left.count > 1, let several = several(left, "manifest.have_several") { return several }
            guard let item = left.first ?? items.first else { return Reply(replies("manifest.ask_item")) }
            let key =
                item.quantity == 0
                ? "manifest.used_up"
                : item.place == nil
                    ? "manifest.have" : item.quantity > 1 ? "manifest.have_many" : "manifest.have_in"
            return Reply(replies(key, words.values(item)))
        }
    }

    /// Entries of one name, each with its place; nil where their names differ.
    private func several(_ items: [Item], _ key: String) -> Reply? {
        guard let first = items.first, items.allSatisfy({ $0.name == first.name }) else { return nil }
        let parts = items.map { item in
            let place = item.place.map { spoken.inside($0) }
            return "\(item.quantity) \(place ?? replies("manifest.somewhere").spoken)"
        }
        var whole = first
        whole.quantity = items.reduce(0) { $0 + $1.quantity }
        return Reply(
            replies(key, ["counted": words.counted(whole), "list": spoken.list(parts)]))
    }

    func count(_ reference: ManifestIntent.ItemReference, _ command: Command) async throws -> Reply {
        switch try await finder.items(reference, command) {
        case .reply(let reply): return reply
        case .items(let items):
            if items.count > 1, let several = several(items, "manifest.count_several") { return several }
            switch try await finder.item(reference, command) {
            case .reply(let reply): return reply
            case .item(let item):
                let key = item.quantity == 0 ? "manifest.used_up" : "manifest.count"
                return Reply(replies(key, words.values(item)))
            }
        }
    }

    /// All things, or those of a place or a category.
    func countAll(_ query: ItemQuery) async throws -> Reply {
        let totals = try await manifest.totals(query)
        var values: [String: any Worded] = [
            "items": "\(totals.items)", "pieces": "\(totals.pieces)", "sort": query.category ?? "",
            "where": replies("manifest.aboard"),
        ]
        if let place = query.place {
            values["where"] = spoken.inside(place)
        }
        if totals.items == 0 { return Reply(replies("manifest.count_none", values)) }
        let isEach = totals.items == totals.pieces
        let key = query.category == nil ? "manifest.count_all" : "manifest.count_sort"
        return Reply(replies(isEach ? key : key + "_pieces", values))
    }

    /// How many names are read out at once.
    private static let listLimit = 6

    func list(_ query: ItemQuery, _ command: Command) async throws -> Reply {
        guard query.place != nil || query.category != nil else {
            return Reply(
                replies("manifest.ask_place"), question: ManifestIntent.question(for: .place, of: command))
        }
        let items = try await manifest.items(query, limit: Self.listLimit)
        let rest = try await manifest.totals(query).items - items.count
        let names = items.map { $0.quantity == 1 ? $0.name.wording : words.counted($0) }
        let place = query.place.map { spoken.the($0) } ?? query.category ?? ""
        let values: [String: any Worded] = [
            "Place": place.capitalisedFirst, "place": place, "sort": query.category ?? "",
            "list": spoken.list(names), "rest": "\(rest)",
        ]
        let isSpot = query.place.map { spoken.saysWhere($0) } ?? false
        let key = query.place == nil ? "manifest.sort" : isSpot && !items.isEmpty ? "manifest.spot" : "manifest.place"
        return Reply(replies(items.isEmpty ? key + "_empty" : rest > 0 ? key + "_more" : key, values))
    }
}
