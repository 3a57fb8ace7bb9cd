import Foundation

/// What VanOrb tells other programs of itself.
public struct HubFacts: Sendable, Equatable {
    /// The session's state, such as `ready`; the van's mode; what was understood last.
    public var state: String, mode: String?, lastCommand: String?
    /// The home currency, the balance in it, and what is spent a day, over the last thirty days; nil while nothing is
    /// entered.
    public var currency: String, balance: Decimal?, burnRate: Decimal?
    /// Kilograms that may still come aboard, negative where it is too much; nil while a mass is not known.
    public var weightMargin: Double?
    /// Tasks that are not done.
    public var openTasks: Int?

    /// The state alone; nothing else is known.
    package init(state: String, lastCommand: String?, currency: String) {
        (self.state, self.lastCommand, self.currency) = (state, lastCommand, currency)
    }
}
