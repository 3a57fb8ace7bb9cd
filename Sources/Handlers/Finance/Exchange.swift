import Domain
import Foundation

/// The owner's exchange rates, and sums of several currencies converted to the one at home.
package struct Exchange {
    /// A sum in the owner's currency, and what no rate is known for.
    package struct Sum {
        /// What could be converted; nil when nothing could.
        package var home: Money?
        /// The rest, one amount for each currency.
        package var unconverted: [Money]
    }

    package let home: String
    private let rates: [String: ExchangeRate]

    /// Reads the rates of the moment.
    package init(rates: any RateStore, home: String) async throws {
        self.home = home
        self.rates = Dictionary(try await rates.rates().map { ($0.currency, $0) }) { first, _ in first }
    }

    /// `amount` in the owner's currency, or nil without a rate.
    package func home(_ amount: Money) -> Money? {
        amount.currency == home ? amount : rates[amount.currency]?.converted(amount, to: home)
    }

    /// The sum of `amounts`; each currency is converted once, so that only its total is rounded.
    package func sum(_ amounts: [Money]) -> Sum {
        var sum = Sum(home: nil, unconverted: [])
        for amount in amounts {
            guard let value = home(amount) else {
                sum.unconverted.append(amount)
                continue
            }
            let (total, overflow) = (sum.home?.minorUnits ?? 0).addingReportingOverflow(value.minorUnits)
            if overflow {
                sum.unconverted.append(amount)
            } else {
                sum.home = Money(minorUnits: total, currency: home)
            }
        }
        return sum
    }
}

/// A part that converts amounts to the owner's currency.
package protocol Converting: HandlerPart {
    /// What the owner has set.
    var rates: any RateStore { get }
}

extension Converting {
    /// The owner's exchange rates as they are now.
    package func exchange() async throws -> Exchange { try await Exchange(rates: rates, home: homeCurrency) }
}

extension LedgerWords {
    /// The reply under `key` with the sum as its `{amount}`, followed by the amounts that it leaves out.
    func reply(_ key: String, _ values: [String: any Worded], _ sum: Exchange.Sum) -> Reply {
        var values = values
        guard let amount = sum.home else {
            values["amount"] = spoken.money(sum.unconverted)
            return Reply(replies(key, values) + " " + replies("finance.no_rate"))
        }
        values["amount"] = spoken.money(amount)
        return Reply(replies(key, values) + notCounted(sum.unconverted))
    }

    /// “ Not counted: 20 euros, for which I have no rate.”, or empty.
    func notCounted(_ amounts: [Money]) -> Wording {
        guard !amounts.isEmpty else { return "" }
        return " " + replies("finance.apart", ["apart": spoken.money(amounts)])
    }
}
