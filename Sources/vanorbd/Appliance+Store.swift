import StoreSQLite

extension Appliance {
    /// Opens a database that could not be opened at the start, and learns what is in it.
    func keepStore() async {
        guard let store, !store.wasOpenAtOnce else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await storeRoom.recover(store) }
            // Also where a command was what opened it.
            group.addTask { await learnNames(of: store) }
        }
    }

    private func learnNames(of store: SQLiteStore) async {
        let changes = health.changes()
        if store.obstacle != nil {
            for await _ in changes where store.obstacle == nil { break }
        }
        guard !Task.isCancelled else { return }
        await conversation.refreshNames()
    }
}
