/// Accounts, litres, budgets and exchange rates.
extension Schema {
    static let finance = """
        ALTER TABLE ledger_entry ADD COLUMN account TEXT;
        ALTER TABLE ledger_entry ADD COLUMN millilitres INTEGER CHECK (millilitres > 0);
        """
}
