import Domain
import Logging
import StoreSQLite
import SystemTestKit
import Testing

/// The owner's pronunciations in the database.
@Suite struct OwnerWordTests {
    private let lidl = [
        OwnerPronunciation(spelling: "lid ul", phones: ["L", "IH", "D", "AH", "L"]),
        OwnerPronunciation(spelling: "lee del", phones: ["L", "IY", "D", "EH", "L"]),
    ]

    @Test func words_areKeptInTheirOrder_aLanguageEach() async throws {
        let words = try SQLiteStore.inMemory().stores.words
        try await words.setOwnerWord("lidl", language: "en", to: lidl)
        #expect(try await words.ownerWords(language: "en") == ["lidl": lidl])
        #expect(try await words.ownerWords(language: "de").isEmpty)
        try await words.setOwnerWord("lidl", language: "en", to: lidl.reversed())
        #expect(try await words.ownerWords(language: "en") == ["lidl": lidl.reversed()])
        #expect(try await words.removeOwnerWord("lidl", language: "de") == false)
        #expect(try await words.removeOwnerWord("lidl", language: "en"))
        #expect(try await words.removeOwnerWord("lidl", language: "en") == false)
        #expect(try await words.ownerWords(language: "en").isEmpty)
    }

    @Test func wordWithoutPronunciation_isRefused_andNothingIsLost() async throws {
        let words = try SQLiteStore.inMemory().stores.words
        try await words.setOwnerWord("lidl", language: "en", to: lidl)
        await #expect(throws: StoreError.self) { try await words.setOwnerWord("lidl", language: "en", to: []) }
        await #expect(throws: StoreError.self) {
            try await words.setOwnerWord("lidl", language: "en", to: [OwnerPronunciation(spelling: "x", phones: [])])
        }
        #expect(try await words.ownerWords(language: "en") == ["lidl": lidl])
    }

    @Test func words_surviveARestart_andCanBeTakenBack() async throws {
        let folder = try TemporaryFolder()
        func open() throws -> SQLiteStore {
            try SQLiteStore.open(path: folder.file("vanorb.db"), logger: Logger(label: "test"))
        }
        let first = try open()
        try await first.stores.words.setOwnerWord("lidl", language: "en", to: lidl)
        let number = try #require(try await first.stores.journal.seal("lidl"))
        try first.close()
        let second = try open()
        #expect(try await second.stores.words.ownerWords(language: "en") == ["lidl": lidl])
        #expect(try await second.stores.journal.revert(number))
        #expect(try await second.stores.words.ownerWords(language: "en").isEmpty)
        try second.close()
    }
}
