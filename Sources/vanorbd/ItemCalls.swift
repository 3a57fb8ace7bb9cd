import Dialogue
import Control

/// What is aboard, as the control socket shows and changes it.
struct ItemCalls: Sendable {
    let items: TypedItems

    init(_ conversation: Conversation) { items = TypedItems(conversation) }

    func register(in table: inout CallTable) {
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
