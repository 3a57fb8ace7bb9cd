/// What an attached screen shows. The call lasts as long as it is shown; hanging up takes the screen away.
public struct ScreenArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// The open tab; nil where none is.
    public var tab: String?
    /// What is selected on it, as kind and identity (`item:12`), and its name; nil where nothing is.
    public var thing: String?, name: String?
    /// The selection's place in the list, from 0, and how many places there are; 0 where there is no list.
    public var place: Int, count: Int
    /// Whether there is something to go back to.
    public var canGoBack: Bool

    /// A screen that shows this.
    public init(
        tab: String? = nil, thing: String? = nil, name: String? = nil, place: Int = 0, count: Int = 0,
        canGoBack: Bool = false
    ) {
        (self.tab, self.thing, self.name) = (tab, thing, name)
        (self.place, self.count, self.canGoBack) = (place, count, canGoBack)
    }

    /// - Throws: when a text is longer than any name is, or the place is not in the list.
    public func check() throws(ControlError) {
        for (field, text) in [("tab", tab), ("thing", thing), ("name", name)] where (text?.utf8.count ?? 0) > 1_000 {
            throw .badArguments("arguments.\(field): at most 1000 bytes are expected")
        }
        guard place >= 0, count >= 0, place < max(1, count) else {
            throw .badArguments("arguments.place: 0 to less than arguments.count is expected")
        }
    }
}

/// What the owner has given stars.
public struct StarsResult: Codable, Sendable, Equatable {
    /// Kind and identity of each, such as `item:12`, sorted.
    public var stars: [String]

    /// Stars.
    public init(stars: [String]) { self.stars = stars }
}
