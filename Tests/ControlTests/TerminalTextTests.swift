import Foundation
import Testing

@testable import Control

/// Names of others do not steer a terminal, nor turn what stands behind them.
@Suite struct TerminalTextTests {
    /// The bidirectional controls, the separators, and some of the other controls.
    private static let steering: [Unicode.Scalar] =
        [0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069, 0x2028, 0x2029]
        .compactMap(Unicode.Scalar.init) + ["\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\n"]

    @Test(arguments: steering)
    func whatSteers_becomesASpace_onATerminal(scalar: Unicode.Scalar) {
        #expect(TerminalText.harmless("pump\(scalar)xob") == "pump xob")
    }

    @Test func whatPeopleWrite_staysAsItIs() {
        for text in ["Küche – 12 °C", "“£50”", "مضخة", "👩‍🚒", "naïve"] { #expect(TerminalText.harmless(text) == text) }
    }

    @Test(arguments: steering)
    func whatSteers_isEscapedInJSON_andMeansTheSame(scalar: Unicode.Scalar) throws {
        let names = ["pump\(scalar)xob", "Küche “£50”"]
        for pretty in [false, true] {
            let line = try ControlJSON.encode(names, pretty: pretty)
            #expect(try ControlJSON.decode([String].self, from: line) == names)
            let text = String(decoding: line, as: UTF8.self)
            #expect(!text.unicodeScalars.contains { $0 != "\n" && TerminalText.steers($0) })
        }
    }
}
