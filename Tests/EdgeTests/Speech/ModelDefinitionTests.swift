import Foundation
import Testing

@testable import SpeechPocketSphinx

/// The acoustic model's definition: what the library would use as a place in its memory is compared before.
@Suite struct ModelDefinitionTests {
    private static let whole =
        FileManager.default.contents(
            atPath: "/usr/share/pocketsphinx/model/en-us/en-us/mdef") ?? Data()

    @Test func installedDefinition_isWhole() throws {
        try #require(!Self.whole.isEmpty)
        try ModelDefinition.check(Self.whole)
    }

    @Test func otherForms_areLeftToTheLibrary() throws {
        try ModelDefinition.check(Data("0.3\n42 n_base\n".utf8))
        try ModelDefinition.check(Data())
    }

    @Test(arguments: [12, 1_000, 1_100, 1_300, 1_000_000, 2_000_000, 2_900_000])
    func cutDefinition_isRefused(length: Int) {
        #expect(throws: PocketSphinxError.self) { try ModelDefinition.check(Self.whole.prefix(length)) }
    }

    /// Blocks that read as zero are all valid numbers; yet with them the library reads beyond its memory.
    @Test(arguments: [2_748_416, 2_838_528, 2_912_256])
    func blankBlock_bySilentNumbers_isRefused(start: Int) {
        var data = Self.whole
        for index in start..<(start + 4_096) { data[index] = 0 }
        #expect(throws: PocketSphinxError.self) { try ModelDefinition.check(data) }
    }

    @Test func numbersBeyondTheirTable_areRefused_wherever() {
        // In the counts, the tree, the phones and the states: the highest byte of a number.
        for place in [1_067, 1_307, 1_200_003 / 12 * 12, 2_950_001 | 1] {
            var data = Self.whole
            for index in place..<(place + 16) { data[index] = 0x7F }
            #expect(throws: PocketSphinxError.self, "at \(place)") { try ModelDefinition.check(data) }
        }
    }
}
