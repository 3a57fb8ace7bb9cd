/// Masses, tanks and occupants, and what else is known of an item.
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
