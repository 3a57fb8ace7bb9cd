import Handlers
import Foundation

/// What the owner types of the van and of foreign money, read as a person writes it: “2,350 kg”, “62,5”, “90 l”,
/// “0,86”.
public struct TypedVan: Sendable {
    private let values: TypedValues

    /// Reads with the phrasebooks of a context.
    public init(_ context: HandlerContext) { values = TypedValues(context) }

    /// What the van weighs or may weigh, in grams; a bare number means kilograms.
    /// - Throws: `TypedRefusal` that names the field.
    public func vehicleMass(_ text: String, _ field: String) throws(TypedRefusal) -> Int {
        try values.mass(text, field, 1_000...100_000_000, "1 kg to 100 tonnes", "2350 or 2.35 t")
    }

    /// What somebody weighs, in grams; a bare number means kilograms.
    /// - Throws: `TypedRefusal` that names the field.
    public func bodyMass(_ text: String, _ field: String) throws(TypedRefusal) -> Int {
        try values.mass(text, field, 100...500_000, "100 g to 500 kg", "62.5 or 62.5 kg")
    }

    /// What a tank holds, in millilitres; a bare number means litres.
    /// - Throws: `TypedRefusal` that names the field.
    public func capacity(_ text: String, _ field: String) throws(TypedRefusal) -> Int {
        let litres = try values.measure(.volume, text, field, "90 or 90 litres")
        guard (0.1...10_000).contains(litres) else {
            throw TypedRefusal("\(field): a tenth of a litre to 10,000 litres is expected, not \(text).")
        }
        return Int((litres * 1_000).rounded())
    }

    /// How full a tank is, 0 to 100.
    /// - Throws: `TypedRefusal` that names the field.
    public func percent(_ text: String, _ field: String) throws(TypedRefusal) -> Double {
        let percent = try values.measure(.percent, text, field, "60 or 60 %")
        guard (0...100).contains(percent) else {
            throw TypedRefusal("\(field): 0 to 100 percent is expected, not \(text).")
        }
        return percent
    }

    /// What one of a foreign currency is worth, in millionths of the owner's, without a detour through binary
    /// fractions.
    /// - Throws: `TypedRefusal` that names the field.
    public func rate(_ text: String, _ field: String) throws(TypedRefusal) -> Int64 {
        // A comma is a decimal one here: who types 0,863 means no 863. 1,234 may be meant either way.
        let isEitherWay = text.contains(/[1-9],[0-9]{3}\s*$/)
        let digits = text.replacing(",", with: ".").trimmingCharacters(in: .whitespaces)
        guard !isEitherWay, digits.wholeMatch(of: /[0-9]{1,7}(\.[0-9]{1,9})?/) != nil,
            let value = Decimal(string: digits, locale: Locale(identifier: "en_US_POSIX")),
            value > 0, value <= 1_000_000, case let millionths = NSDecimalNumber(decimal: value * 1_000_000).int64Value,
            millionths > 0
        else {
            throw TypedRefusal("\(field): “\(text)” is no rate; a number above 0 is expected, such as 0.86.")
        }
        return millionths
    }
}
