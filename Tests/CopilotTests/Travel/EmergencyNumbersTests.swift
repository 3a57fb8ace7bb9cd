@testable import Configuration
@testable import Handlers
import Foundation
import Testing

/// The emergency numbers, and the countries that can be said.
@Suite struct EmergencyNumbersTests {
    @Test func everyCountryOfEurope_hasItsNumber_itsName_andDigitsOnly() {
        let europe = """
            AD AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO
            PL PT RO RS SE SI SK SM TR UA VA XK MA US CA AU NZ
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        for code in europe {
            #expect(EmergencyNumbers.of(code) != nil, "\(code)")
            #expect(English.books.replies.keys.contains("country.\(code)"), "\(code)")
        }
        #expect(EmergencyNumbers.of("AU")?.general == "000")
        #expect(EmergencyNumbers.of("NO")?.fire == "110")
    }

    @Test(arguments: ["FR: {general: 1O2}", "FR: {police: \"17\"}", "FR: {general: \"112\", coast: \"1\"}"])
    func aSlipInTheNumbers_isNamedWithItsLine(text: String) {
        #expect(throws: ConfigurationError.self) {
            try EmergencyNumbers.load(ConfigurationNode(parsing: text, file: "numbers.yaml"))
        }
    }

    @Test func everyCountryThatCanBeSaid_isKnownByItsCode() {
        guard case .list(let values)? = English.books.books.first?.slots["country"] else {
            Issue.record("there is no list of countries")
            return
        }
        for value in values {
            let name = value.value ?? value.template.plainText ?? ""
            #expect(English.books.replies.country(of: name) != nil, "\(name)")
        }
    }
}
