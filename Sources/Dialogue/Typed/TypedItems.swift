import Domain
import Handlers

/// A change of an item as it was typed; what is nil stays as it is, and an empty text takes away what was there.
public struct TypedItem: Sendable {
    /// What it is called, where it is kept, what sort of thing it is, and anything else.
    public var name: String?, place: String?, category: String?, notes: String?
    /// What one weighs, such as 1.5 kg; a bare number means kilograms.
    public var weight: String?
    /// How many, 0…100 000.
    public var quantity: Int?
    /// Other names.
    public var aliases: [String]?

    /// Nothing said yet.
    public init() {}
}

/// What is aboard, from the keyboard.
public struct TypedItems: Sendable {
    package let changes: TypedChanges
    package let context: HandlerContext

    /// The items of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    private var manifest: any ManifestStore { context.stores.manifest }

    // MARK: finding

    /// The items in a place, found by a text as a spoken question would find them; what is nil does not matter.
    /// - Throws: `TypedRefusal` where there is no such place.
    public func find(place: String?, text: String?) async throws -> [Item] {
        var items = try await manifest.items()
        if let place {
            let name = try await self.place(place)
            items.removeAll { $0.place != name }
        }
        if let text {
            let ids = Set(try await ItemFinder(context).search(text).ids)
            items.removeAll { !ids.contains($0.id) }
        }
        return items
    }

    /// The one item of a number, else of a name.
    /// - Throws: `TypedRefusal` where there is none, or several.
    public func item(_ typed: String) async throws -> Item {
        let text = typed.trimming(\.isWhitespace).lowercased()
        if let number = Int64(text), let item = try await manifest.items(ids: [number]).first { return item }
        let all = try await manifest.items()
        var meant = all.filter { $0.name.lowercased() == text || $0.aliases.contains { $0.lowercased() == text } }
        if meant.isEmpty {
            let found = try await ItemFinder(context).search(text)
            meant = try await manifest.items(ids: found.ids)
            guard found.isCertain else {
                let near = meant.isEmpty ? "" : " Did you mean \(context.spoken.choice(meant.prefix(5).map(\.name)))?"
                throw TypedRefusal("There is no item called \(typed), nor of that number.\(near)")
            }
        }
        guard let item = meant.first, meant.count == 1 else {
            let list = meant.prefix(5).map { "\($0.id) (\($0.place ?? "no place"))" }.joined(separator: ", ")
            throw TypedRefusal("Several items are called \(typed): name one by its number, \(list).")
        }
        return item
    }

    /// A place as the store has its name.
    private func place(_ typed: String) async throws -> String {
        let places = try await manifest.places(), cleaned = context.environment.bareName(typed)
        guard let place = places.first(where: { [typed.lowercased(), cleaned].contains($0.lowercased()) }) else {
            throw TypedRefusal("There is no place called \(typed). There are: \(places.joined(separator: ", ")).")
        }
        return place
    }

    // MARK: changing

    /// Stores a new item.
    /// - Throws: `TypedRefusal` where one of that name is in that place already.
    public func add(_ typed: TypedItem) async throws -> Reply {
        let item = try await changed(Item(name: ""), typed)
        return try await changes.change(of: ManifestHandler.name) { [self] in
            let same = try await manifest.items().first { $0.name == item.name && $0.place == item.place }
            if let same {
                throw TypedRefusal(
                    "There is one already: \(same.name), number \(same.id). Try: vanorb items set \(same.id) --quantity"
                        + " \(same.quantity + item.quantity)")
            }
            return try await ItemChanges(context).addNew(item)
        }
    }

    /// Changes an item.
    public func set(_ name: String, _ typed: TypedItem) async throws -> Reply {
        let old = try await item(name), item = try await changed(old, typed)
        return try await changes.change(of: ManifestHandler.name) { [self] in
            guard item != old else {
                return Reply(
                    context.replies("manifest.as_it_was", ItemWords(environment: context.environment).values(item)))
            }
            var reply = try await ItemChanges(context).store(item, insteadOf: old, "manifest.changed")
            reply.changesNames = true
            return reply
        }
    }

    /// Removes an item.
    public func remove(_ name: String) async throws -> Reply {
        let item = try await item(name)
        return try await changes.change(of: ManifestHandler.name) { [self] in
            try await ItemChanges(context).removeEntry(item)
        }
    }

    /// An item with what was typed.
    private func changed(_ old: Item, _ typed: TypedItem) async throws -> Item {
        func text(_ typed: String) -> String? {
            let text = typed.trimming(\.isWhitespace)
            return text.isEmpty ? nil : text
        }
        var item = old
        if let name = typed.name {
            item.name = context.environment.bareName(name)
            guard item.name.contains(where: \.isLetter) else { throw TypedRefusal("“\(name)” is no name for an item.") }
        }
        if let place = typed.place {
            // A new place is as good as a known one.
            item.place =
                text(place) == nil ? nil : (try? await self.place(place)) ?? context.environment.bareName(place)
        }
        if let category = typed.category { item.category = text(category)?.lowercased() }
        if let notes = typed.notes { item.notes = text(notes) }
        if let quantity = typed.quantity {
            guard (0...100_000).contains(quantity) else { throw TypedRefusal("--quantity: 0 to 100000 is expected.") }
            item.quantity = quantity
        }
        if let weight = typed.weight {
            item.unitGrams = try text(weight).map { try TypedValues(context).mass($0, "--weight") }
        }
        if let aliases = typed.aliases {
            var names: [String] = []
            for alias in aliases.map(context.environment.bareName)
            where !alias.isEmpty && !names.contains(alias) && alias != item.name { names.append(alias) }
            item.aliases = names
        }
        return item
    }
}

extension TypedValues {
    /// What one thing weighs, in grams; a bare number means kilograms, as it does where it is spoken.
    /// - Throws: `TypedRefusal` that names the field.
    package func mass(_ text: String, _ field: String) throws(TypedRefusal) -> Int {
        try mass(text, field, ItemChanges.massRange, "a gram to five tonnes", "1.5 kg or 300 g")
    }

    /// A mass in grams within a range of grams, which `limits` tells in words; a bare number means kilograms.
    /// - Throws: `TypedRefusal` that names the field.
    package func mass(
        _ text: String, _ field: String, _ range: ClosedRange<Double>, _ limits: String, _ example: String
    ) throws(TypedRefusal) -> Int {
        let isBare = text.allSatisfy { $0.isNumber || $0.isWhitespace || ".,".contains($0) }
        let grams = try measure(.mass, text, field, example) * (isBare ? 1_000 : 1)
        guard range.contains(grams.rounded()) else {
            throw TypedRefusal("\(field): \(limits) is expected, not \(text).")
        }
        return Int(grams.rounded())
    }
}
