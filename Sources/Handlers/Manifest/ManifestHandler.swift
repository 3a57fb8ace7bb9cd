import Domain
import Devices

/// What is aboard, how many, where, and what it weighs.
package struct ManifestHandler: Handler {
    package static let name = "manifest"
    package static let intents = ManifestIntent.names

    let manifest: any ManifestStore
    let vehicle: any VehicleStore
    /// Its sensors report the tanks' levels.
    let van: Van
    package let environment: HandlerEnvironment

    package func act(on command: Command) async throws -> Reply {
        var reply =
            switch try ManifestIntent(command) {
            case .find(let item): try await find(item, command)
            case .have(let item): try await have(item, command)
            case .list(let query): try await list(query, command)
            case .count(let item): try await count(item, command)
            case .countAll(let query): try await countAll(query)
            case .add(let addition): try await add(addition, command)
            case .remove(let removal): try await remove(removal, command)
            case .removeAll(let place): try await removeAll(in: place, command)
            case .move(let move): try await self.move(move, command)
            case .moveAll(let origin, let destination): try await moveAll(from: origin, to: destination, command)
            case .setQuantity(let item, let quantity): try await setQuantity(item, quantity, command)
            case .setWeight(let item, let grams, let isTogether):
                try await setWeight(item, grams: grams, isTogether: isTogether, command)
            case .weight(let item): try await weight(item, command)
            case .totalWeight(let query, let isLoad): try await totalWeight(query, isLoad: isLoad)
            case .payloadLeft: try await payloadLeft()
            }
        reply.palette = .manifest
        return reply
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

    /// Writes a changed item, and answers.
    package func store(
        _ item: Item, insteadOf old: Item, _ key: String
    ) async throws -> Reply {
        guard try await manifest.update(item) else {
            return .failed(replies("manifest.not_aboard", ["name": item.name]))
        }
        return Reply(
            replies(key, values(item)), effects: ["manifest: item \(item.id), \(item.name)"],
            undo: Undo(replies("manifest.undo_change", values(old))),
            changesNames: item.place != old.place)
    }
}
