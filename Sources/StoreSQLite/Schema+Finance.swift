/// Accounts, litres, budgets and exchange rates, and the running totals that keep a long ledger quick.
extension Schema {
    /// The first moment that `Moment` allows, so that no bucket's number is negative.
    static let bucketOrigin: Int64 = 62_135_596_800_000
    /// The length of a bucket of the running totals, 30 days in milliseconds.
    static let bucketLength: Int64 = 2_592_000_000

    /// The running totals follow the ledger by triggers, whatever writes it: the handlers, an import, an undo. They are
    /// not entries of the owner's, so the journal ignores them.
    static let finance = """
        ALTER TABLE ledger_entry ADD COLUMN account TEXT;
        ALTER TABLE ledger_entry ADD COLUMN millilitres INTEGER CHECK (millilitres > 0);

        CREATE INDEX ledger_entry_by_kind ON ledger_entry (kind, date_ms, currency, minor_units, account);
        CREATE INDEX ledger_entry_by_size ON ledger_entry (kind, currency, minor_units);
        CREATE INDEX ledger_entry_by_category_size ON ledger_entry (kind, category, currency, minor_units);
        CREATE INDEX ledger_entry_by_merchant
            ON ledger_entry (merchant COLLATE NOCASE, kind, currency, date_ms, minor_units, category)
            WHERE merchant IS NOT NULL;

        CREATE TABLE budget (
            category TEXT PRIMARY KEY NOT NULL,
            minor_units INTEGER NOT NULL CHECK (minor_units BETWEEN 1 AND 1000000000000000),
            currency TEXT NOT NULL CHECK (length(currency) = 3 AND currency GLOB '[A-Z][A-Z][A-Z]')
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE exchange_rate (
            currency TEXT PRIMARY KEY NOT NULL CHECK (length(currency) = 3 AND currency GLOB '[A-Z][A-Z][A-Z]'),
            millionths INTEGER NOT NULL CHECK (millionths BETWEEN 1 AND 1000000000000)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger_total (
            kind TEXT NOT NULL,
            category TEXT NOT NULL,
            account TEXT NOT NULL,
            currency TEXT NOT NULL,
            bucket INTEGER NOT NULL,
            minor_units INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            PRIMARY KEY (kind, category, account, currency, bucket)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO ledger_total
            SELECT kind, ifnull(category, ''), ifnull(account, ''), currency, \(bucket("date_ms")),
                SUM(minor_units), COUNT(*)
            FROM ledger_entry GROUP BY 1, 2, 3, 4, 5;
        CREATE TRIGGER ledger_total_insert AFTER INSERT ON ledger_entry BEGIN
            \(adding("new"))
        END;
        CREATE TRIGGER ledger_total_delete AFTER DELETE ON ledger_entry BEGIN
            \(taking("old"))
        END;
        CREATE TRIGGER ledger_total_update AFTER UPDATE ON ledger_entry BEGIN
            \(taking("old"))
            \(adding("new"))
        END;
        """

    private static func bucket(_ date: String) -> String { "(\(date) + \(bucketOrigin)) / \(bucketLength)" }

    private static func adding(_ row: String) -> String {
        """
        INSERT INTO ledger_total VALUES (
            \(row).kind, ifnull(\(row).category, ''), ifnull(\(row).account, ''), \(row).currency,
            \(bucket("\(row).date_ms")), \(row).minor_units, 1)
        ON CONFLICT DO UPDATE SET
            minor_units = minor_units + excluded.minor_units, entries = entries + 1;
        """
    }

    private static func taking(_ row: String) -> String {
        let key = """
            kind = \(row).kind AND category = ifnull(\(row).category, '') AND account = ifnull(\(row).account, '')
                AND currency = \(row).currency AND bucket = \(bucket("\(row).date_ms"))
            """
        return """
            UPDATE ledger_total SET minor_units = minor_units - \(row).minor_units, entries = entries - 1 WHERE \(key);
            DELETE FROM ledger_total WHERE entries = 0 AND \(key);
            """
    }
}
