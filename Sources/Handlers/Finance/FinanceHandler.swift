import Domain
import Foundation

/// The ledger: what was spent and received, and what is left.
package struct FinanceHandler: Handler {
    package static let name = "finance"
    package static let intents = FinanceIntent.names

    let ledger: any LedgerStore
    let budgets: any BudgetStore
    let rates: any RateStore
    let trips: any TripStore
    package let environment: HandlerEnvironment

    package func act(on command: Command) async throws -> Reply {
        var reply =
            switch try FinanceIntent(command) {
            case .log(let kind, let details): try await log(kind, details, command)
            case .correctLast(let details): try await correctLast(details, command)
            case .deleteLast: try await deleteLast()
            case .balance(let account): try await balance(account: account)
            case .spent(let filter): try await spent(filter)
            case .biggestExpense(let filter): try await biggestExpense(filter)
            case .averagePerDay(let filter): try await averagePerDay(filter)
            case .runway: try await runway()
            case .setBudget(let change): try await setBudget(change, command)
            case .budgetLeft(let category): try await budgetLeft(category: category)
            case .listRecent(let filter, let count, let isOne): try await listRecent(filter, count: count, isOne: isOne)
            case .tripCost(let trip): try await tripCost(trip)
            }
        reply.palette = .finance
        return reply
    }

    /// The owner's exchange rates as they are now.
    package func exchange() async throws -> Exchange { try await Exchange(rates: rates, home: homeCurrency) }

    /// An entry in words: “50 pounds for diesel at Shell, yesterday”.
    /// - Parameter withDay: also the day, unless it is today.
    package func phrase(for entry: LedgerEntry, withDay: Bool = true) -> Wording {
        var text = spoken.money(entry.amount)
        let purpose = (entry.note ?? entry.category).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        if let litres = entry.millilitres.map(Self.litres), let purpose {
            text += replies("finance.part_litres", ["litres": litres, "purpose": purpose])
        } else if let purpose {
            text += replies("finance.part_for", ["purpose": purpose])
        } else if entry.merchant == nil {
            text += replies("finance.part_\(entry.kind.rawValue)")
        }
        if let merchant = entry.merchant { text += replies("finance.part_at", ["merchant": merchant]) }
        if let account = entry.account { text += replies("finance.part_account", ["account": account]) }
        if withDay, !calendar.isDate(entry.date, inSameDayAs: now()) {
            text += replies("finance.part_day", ["day": spoken.day(entry.date, now: now())])
        }
        return text
    }

    /// “40”, “38.5”.
    private static func litres(_ millilitres: Int64) -> String {
        let tenths = (millilitres + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
