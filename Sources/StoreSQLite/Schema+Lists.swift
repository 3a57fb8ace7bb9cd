/// Masses, tanks and occupants, and the other columns of items.
extension Schema {
    static let manifest = """
        ALTER TABLE item ADD COLUMN category TEXT;
        ALTER TABLE item ADD COLUMN notes TEXT;
        -- Sums of a place or a category come from these alone, without the table.
        CREATE INDEX item_sums_by_place ON item (place, quantity, unit_grams);
        CREATE INDEX item_sums_by_category ON item (category, quantity, unit_grams);

        CREATE TABLE vehicle (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            unladen_grams INTEGER CHECK (unladen_grams > 0),
            permitted_grams INTEGER CHECK (permitted_grams > 0)
        ) STRICT;
        CREATE TABLE tank (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (length(trim(name)) > 0),
            capacity_ml INTEGER NOT NULL CHECK (capacity_ml > 0),
            grams_per_litre INTEGER NOT NULL CHECK (grams_per_litre > 0),
            level_percent REAL CHECK (level_percent BETWEEN 0 AND 100),
            device_id TEXT
        ) STRICT;
        CREATE TABLE occupant (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (length(trim(name)) > 0),
            grams INTEGER NOT NULL CHECK (grams > 0)
        ) STRICT;
        """
}

/// What is still open on a list, without reading the table.
extension Schema {
    static let checklist = """
        CREATE INDEX checklist_task_open ON checklist_task (checklist_id, is_done, id);
        """
}

/// The odometer, and the receiver's distances and positions.
extension Schema {
    /// Stretches of ten minutes are few enough to keep forever and short enough for a trip's first and last hour.
    static let travel = """
        CREATE TABLE odometer_reading (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            metres INTEGER NOT NULL CHECK (metres BETWEEN 0 AND 10000000000),
            date_ms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX odometer_reading_by_date ON odometer_reading (date_ms, id);
        CREATE TABLE driven (
            start_ms INTEGER PRIMARY KEY,
            metres INTEGER NOT NULL CHECK (metres >= 0)
        ) STRICT;
        CREATE TABLE stop (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            uncertainty REAL,
            fixed_ms INTEGER NOT NULL,
            country TEXT CHECK (length(country) = 2),
            date_ms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX stop_by_date ON stop (date_ms, id);
        """
}

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

/// The owner's stars.
extension Schema {
    // No reference to the starred row: it is of many kinds, and some are on the bus. Numbers of removed rows are
    // never reused, so an orphaned star has no effect, and applies again when an undo restores the row
    // back.
    static let stars = """
        CREATE TABLE star (
            kind TEXT NOT NULL CHECK (length(kind) > 0),
            thing TEXT NOT NULL CHECK (length(thing) > 0),
            PRIMARY KEY (kind, thing)
        ) STRICT, WITHOUT ROWID;
        """
}
