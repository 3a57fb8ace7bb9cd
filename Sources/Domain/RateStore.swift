/// An exchange rate: a foreign currency in the owner's, as an exact decimal.
public struct ExchangeRate: Sendable, Equatable, Codable {
    /// The foreign currency's ISO 4217 code.
    public var currency: String
    /// Millionths of a major unit at home for a major unit abroad: 853400 where a euro is worth 0.8534 pounds.
    public var millionths: Int64

    /// The rates that make sense.
    public static let range: ClosedRange<Int64> = 1...1_000_000_000_000

    /// A rate of a foreign currency.
    public init(currency: String, millionths: Int64) {
        self.currency = currency
        self.millionths = millionths
    }

    /// `amount`, which is in this rate's currency, in the `home` currency; rounded to a whole minor unit, halves to the
    /// even one, as banks do, so that many roundings do not add up.
    /// - Returns: nil for an amount beyond what a ledger can hold.
    public func converted(_ amount: Money, to home: String) -> Money? {
        func scale(_ currency: String) -> Int128 {
            (0..<Money.exponent(of: currency)).reduce(1) { product, _ in product * 10 }
        }
        let (product, overflow) = (Int128(amount.minorUnits) * Int128(millionths))
            .multipliedReportingOverflow(by: scale(home))
        guard !overflow, let minor = product.dividedHalfEven(by: scale(amount.currency) * 1_000_000) else { return nil }
        return Int64(exactly: minor).map { Money(minorUnits: $0, currency: home) }
    }
}

extension BinaryInteger {
    /// The quotient rounded to a whole number, halves to the even one; nil for a divisor that is not positive.
    package func dividedHalfEven(by divisor: Self) -> Self? {
        guard divisor > 0 else { return nil }
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        let rest = remainder.magnitude, other = divisor.magnitude - rest
        guard rest > other || (rest == other && quotient % 2 != 0) else { return quotient }
        return self < 0 ? quotient - 1 : quotient + 1
    }
}

/// The owner's own exchange rates; nothing is ever fetched.
public protocol RateStore: Sendable {
    /// All rates, by currency.
    func rates() async throws -> [ExchangeRate]
    /// Sets a currency's rate.
    func setRate(_ rate: ExchangeRate) async throws
    /// Deletes a currency's rate; false when there is none.
    func removeRate(currency: String) async throws -> Bool
}
