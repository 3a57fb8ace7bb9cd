import Domain
import Devices
import Foundation

extension HubFacts {
    /// Reads the facts. What a store cannot provide is left out.
    public static func read(state: String, lastCommand: String?, _ context: HandlerContext) async -> HubFacts {
        var facts = HubFacts(state: state, lastCommand: lastCommand, currency: context.homeCurrency)
        facts.mode = try? await context.stores.kept.value(ModesHandler.key)
        if let money = try? await LedgerQuestions(context).standing() {
            facts.balance = money.balance.map(decimal)
            facts.burnRate = money.perDay.map(decimal)
        }
        facts.weightMargin = (try? await LoadQuestions(context).sheet())?.left.map { Double($0) / 1_000 }
        facts.openTasks = try? await context.stores.checklist.tasks(list: nil).count { !$0.isDone }
        return facts
    }

    private static func decimal(_ money: Money) -> Decimal {
        Decimal(money.minorUnits) / pow(10, Money.exponent(of: money.currency))
    }
}
