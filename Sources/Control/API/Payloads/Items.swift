/// Which items are wanted; what is nil does not matter.
public struct ItemsFindArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// The place that they are in.
    public var place: String?
    /// Words of their names.
    public var text: String?

    /// Items in a place, found by a text.
    public init(place: String? = nil, text: String? = nil) {
        self.place = place
        self.text = text
    }

    /// - Throws: when a text is empty or too long.
    public func check() throws(ControlError) {
        if let place { try ControlLimits.check(place, "place") }
        if let text { try ControlLimits.check(text, "text") }
    }
}

/// Which item is meant.
public struct ItemArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// Its number or its name.
    public var item: String

    /// The item of this number or name.
    public init(item: String) { self.item = item }

    /// - Throws: when the name is empty or too long.
    public func check() throws(ControlError) { try ControlLimits.check(item, "item") }
}

/// An item as a person writes it; what is nil stays as it is, and an empty text takes away what was there.
public struct ItemText: Codable, Sendable, Equatable {
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

/// A change of what is aboard.
public struct ItemChangeArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// What is done.
    public enum Action: String, Codable, Sendable, Equatable, CaseIterable {
        /// Stores a new item with these `fields`.
        case add
        /// Changes these `fields` of `item`.
        case set
        /// Removes `item`.
        case remove

        /// - Throws: `DecodingError` that lists the actions.
        public init(from decoder: any Decoder) throws { self = try decoder.choice() }
    }

    /// What is done.
    public var action: Action
    /// The item's number or name.
    public var item: String?
    /// What it is to be.
    public var fields: ItemText?

    /// A change.
    public init(_ action: Action, item: String? = nil, fields: ItemText? = nil) {
        self.action = action
        self.item = item
        self.fields = fields
    }

    /// - Throws: when the action lacks what it is about, or a text is too long.
    public func check() throws(ControlError) {
        if action == .add { try ControlLimits.check(fields?.name ?? "", "fields.name") }
        if action != .add { try ControlLimits.check(item ?? "", "item") }
        guard action == .remove || fields != nil else {
            throw .badArguments("arguments.fields: what the item is to be is expected")
        }
        guard let fields else { return }
        let texts = [fields.name, fields.place, fields.category, fields.notes, fields.weight].compactMap { $0 }
        for text in texts + (fields.aliases ?? []) where text.count > ControlLimits.fieldCharacters {
            throw .badArguments(
                "arguments.fields: at most \(ControlLimits.fieldCharacters) characters are expected in each")
        }
        guard (fields.aliases ?? []).count <= ControlLimits.askedWords else {
            throw .badArguments("arguments.fields.aliases: at most \(ControlLimits.askedWords) names are expected")
        }
    }
}
