import Domain

/// How items are spoken of.
package struct ItemWords: HandlerPart {
    package let environment: HandlerEnvironment

    package init(environment: HandlerEnvironment) { self.environment = environment }

    /// An item as a name of the owner's.
    package static func name(_ item: Item) -> OwnerName {
        OwnerName(name: item.name, aliases: item.aliases, id: "\(item.id)")
    }

    /// What replies say of an item.
    package func values(_ item: Item) -> [String: any Worded] {
        let spoken = spoken
        return [
            "name": item.name, "Name": spoken.the(item.name).capitalisedFirst, "the": spoken.the(item.name),
            "place": item.place.map { spoken.the($0) } ?? "", "in": item.place.map { spoken.inside($0) } ?? "",
            "counted": counted(item),
            "be": spoken.be(item.name), "weigh": weigh(item.name), "quantity": "\(item.quantity)",
        ]
    }

    private func weigh(_ name: String) -> Wording {
        let isOne = spoken.be(name) == replies("verb.is").spoken
        return replies(isOne ? "manifest.weighs" : "manifest.weigh")
    }

    /// “1 kettle”, “4 camping chairs”, “6 tins of beans”.
    package func counted(_ item: Item) -> Wording {
        "\(item.quantity) \(plural(item.name, item.quantity))"
    }

    /// The name for so many of them.
    func plural(_ name: String, _ quantity: Int) -> String {
        var words = name.split(separator: " ").map(String.init)
        // In “tin of beans” it is the tins that are counted.
        let joint = words.firstIndex(of: replies("manifest.of").spoken) ?? words.count
        guard quantity != 1, joint > 0 else { return name }
        words[joint - 1] = environment.books.words.plural(words[joint - 1])
        return words.joined(separator: " ")
    }

    /// “900 grams”, “11.5 kilos”, “3380 kilos”: as exact as scales in a van are.
    package func mass(_ grams: Int) -> Wording {
        if grams.magnitude < 1_000 { return replies("manifest.grams", ["n": "\(grams)"]) }
        let tenths = (Double(grams) / 100).rounded()
        let isWhole = grams.magnitude >= 100_000 || tenths.truncatingRemainder(dividingBy: 10) == 0
        let kilos = isWhole ? "\(Int((Double(grams) / 1_000).rounded()))" : "\(tenths / 10)"
        return replies("manifest.kilos", ["n": kilos])
    }

    /// The place that was named: one of the owner's, or a new one in the words that were said.
    func place(_ reference: ManifestIntent.PlaceReference) -> String? {
        reference.known ?? reference.new.map(environment.bareName)
    }

    /// A number of pieces as it was said; nil for a fraction, below `least`, and for more than any van holds.
    static func pieces(_ number: Double, least: Int = 1) -> Int? {
        guard number.rounded() == number, number >= Double(least), number <= 100_000 else {
            return nil
        }
        return Int(number)
    }

    /// “The toolbox weighs 11.5 kilos.”
    package func weight(_ item: Item) -> Wording {
        var values = values(item)
        guard let grams = item.unitGrams else { return replies("manifest.weight_unknown", values) }
        values["mass"] = mass(grams)
        let (total, isTooMuch) = grams.multipliedReportingOverflow(by: item.quantity)
        guard item.quantity > 1, !isTooMuch else { return replies("manifest.weight_one", values) }
        values["total"] = mass(total)
        return replies("manifest.weight_many", values).capitalisedFirst
    }
}
