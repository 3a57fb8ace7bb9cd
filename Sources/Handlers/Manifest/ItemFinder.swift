import Domain

/// Finds the items that a command is about.
package struct ItemFinder: HandlerPart {
    let manifest: any ManifestStore
    package let environment: HandlerEnvironment

    package init(_ context: HandlerContext) {
        (manifest, environment) = (context.stores.manifest, context.environment)
    }

    /// What a command is about: one item, or a question or an answer instead.
    enum Found {
        case item(Item)
        case reply(Reply)
    }

    /// The one item that the command names. Which of several is asked; a place said with it decides.
    func item(_ reference: ManifestIntent.ItemReference, _ command: Command) async throws -> Found {
        let matches: [Item]
        switch try await items(reference, command) {
        case .reply(let reply): return .reply(reply)
        case .items(let items): matches = items
        }
        // Two entries of one name in one place cannot be distinguished by voice; either will do.
        let differ = Set(matches.map { [$0.name, $0.place ?? ""] }).count > 1
        guard let item = matches.first else { return .reply(Reply(replies("manifest.ask_item"))) }
        guard differ else { return .item(item) }
        let choices = matches.prefix(Self.choiceLimit).map { environment.choice($0.name, in: $0.place, id: "\($0.id)") }
        return .reply(
            Reply(
                replies("manifest.which", ["list": spoken.choice(choices.map(\.name))]),
                question: ManifestIntent.question(.item, among: choices, of: command)))
    }

    /// More than this nobody keeps in mind while choosing.
    private static let choiceLimit = 5

    /// What a command is about: all items of that name, at least one, or a question or an answer instead.
    enum FoundItems {
        case items([Item])
        case reply(Reply)
    }

    /// All items that the command names: by name, else by a search that forgives.
    func items(_ reference: ManifestIntent.ItemReference, _ command: Command) async throws -> FoundItems {
        var items: [Item] = []
        if let named = reference.item {
            items = try await manifest.items(ids: named.numbers)
            if items.isEmpty { return .reply(.failed(replies("manifest.not_aboard", ["name": named.text]))) }
        } else if let thing = reference.thing.map(environment.bareName), !thing.isEmpty {
            let search = try await search(thing)
            items = try await manifest.items(ids: search.ids)
            guard let first = items.first else {
                let text = replies("manifest.not_aboard", ["name": thing])
                return .reply(reference.isQuestion ? Reply(text) : .failed(text))
            }
            // What changes something must name it: a near-miss is asked back.
            if !reference.isQuestion, !search.isCertain, items.count == 1 {
                let meant = ManifestIntent.command(command, about: first)
                return .reply(
                    Reply(
                        replies("manifest.meant", ["the": spoken.the(first.name)]),
                        question: .confirmation(of: meant)))
            }
        } else {
            return .reply(
                Reply(replies("manifest.ask_item"), question: ManifestIntent.question(for: .item, of: command)))
        }
        if let place = reference.place {
            let there = items.filter { $0.place == place }
            if !there.isEmpty { items = there }
        }
        return .items(items)
    }
}
