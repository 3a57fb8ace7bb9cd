/// An amount of money: whole minor units of one currency, never a floating-point number.
public struct Money: Sendable, Equatable, Hashable, Codable {
    /// Pence, cents; negative when owed.
    public var minorUnits: Int64
    /// ISO 4217 code, upper case.
    public var currency: String

    /// An amount in minor units of `currency`.
    public init(minorUnits: Int64, currency: String) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Decimal places of a currency's minor unit, from ISO 4217's table; 2 where it is not an exception.
    public static func exponent(of currency: String) -> Int {
        switch currency {
        case "JPY", "KRW", "ISK", "CLP", "XAF", "XOF", "VND", "UGX", "PYG": 0
        case "TND", "KWD", "BHD", "OMR", "JOD", "LYD", "IQD": 3
        default: 2
        }
    }
}
