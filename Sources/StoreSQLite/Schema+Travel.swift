/// The odometer, and what the position receiver counts and notes.
extension Schema {
    /// Stretches of ten minutes are few enough to keep for ever and short enough for a trip's first and last hour.
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
