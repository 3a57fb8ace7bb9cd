/// Finding what was meant.
extension ManifestHandler {
    /// A question after a thing of no known name becomes one after the item that it is likely to be. Only questions:
    /// what changes something must name it.
    static func forgiving(_ command: Command, _ context: HandlerContext) async throws -> Command {
        guard command.slots["item"] == nil, let thing = command.text("thing") else { return command }
        let items = near(thing, try await context.stores.manifest.items(), context)
        guard !items.isEmpty else { return command }
        var command = command
        command.slots["item"] = SlotValue(text: thing, content: .names(items.map(name)))
        return command
    }

    /// A name without the article that was said with it.
    static func cleaned(_ name: String, _ context: HandlerContext) -> String {
        var words = name.lowercased().split(separator: " ").map(String.init)
        if let first = words.first, words.count > 1, context.books.rules.articles.contains(first) {
            words.removeFirst()
        }
        return words.joined(separator: " ")
    }

    /// The items that `thing` may be, though no name matches it: a near-miss, or the words in another order.
    private static func near(_ thing: String, _ items: [Item], _ context: HandlerContext) -> [Item] {
        func words(_ name: String) -> [String] {
            context.books.normaliser.canonicalWords(name).map(MatchingRules.stem)
        }
        let said = words(cleaned(thing, context))
        return items.filter { item in
            ([item.name] + item.aliases).contains { name in
                var left = said
                let meant = words(name)
                guard meant.count == said.count else { return false }
                return meant.allSatisfy { word in
                    guard
                        let place = left.firstIndex(of: word)
                            ?? left.firstIndex(where: { context.books.rules.sounds($0, like: word) })
                    else { return false }
                    left.remove(at: place)
                    return true
                }
            }
        }
    }

    /// An item as a name of the owner's.
    static func name(_ item: Item) -> OwnerName {
        OwnerName(name: item.name, aliases: item.aliases, id: "\(item.id)")
    }
}
