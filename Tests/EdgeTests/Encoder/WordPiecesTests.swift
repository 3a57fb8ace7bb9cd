import Foundation
import Testing

@testable import IntentEncoder

/// Texts become the numbers that the encoder was trained with.
@Suite struct WordPiecesTests {
    private static let installed = Result {
        try WordPieces(
            vocabulary: String(
                contentsOfFile: try #require(InstalledEncoder.folder) + "/" + EncoderFiles.vocabulary, encoding: .utf8))
    }

    /// The numbers are those of the tokeniser that the model was published with.
    private static let published: [(String, [Int32])] = [
        ("turn the heating on", [101, 2735, 1996, 10808, 2006, 102]),
        ("Café crème, à la carte!", [101, 7668, 13675, 21382, 1010, 1037, 2474, 11122, 2063, 999, 102]),
        (
            "don't un-plug the 2.5kW inverter",
            [
                101, 2123, 1005, 1056, 4895, 1011, 13354, 1996, 1016, 1012, 1019, 2243, 2860, 1999, 16874, 2121, 102,
            ]
        ),
        ("naïve façade ﬁne", [101, 15743, 8508, 1984, 2638, 102]),
        ("what's the van's mpg?", [101, 2054, 1005, 1055, 1996, 3158, 1005, 1055, 6131, 2290, 1029, 102]),
        (
            "supercalifragilisticexpialidocious",
            [101, 3565, 9289, 10128, 29181, 24411, 4588, 10288, 19312, 21273, 10085, 6313, 102]
        ),
        ("日本語 のテスト", [101, 1864, 1876, 1950, 1671, 30239, 30233, 30240, 102]),
        ("\u{200B}zero\u{AD}width\ttab", [101, 5717, 9148, 11927, 2232, 21628, 102]),
        ("😀 emoji", [101, 100, 7861, 29147, 2072, 102]),
        (
            "Москва Ёлка",
            [101, 1191, 14150, 29747, 23925, 25529, 10260, 1185, 29436, 28598, 102]
        ),
        ("£12.50 … “quoted” – dash", [101, 14534, 2475, 1012, 2753, 1529, 1523, 9339, 1524, 1516, 11454, 102]),
        ("हिन्दी", [101, 1339, 29877, 29863, 29861, 29878, 102]),
        (String(repeating: "x", count: 101), [101, 100, 102]),
    ]

    @Test(.enabled(if: InstalledEncoder.folder != nil, InstalledEncoder.missing))
    func texts_haveTheNumbersOfThePublishedTokeniser() throws {
        let words = try Self.installed.get()
        #expect(words.count > 30_000)
        for (text, numbers) in Self.published { #expect(words.pieces(of: text, limit: 48) == numbers, "\(text)") }
    }

    private let small = Result { try WordPieces(vocabulary: SmallEncoder.vocabulary) }

    @Test func theLongestPiecesAreTaken_andAWordWithoutPieces_isUnknownAsAWhole() throws {
        let words = try small.get()
        #expect(words.pieces(of: "Lights  ON", limit: 16) == [2, 5, 6, 7, 3])
        #expect(words.pieces(of: "heating", limit: 16) == [2, 1, 3])
    }

    @Test(arguments: ["", "   ", "\u{0}\u{200B}"])
    func aTextWithoutWords_hasNoPieces(text: String) throws {
        #expect(try small.get().pieces(of: text, limit: 16) == nil)
    }

    @Test func aTextOfMorePiecesThanTheLimit_isRefused_howeverItIsMade() throws {
        let words = try small.get()
        #expect(words.pieces(of: Array(repeating: "on", count: 14).joined(separator: " "), limit: 16)?.count == 16)
        let long = [
            Array(repeating: "on", count: 15).joined(separator: " "),
            Array(repeating: "heat", count: 1000).joined(separator: " "), String(repeating: "!", count: 65_536),
            String(repeating: "é ", count: 32_768), String(repeating: "e\u{301}\u{301}", count: 20_000),
        ]
        for text in long { #expect(words.pieces(of: text, limit: 16) == nil, "\(text.prefix(8))") }
    }

    @Test func aVocabularyWithoutTheMarks_isRefused() {
        #expect(throws: EncoderError.self) { try WordPieces(vocabulary: "heat\nlight\n") }
    }
}
