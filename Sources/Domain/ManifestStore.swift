/// A thing that is aboard.
public struct Item: Sendable, Equatable, Codable {
    /// The store's number for it; 0 until it is stored.
    public var id: Int64
    /// As the owner says it, lower case.
    public var name: String
    /// How many; at least 0.
    public var quantity: Int
    /// Weight of one, in grams; nil when unknown.
    public var unitGrams: Int?
    /// Where it is kept; nil when unknown.
    public var place: String?
    /// Other names.
    public var aliases: [String]
    /// What sort of thing it is (tools, food), lower case; nil when none was given.
    public var category: String?
    /// Whatever else the owner wants to know of it.
    public var notes: String?

    /// An item that is not stored yet.
    public init(
        id: Int64 = 0, name: String, quantity: Int = 1, unitGrams: Int? = nil, place: String? = nil,
        aliases: [String] = [], category: String? = nil, notes: String? = nil
    ) {
        self.id = id
        self.name = name
        self.quantity = quantity
        self.unitGrams = unitGrams
        self.place = place
        self.aliases = aliases
        self.category = category
        self.notes = notes
    }
}

/// One of the names of an item.
public struct ItemName: Sendable, Equatable {
    /// The item's number.
    public let id: Int64
    /// Its name or one of its aliases.
    public let name: String

    /// A name of the item of this number.
    public init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }
}

/// Which items are meant; what is nil does not matter.
public struct ItemQuery: Sendable, Equatable {
    /// The place that they are in.
    public var place: String?
    /// The category that they have.
    public var category: String?

    /// All items, or those of a place, a category, or both.
    public init(place: String? = nil, category: String? = nil) {
        self.place = place
        self.category = category
    }
}

/// Sums over items of which at least one is left.
public struct ItemTotals: Sendable, Equatable {
    /// How many different items.
    public var items: Int
    /// How many pieces.
    public var pieces: Int
    /// The weight of those that have one, in grams.
    public var grams: Int
    /// How many items have no weight.
    public var unweighed: Int

    /// Totals.
    public init(items: Int, pieces: Int, grams: Int, unweighed: Int) {
        self.items = items
        self.pieces = pieces
        self.grams = grams
        self.unweighed = unweighed
    }
}

/// The manifest: what is aboard and where.
public protocol ManifestStore: Sendable {
    /// All items, by name.
    func items() async throws -> [Item]
    /// The items of these numbers, by name; unknown numbers are passed over.
    func items(ids: [Int64]) async throws -> [Item]
    /// At most `limit` items of which at least one is left, by name.
    func items(_ query: ItemQuery, limit: Int) async throws -> [Item]
    /// The names and aliases of all items, for a search that forgives.
    func itemNames() async throws -> [ItemName]
    /// Sums over all items that `query` finds.
    func totals(_ query: ItemQuery) async throws -> ItemTotals
    /// All places that hold something or have been named, by name.
    func places() async throws -> [String]
    /// Stores a new item and returns it with its number.
    func add(_ item: Item) async throws -> Item
    /// Stores many at once, all or none; used to seed and to import.
    func add(all items: [Item]) async throws
    /// Overwrites the item of this number; false when there is none.
    func update(_ item: Item) async throws -> Bool
    /// Overwrites and removes items and stores new ones (number 0), all or nothing.
    /// - Returns: false, and nothing is changed, when one of them is not there.
    func change(_ items: [Item], removing ids: [Int64]) async throws -> Bool
    /// Moves everything that is in one place to another.
    /// - Returns: how many items were moved.
    func moveAll(from place: String, to destination: String) async throws -> Int
    /// Removes everything that is in a place.
    /// - Returns: how many items were removed.
    func removeAll(in place: String) async throws -> Int
    /// Removes an item; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool
}
