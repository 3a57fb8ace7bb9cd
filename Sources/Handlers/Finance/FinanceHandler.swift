import Domain
import Foundation

/// The ledger: what was spent and received, and what is left.
package enum FinanceHandler: Handler {
    package static let name = "finance"
    package static let intents = [
        "log_expense", "log_income", "correct_last", "delete_last", "balance", "spent", "biggest_expense",
        "average_per_day", "runway", "set_budget", "budget_left", "list_recent", "trip_cost",
    ]

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        var reply =
            switch command.intent {
            case "log_expense": try await log(command, .expense, context)
            case "log_income": try await log(command, .income, context)
            case "correct_last": try await correctLast(command, context)
            case "delete_last": try await deleteLast(context)
            case "balance": try await balance(command, context)
            case "spent": try await spent(command, context)
            case "biggest_expense": try await biggestExpense(command, context)
            case "average_per_day": try await averagePerDay(command, context)
            case "runway": try await runway(context)
            case "set_budget": try await setBudget(command, context)
            case "budget_left": try await budgetLeft(command, context)
            case "trip_cost": try await tripCost(command, context)
            default: try await listRecent(command, context)
            }
        reply.palette = .finance
        return reply
    }

    /// An entry as it is told: “50 pounds for diesel at Shell, yesterday”.
    /// - Parameter withDay: also the day, unless it is today.
    package static func told(_ entry: LedgerEntry, _ context: HandlerContext, withDay: Bool = true) -> String {
        let replies = context.replies, now = context.now()
        var text = context.spoken.money(entry.amount)
        let purpose = (entry.note ?? entry.category).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        if let litres = entry.millilitres.map(spokenLitres), let purpose {
            text += replies("finance.part_litres", ["litres": litres, "purpose": purpose])
        } else if let purpose {
            text += replies("finance.part_for", ["purpose": purpose])
        } else if entry.merchant == nil {
            text += replies("finance.part_\(entry.kind.rawValue)")
        }
        if let merchant = entry.merchant { text += replies("finance.part_at", ["merchant": merchant]) }
        if let account = entry.account { text += replies("finance.part_account", ["account": account]) }
        if withDay, !context.calendar.isDate(entry.date, inSameDayAs: now) {
            text += replies("finance.part_day", ["day": context.spoken.day(entry.date, now: now)])
        }
        return text
    }

    /// “40”, “38.5”.
    private static func spokenLitres(_ millilitres: Int64) -> String {
        let tenths = (millilitres + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// The shop that was named: a known one by its own name, another as it was heard.
    package static func merchant(_ command: Command) -> String? {
        command.text("merchant") ?? command.text("shop").map(\.capitalisedFirst)
    }
}
