import Domain
import Foundation

/// Correcting and deleting entries.
extension EntryKeeper {
    func correctLast(_ details: FinanceIntent.EntryDetails, _ command: Command) async throws -> Reply {
        guard let last = try await ledger.last() else { return Reply(replies("finance.empty")) }
        return try await correct(last, details, command)
    }

    /// Changes an entry by a command to correct the last.
    /// - Throws: `HandlerFailure` for another command; the store's error.
    package func correct(_ entry: LedgerEntry, by command: Command) async throws -> Reply {
        guard case .correctLast(let details) = try FinanceIntent(command) else {
            throw HandlerFailure(replyKey: "general.failed", detail: "“\(command.intent)” does not correct an entry")
        }
        return try await correct(entry, details, command)
    }

    private func correct(
        _ old: LedgerEntry, _ details: FinanceIntent.EntryDetails, _ command: Command
    ) async throws -> Reply {
        var new = old
        if let amount = details.amount {
            guard amount.minorUnits > 0 else { return Reply(replies("finance.not_positive_change")) }
            new.amount = amount.money(else: old.amount.currency)
        } else if let currency = details.currency {
            new.amount = Self.sameNumber(old.amount, in: currency)
        }
        if let category = details.category {
            new.category = category.text
            new.note = category.spoken.capitalisedFirst
        } else if let note = details.note {
            new.category = nil
            new.note = note.capitalisedFirst
        }
        if let merchant = details.merchant { new.merchant = merchant }
        if let account = details.account { new.account = account }
        if let kind = details.kind { new.kind = kind }
        if let litres = details.litres {
            guard let millilitres = Self.millilitres(litres) else { return Reply(replies("finance.bad_litres")) }
            new.millilitres = millilitres
        }
        if let period = details.date {
            switch day(of: period, command) {
            case .day(let date): new.date = date
            case .reply(let reply): return reply
            }
        }
        guard !details.changesNothing else {
            return Reply(
                replies("finance.ask_correction", ["entry": words.phrase(for: old)]),
                question: FinanceIntent.question(for: .money, of: command))
        }
        guard new != old else { return Reply(replies("finance.same", ["entry": words.phrase(for: old)])) }
        if let question = try await questionIfSurprising(new, command) { return question }
        guard try await ledger.update(new) else { return Reply(replies("finance.empty")) }
        let values = ["old": words.phrase(for: old), "new": words.phrase(for: new)]
        let warning = new.kind == .expense ? await budgets.warning(after: new) : ""
        return Reply(
            replies("finance.corrected", values) + warning,
            effects: ["ledger: corrected \(new.id), \(new.amount.minorUnits) \(new.amount.currency)"],
            undo: Undo(replies("finance.undo_correct", values)))
    }

    /// Removes the entry of a number, which has to be confirmed: nobody knows them by heart, and one that was misheard
    /// is another entry. With nil removes the last one.
    func delete(id: Int64?, _ command: Command) async throws -> Reply {
        guard let id else {
            guard let last = try await ledger.last() else { return Reply(replies("finance.empty")) }
            return try await delete(last)
        }
        guard let entry = try await ledger.entry(id: id) else {
            return Reply(replies("finance.no_entry", ["number": "\(id)"]))
        }
        guard command.isConfirmed else {
            let values: [String: any Worded] = ["number": "\(id)", "entry": words.phrase(for: entry)]
            return Reply(replies("finance.confirm_delete", values), question: .confirmation(of: command))
        }
        return try await delete(entry)
    }

    /// Removes an entry.
    package func delete(_ entry: LedgerEntry) async throws -> Reply {
        let values = ["entry": words.phrase(for: entry)]
        guard try await ledger.remove(id: entry.id) else { return Reply(replies("finance.empty")) }
        return Reply(
            replies("finance.deleted", values), effects: ["ledger: deleted \(entry.id)"],
            undo: Undo(replies("finance.undo_delete", values)))
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
