import Configuration
import Foundation

/// The numbers to call in a country.
struct EmergencyNumbers: Sendable, Equatable {
    /// Reaches help of every kind.
    let general: String
    /// A second number that does, 112 as a rule.
    let also: String?
    /// Where they differ from the general one.
    let police: String?, ambulance: String?, fire: String?

    /// The number of GSM phones, which nearly every network puts through (ETSI TS 122 101, section 10).
    static let international = EmergencyNumbers(general: "112", also: nil, police: nil, ambulance: nil, fire: nil)

    /// True where 112 reaches help.
    var hasInternational: Bool { general == Self.international.general || also == Self.international.general }

    /// The numbers of a country (ISO 3166 alpha-2); nil where the data file does not have it.
    static func of(_ country: String) -> EmergencyNumbers? { all[country] }

    /// A file that cannot be read leaves the international number, which is right nearly everywhere in Europe.
    static let all: [String: EmergencyNumbers] =
        (try? load(ConfigurationNode(contentsOf: ShippedData.path("emergency-numbers.yaml")))) ?? [:]

    /// - Throws: `ConfigurationError`.
    static func load(_ root: ConfigurationNode) throws -> [String: EmergencyNumbers] {
        var result: [String: EmergencyNumbers] = [:]
        for (country, node) in try root.entries() {
            let entry = try node.entries(allowed: ["general", "also", "police", "ambulance", "fire"])
            func number(_ key: String) throws -> String? {
                guard let node = entry[key] else { return nil }
                let text = try node.string()
                guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                    throw node.error("expected a telephone number in digits")
                }
                return text
            }
            guard let general = try number("general") else { throw node.error("“general” is missing") }
            result[country] = EmergencyNumbers(
                general: general, also: try number("also"), police: try number("police"),
                ambulance: try number("ambulance"), fire: try number("fire"))
        }
        return result
    }
}

/// The data that belong to no language: the emergency numbers.
enum ShippedData {
    /// The path of a data file. An installed appliance keeps its data apart from the program; a build tree has them in
    /// the resource bundle.
    static func path(_ name: String) -> String {
        let installed = "/usr/share/vanorb/Data/\(name)"
        if FileManager.default.fileExists(atPath: installed) { return installed }
        return Bundle.module.resourceURL?.appendingPathComponent("Data/\(name)").path ?? installed
    }
}
