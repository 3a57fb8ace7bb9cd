import Domain
import GRDB

/// The owner's pronunciations in SQLite, a row for each; phones with blanks between them.
struct SQLiteWords: OwnerWordStore {
    let connection: Connection

    func ownerWords(language: String) async throws -> [String: [OwnerPronunciation]] {
        try await connection.read("words.all") { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT word, spelling, phones FROM owner_word WHERE language = ? ORDER BY word, position",
                arguments: [language])
            var words: [String: [OwnerPronunciation]] = [:]
            for row in rows {
                let phones: String = row["phones"]
                words[row["word"], default: []].append(
                    OwnerPronunciation(
                        spelling: row["spelling"], phones: phones.split(separator: " ").map(String.init)))
            }
            return words
        }
    }

    func setOwnerWord(_ word: String, language: String, to pronunciations: [OwnerPronunciation]) async throws {
        guard !pronunciations.isEmpty else {
            throw connection.refused("words.set", "a word must have a pronunciation")
        }
        try await connection.write("words.set") { database in
            try Self.remove(word, language, database)
            for (position, pronunciation) in pronunciations.enumerated() {
                try database.execute(
                    sql: "INSERT INTO owner_word (language, word, position, spelling, phones) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        language, word, position, pronunciation.spelling, pronunciation.phones.joined(separator: " "),
                    ])
            }
        }
    }

    func removeOwnerWord(_ word: String, language: String) async throws -> Bool {
        try await connection.write("words.remove") { database in
            try Self.remove(word, language, database)
            return database.changesCount > 0
        }
    }

    private static func remove(_ word: String, _ language: String, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM owner_word WHERE language = ? AND word = ?", arguments: [language, word])
    }
}
