import Domain
import Foundation

/// Putting right what was logged last.
extension FinanceHandler {
    static func correctLast(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let last = try await context.stores.ledger.last() else { return Reply(context.replies("finance.empty")) }
        return try await correct(last, command, context)
    }

    /// Changes an entry as a command says.
    package static func correct(_ old: LedgerEntry, _ command: Command, _ context: HandlerContext) async throws -> Reply
    {
        let replies = context.replies, ledger = context.stores.ledger
        var new = old
        if let amount = command.slots["money"], case .money(let minor, let currency) = amount.content {
            guard minor > 0 else { return Reply(replies("finance.not_positive_change")) }
            new.amount = Money(minorUnits: minor, currency: currency ?? old.amount.currency)
        } else if let currency = command.text("currency") {
            new.amount = sameNumber(old.amount, in: currency)
        }
        if let category = command.slots["category"] {
            new.category = category.text
            new.note = category.spoken.capitalisedFirst
        } else if let note = command.text("note") {
            new.category = nil
            new.note = note.capitalisedFirst
        }
        if let merchant = merchant(command) { new.merchant = merchant }
        if let account = command.text("account") { new.account = account }
        if let kind = command.text("direction").flatMap(LedgerEntry.Kind.init(rawValue:)) { new.kind = kind }
        if case .some(let litres) = millilitres(command) {
            guard let litres else { return Reply(replies("finance.bad_litres")) }
            new.millilitres = litres
        }
        if command.slots["date"] != nil {
            switch day(of: command, context) {
            case .day(let date): new.date = date
            case .reply(let reply): return reply
            }
        }
        let isAsked = [
            "money", "currency", "category", "note", "merchant", "shop", "account", "direction", "litres",
            "date",
        ]
        guard isAsked.contains(where: { command.slots[$0] != nil }) else {
            return Reply(
                replies("finance.ask_correction", ["entry": told(old, context)]),
                question: .slot("money", of: command))
        }
        guard new != old else { return Reply(replies("finance.same", ["entry": told(old, context)])) }
        if let question = try await askIfSurprising(new, command, context) { return question }
        guard try await ledger.update(new) else { return Reply(replies("finance.empty")) }
        let values = ["old": told(old, context), "new": told(new, context)]
        let warning = new.kind == .expense ? await budgetWarning(after: new, context) : ""
        return Reply(
            replies("finance.corrected", values) + warning,
            effects: ["ledger: corrected \(new.id), \(new.amount.minorUnits) \(new.amount.currency)"],
            undo: Undo(replies("finance.undo_correct", values)))
    }

    static func deleteLast(_ context: HandlerContext) async throws -> Reply {
        guard let last = try await context.stores.ledger.last() else { return Reply(context.replies("finance.empty")) }
        return try await delete(last, context)
    }

    /// Removes an entry.
    package static func delete(_ entry: LedgerEntry, _ context: HandlerContext) async throws -> Reply {
        let values = ["entry": told(entry, context)]
        guard try await context.stores.ledger.remove(id: entry.id) else {
            return Reply(context.replies("finance.empty"))
        }
        return Reply(
            context.replies("finance.deleted", values), effects: ["ledger: deleted \(entry.id)"],
            undo: Undo(context.replies("finance.undo_delete", values)))
    }

    /// “That should have been euros”: the number stays what it was, also where the minor units differ.
    package static func sameNumber(_ amount: Money, in currency: String) -> Money {
        let more = Money.exponent(of: currency) - Money.exponent(of: amount.currency)
        let scale = (0..<abs(more)).reduce(Int64(1)) { product, _ in product * 10 }
        let (minor, overflow) = amount.minorUnits.multipliedReportingOverflow(by: scale)
        return Money(
            minorUnits: more >= 0 ? (overflow ? amount.minorUnits : minor) : max(1, amount.minorUnits / scale),
            currency: currency)
    }
}
