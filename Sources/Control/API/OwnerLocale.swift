/// How the owner writes times and amounts, as the daemon's settings have it. It is said once a connection, in its
/// greeting.
public struct OwnerLocale: Codable, Sendable, Equatable {
    /// The time zone's name, such as `Europe/London`.
    public var timeZone: String
    /// The language's code, such as `en`.
    public var language: String
    /// The country, ISO 3166, such as `GB`.
    public var country: String
    /// The owner's currency, ISO 4217, such as `GBP`.
    public var currency: String

    /// An owner's ways.
    public init(timeZone: String, language: String, country: String, currency: String) {
        self.timeZone = timeZone
        self.language = language
        self.country = country
        self.currency = currency
    }
}
