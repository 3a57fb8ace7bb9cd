import Domain

/// How items are spoken of.
extension ManifestHandler {
    /// An item as a name of the owner's.
    package static func name(_ item: Item) -> OwnerName {
        OwnerName(name: item.name, aliases: item.aliases, id: "\(item.id)")
    }

    /// What replies say of an item.
    package static func values(_ item: Item, _ context: HandlerContext) -> [String: String] {
        let spoken = context.spoken
        return [
            "name": item.name, "Name": spoken.the(item.name).capitalisedFirst, "the": spoken.the(item.name),
            "place": item.place.map { spoken.the($0) } ?? "", "in": item.place.map { spoken.inside($0) } ?? "",
            "counted": counted(item, context),
            "be": spoken.be(item.name), "weigh": weigh(item.name, context), "quantity": "\(item.quantity)",
        ]
    }

    private static func weigh(_ name: String, _ context: HandlerContext) -> String {
        let isOne = context.spoken.be(name) == context.replies("verb.is")
        return context.replies(isOne ? "manifest.weighs" : "manifest.weigh")
    }

    /// “1 kettle”, “4 camping chairs”, “6 tins of beans”.
    package static func counted(_ item: Item, _ context: HandlerContext) -> String {
        "\(item.quantity) \(plural(item.name, item.quantity, context))"
    }

    /// The name for so many of them.
    static func plural(_ name: String, _ quantity: Int, _ context: HandlerContext) -> String {
        var words = name.split(separator: " ").map(String.init)
        // In “tin of beans” it is the tins that are counted.
        let joint = words.firstIndex(of: context.replies("manifest.of")) ?? words.count
        guard quantity != 1, joint > 0 else { return name }
        words[joint - 1] = WordForms.plural(words[joint - 1])
        return words.joined(separator: " ")
    }

    /// “900 grams”, “11.5 kilos”, “3380 kilos”: as exact as scales in a van are.
    package static func mass(_ grams: Int, _ context: HandlerContext) -> String {
        if grams.magnitude < 1_000 { return context.replies("manifest.grams", ["n": "\(grams)"]) }
        let tenths = (Double(grams) / 100).rounded()
        let isWhole = grams.magnitude >= 100_000 || tenths.truncatingRemainder(dividingBy: 10) == 0
        let kilos = isWhole ? "\(Int((Double(grams) / 1_000).rounded()))" : "\(tenths / 10)"
        return context.replies("manifest.kilos", ["n": kilos])
    }

    /// A name without the article that was said with it.
    package static func cleaned(_ name: String, _ context: HandlerContext) -> String {
        var words = name.lowercased().split(separator: " ").map(String.init)
        if let first = words.first, words.count > 1, context.books.rules.articles.contains(first) {
            words.removeFirst()
        }
        return words.joined(separator: " ")
    }

    /// The place that was named: one of the owner's, or a new one in the words that were said.
    package static func place(_ command: Command, _ context: HandlerContext) -> String? {
        if let known = command.slots["place"]?.names.first?.name { return known }
        return command.text("where").map { cleaned($0, context) }
    }

    /// A number of pieces as it was said; nil for what is none: a half, below `least`, more than any van holds.
    package static func pieces(_ slot: SlotValue?, least: Int = 1) -> Int? {
        guard let number = slot?.number, number.rounded() == number, number >= Double(least), number <= 100_000 else {
            return nil
        }
        return Int(number)
    }
}
