import GRDB

/// The statements that every table shares. Table and column names come from this target's own text, never from the
/// owner; the owner's words are always arguments.
extension Database {
    /// Inserts a row under a new number, or under `id` when that is given and free: so does an undo put back what was
    /// removed.
    /// - Returns: the row's number.
    func insert(_ table: String, id: Int64, _ values: KeyValuePairs<String, (any DatabaseValueConvertible)?>)
        throws -> Int64
    {
        var columns = values.map(\.key)
        var arguments = values.map(\.value)
        if try id > 0 && !hasRow(table, id: id) {
            columns.append("id")
            arguments.append(id)
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        // An import compiles it once: with the journal's triggers that takes longer than to execute it.
        try cachedStatement(sql: "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
            .execute(arguments: StatementArguments(arguments))
        return lastInsertedRowID
    }

    /// Deletes the row of this number; false when there is none.
    func delete(_ table: String, id: Int64) throws -> Bool {
        try execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id])
        return changesCount > 0
    }

    private func hasRow(_ table: String, id: Int64) throws -> Bool {
        try Bool.fetchOne(self, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE id = ?)", arguments: [id]) ?? false
    }
}
