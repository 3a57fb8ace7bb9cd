import Foundation
import Testing

@testable import Copilot

/// Countries and towns by position; and the numbers file.
@Suite struct BordersTests {
    private static func position(_ latitude: Double, _ longitude: Double) -> Position {
        Position(latitude: latitude, longitude: longitude, time: VanBench.now)
    }

    @Test(arguments: [
        (51.5, -0.12, "GB"), (48.85, 2.35, "FR"), (40.4, -3.7, "ES"), (38.7, -9.14, "PT"), (52.5, 13.4, "DE"),
        (59.91, 10.75, "NO"), (31.63, -8.0, "MA"), (41.0, 28.97, "TR"), (45.44, 12.33, "IT"), (42.51, 1.52, "AD"),
        (49.6, 6.13, "LU"), (35.9, 14.5, "MT"), (64.14, -21.9, "IS"), (40.7, -74.0, "US"), (-33.87, 151.2, "AU"),
        (-41.29, 174.78, "NZ"), (46.2, 6.14, "CH"), (57.7, -5.16, "GB"), (53.35, -6.26, "IE"), (42.66, 21.16, "XK"),
    ])
    func aPlace_liesInItsCountry(latitude: Double, longitude: Double, code: String) {
        #expect(Borders.shipped.country(at: Self.position(latitude, longitude))?.code == code)
    }

    @Test func nearABorder_theOtherSideIsNamed_farFromItNot() {
        // Le Perthus lies on the border.
        let border = Borders.shipped.country(at: Self.position(42.464, 2.863))
        #expect(border.map { Set([$0.code] + $0.near) } == ["FR", "ES"])
        #expect(Borders.shipped.country(at: Self.position(45.75, 4.85))?.near == [])
        #expect(Borders.shipped.country(at: Self.position(45, -30)) == nil)
    }

    @Test func aDamagedBordersFile_leavesOutWhatIsNone() {
        let text = "@XX\n0 0 100 0 0 100 -100 0\nnonsense\n1 2 3\n99999999999999999999 1 1 1 1 1\n@YY\n"
        let borders = Borders(lines: Array(text.utf8).split(separator: 10))
        #expect(borders.country(at: Self.position(0.5, 0.5))?.code == "XX")
        #expect(Borders(lines: []).country(at: Self.position(50, 10)) == nil)
    }

    @Test func theNearestTown_isFoundWithDistanceAndDirection() throws {
        let town = try #require(Towns.shipped.nearest(to: Self.position(42.85, 2.89)))
        #expect(town.metres < 20_000)
        let lines = Array("Alpha\t5000\t1000\nBeta\t6000\t1000\nbroken".utf8).split(separator: 10)
        let towns = Towns(lines: lines)
        let near = try #require(towns.nearest(to: Self.position(50.1, 10)))
        #expect(near.name == "Alpha")
        #expect(near.octant == 0)
        #expect(abs(near.metres - 11_120) < 20)
        #expect(try #require(towns.nearest(to: Self.position(50, 9.9))).octant == 6)
        #expect(towns.nearest(to: Self.position(0, 0)) == nil)
    }

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
