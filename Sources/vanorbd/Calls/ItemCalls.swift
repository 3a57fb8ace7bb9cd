import Domain
import Handlers
import Dialogue
import Control

/// Calls that list and change what is aboard.
struct ItemCalls: Sendable {
    let items: TypedItems
    let store: any ManifestStore

    init(_ conversation: Conversation, _ context: HandlerContext) {
        items = TypedItems(conversation)
        store = context.stores.manifest
    }

    func register(in table: inout CallTable) {
        table.register(ItemsListCall.self) { [store] _ in
            ItemsListResult(items: try await store.items().map { ItemRow($0) })
        }
        table.register(ItemsFindCall.self) { [self] arguments in
            try await typed {
                let found = try await items.find(place: arguments.place, text: arguments.text)
                return ItemsListResult(items: found.map { ItemRow($0) })
            }
        }
        table.register(ItemShowCall.self) { [self] arguments in
            try await typed { ItemRow(try await items.item(arguments.item)) }
        }
        table.register(ItemChangeCall.self) { [self] change in
            try await typed {
                let name = change.item ?? "", fields = TypedItem(change.fields ?? ItemText())
                return switch change.action {
                case .add: Acknowledgement(try await items.add(fields))
                case .set: Acknowledgement(try await items.set(name, fields))
                case .remove: Acknowledgement(try await items.remove(name))
                }
            }
        }
    }
}

extension TypedItem {
    fileprivate init(_ item: ItemText) {
        self.init()
        (name, place, category, notes) = (item.name, item.place, item.category, item.notes)
        (weight, quantity, aliases) = (item.weight, item.quantity, item.aliases)
    }
}
