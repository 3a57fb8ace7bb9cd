import Foundation

/// What VanOrb tells other programs of itself.
public struct HubFacts: Sendable, Equatable {
    /// The session's state, such as `ready`; the van's mode; what was understood last.
    public var state: String, mode: String?, lastCommand: String?
    /// The home currency, the balance in it, and what is spent a day, over the last thirty days; nil while nothing is entered.
    public var currency: String, balance: Decimal?, burnRate: Decimal?
    /// Kilograms that may still come aboard, negative where it is too much; nil while a mass is not known.
    public var weightMargin: Double?
    /// Tasks that are not done.
    public var openTasks: Int?

    /// Reads the facts. What a lost store cannot tell is left out.
    public static func read(state: String, lastCommand: String?, _ context: HandlerContext) async -> HubFacts {
        var facts = HubFacts(state: state, lastCommand: lastCommand, currency: context.homeCurrency)
        facts.mode = try? await context.stores.kept.value(ModesHandler.key)
        if let money = try? await FinanceHandler.standing(context) {
            facts.balance = money.balance.map(decimal)
            facts.burnRate = money.perDay.map(decimal)
        }
        facts.weightMargin = (try? await LoadSheet.read(context))?.left.map { Double($0) / 1_000 }
        facts.openTasks = try? await context.stores.checklist.tasks(list: nil).count { !$0.isDone }
        return facts
    }

    private init(state: String, lastCommand: String?, currency: String) {
        (self.state, self.lastCommand, self.currency) = (state, lastCommand, currency)
    }

    private static func decimal(_ money: Money) -> Decimal {
        Decimal(money.minorUnits) / pow(10, Money.exponent(of: money.currency))
    }
}
