import Domain
import Foundation

/// The owner's exchange rates, and sums of several currencies told in the one at home.
package struct Exchange {
    /// A sum in the owner's currency, and what no rate is known for.
    package struct Sum {
        /// What could be reckoned; nil when nothing could.
        package var home: Money?
        /// The rest, a currency each.
        package var apart: [Money]
    }

    package let home: String
    private let rates: [String: ExchangeRate]

    /// Reads the rates of the moment.
    package init(_ context: HandlerContext) async throws {
        home = context.homeCurrency
        rates = Dictionary(try await context.stores.rates.rates().map { ($0.currency, $0) }) { first, _ in first }
    }

    /// `amount` in the owner's currency, or nil without a rate.
    package func home(_ amount: Money) -> Money? {
        amount.currency == home ? amount : rates[amount.currency]?.converted(amount, to: home)
    }

    /// The sum of `amounts`; each currency is converted once, so that only its total is rounded.
    package func sum(_ amounts: [Money]) -> Sum {
        var sum = Sum(home: nil, apart: [])
        for amount in amounts {
            guard let value = home(amount) else {
                sum.apart.append(amount)
                continue
            }
            let (total, overflow) = (sum.home?.minorUnits ?? 0).addingReportingOverflow(value.minorUnits)
            if overflow { sum.apart.append(amount) } else { sum.home = Money(minorUnits: total, currency: home) }
        }
        return sum
    }

    /// The reply under `key` with the sum as its `{amount}`, and what was not counted behind it.
    package func reply(_ key: String, _ values: [String: String], _ sum: Sum, _ context: HandlerContext) -> Reply {
        var values = values
        guard let amount = sum.home else {
            values["amount"] = context.spoken.money(sum.apart)
            return Reply(context.replies(key, values) + " " + context.replies("finance.no_rate"))
        }
        values["amount"] = context.spoken.money(amount)
        return Reply(context.replies(key, values) + notCounted(sum.apart, context))
    }

    /// “ Not counted: 20 euros, for which I have no rate.”, or nothing.
    func notCounted(_ apart: [Money], _ context: HandlerContext) -> String {
        guard !apart.isEmpty else { return "" }
        return " " + context.replies("finance.apart", ["apart": context.spoken.money(apart)])
    }
}
