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

    /// An item that is not stored yet.
    public init(
        id: Int64 = 0, name: String, quantity: Int = 1, unitGrams: Int? = nil, place: String? = nil,
        aliases: [String] = []
    ) {
        self.id = id
        self.name = name
        self.quantity = quantity
        self.unitGrams = unitGrams
        self.place = place
        self.aliases = aliases
    }
}

/// The manifest: what is aboard and where.
public protocol ManifestStore: Sendable {
    /// All items, by name.
    func items() async throws -> [Item]
    /// All places that hold something or have been named, by name.
    func places() async throws -> [String]
    /// Stores a new item and returns it with its number.
    func add(_ item: Item) async throws -> Item
    /// Stores many at once, all or none; used to seed and to import.
    func add(all items: [Item]) async throws
    /// Overwrites the item of this number; false when there is none.
    func update(_ item: Item) async throws -> Bool
    /// Removes an item; false when there is none of that number.
    func remove(id: Int64) async throws -> Bool
}
