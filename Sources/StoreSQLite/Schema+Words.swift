/// The owner's pronunciations.
extension Schema {
    static let words = """
        CREATE TABLE owner_word (
            language TEXT NOT NULL CHECK (length(language) > 0),
            word TEXT NOT NULL CHECK (length(trim(word)) > 0),
            position INTEGER NOT NULL CHECK (position >= 0),
            spelling TEXT NOT NULL CHECK (length(trim(spelling)) > 0),
            phones TEXT NOT NULL CHECK (length(trim(phones)) > 0),
            PRIMARY KEY (language, word, position)
        ) STRICT, WITHOUT ROWID;
        """
}
