/// The owner's stars.
extension Schema {
    // No reference to what has the star: it is of many kinds, and some live on the bus. Numbers of removed rows are
    // never given again, so a star that is left behind marks nothing, and is there again when an undo brings the row
    // back.
    static let stars = """
        CREATE TABLE star (
            kind TEXT NOT NULL CHECK (length(kind) > 0),
            thing TEXT NOT NULL CHECK (length(thing) > 0),
            PRIMARY KEY (kind, thing)
        ) STRICT, WITHOUT ROWID;
        """
}
