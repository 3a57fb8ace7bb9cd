import Domain
import Devices

/// What all of it weighs, and what may still come aboard.
package struct LoadQuestions: HandlerPart {
    let finder: ItemFinder
    let manifest: any ManifestStore
    let vehicle: any VehicleStore
    /// Its sensors report the tanks' levels.
    let van: Van
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (finder, manifest) = (ItemFinder(context), context.stores.manifest)
        (vehicle, van, environment) = (context.stores.vehicle, context.van, context.environment)
    }

    private var words: ItemWords { ItemWords(environment: environment) }

    func weight(_ reference: ManifestIntent.ItemReference, _ command: Command) async throws -> Reply {
        switch try await finder.item(reference, command) {
        case .reply(let reply): return reply
        case .item(let item): return Reply(words.weight(item))
        }
    }

    func totalWeight(_ query: ItemQuery, isLoad: Bool) async throws -> Reply {
        if query != ItemQuery() {
            let totals = try await manifest.totals(query)
            let name = query.place.map { spoken.the($0) } ?? query.category ?? ""
            let values: [String: any Worded] = [
                "Name": name.capitalisedFirst, "place": name, "in": query.place.map { spoken.inside($0) } ?? "",
                "mass": words.mass(totals.grams),
            ]
            if totals.items == 0 { return Reply(replies("manifest.place_empty", values)) }
            let key = query.place == nil ? "manifest.sort_weight" : "manifest.place_weight"
            return Reply(joined([replies(key, values), unweighed(totals)]))
        }
        let load = try await sheet()
        if isLoad || load.total == nil {
            let sum = replies("manifest.load_weight", ["mass": words.mass(load.items.grams)])
            let missing = !isLoad ? replies("manifest.no_unladen") : ""
            return Reply(joined([sum, unweighed(load.items), missing]))
        }
        let sum = replies("manifest.van_weight", ["mass": words.mass(load.total ?? 0)])
        return Reply(joined([sum, omissions(load)]))
    }

    func payloadLeft() async throws -> Reply {
        let load = try await sheet()
        guard let left = load.left, let permitted = load.permitted, let total = load.total else {
            let key =
                load.permitted != nil ? "no_unladen" : load.unladen != nil ? "no_permitted" : "no_masses"
            return .failed(replies("manifest.\(key)"))
        }
        let values = [
            "mass": words.mass(Int(left.magnitude)), "total": words.mass(total),
            "permitted": words.mass(permitted),
        ]
        if left == 0 { return Reply(joined([replies("manifest.at_the_limit", values), omissions(load)])) }
        return Reply(
            joined([replies(left < 0 ? "manifest.overweight" : "manifest.margin", values), omissions(load)]))
    }

    /// What the sum leaves out, so that it is not taken for complete.
    private func omissions(_ load: LoadSheet) -> Wording {
        let tanks = load.unknownTanks.map { spoken.the($0) }
        let unknown =
            tanks.isEmpty ? "" : replies("manifest.tanks_unknown", ["list": spoken.list(tanks)])
        return joined([unweighed(load.items), unknown])
    }

    private func unweighed(_ totals: ItemTotals) -> Wording {
        totals.unweighed == 0 ? "" : replies("manifest.unweighed", ["n": "\(totals.unweighed)"])
    }

    private func joined(_ sentences: [Wording]) -> Wording {
        sentences.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
