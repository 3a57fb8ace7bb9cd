import Control

/// How the van and the owner's data are, as far as a sentence may change them.
struct OwnerState: Equatable, Sendable {
    /// The devices' states by their names.
    var devices: [String: String] = [:]
    var ledger: [LedgerRow] = []
    /// Amounts by category; the one over everything under the empty name.
    var budgets: [String: MoneyAmount] = [:]
    var items: [ItemRow] = []
    var lists: [ChecklistRow] = []
    var trips: [TripRow] = []
    var mode: String?
    var stars: [String] = []
    var isMuted = false

    init() {}

    /// Asks the daemon.
    init(_ client: ControlClient) async throws {
        self = try await client.connected { connection in
            var state = OwnerState()
            for device in try await connection.call(DevicesListCall.self).devices {
                state.devices[device.name] = device.state ?? "unknown"
            }
            state.ledger = try await connection.call(LedgerListCall.self, .init(limit: 1_000)).entries
                .sorted { $0.id < $1.id }
            for budget in try await connection.call(BudgetsCall.self).budgets {
                state.budgets[budget.category ?? ""] = budget.amount
            }
            state.items = try await connection.call(ItemsListCall.self).items.sorted { $0.id < $1.id }
            state.lists = try await connection.call(ListsCall.self).lists.sorted { $0.name < $1.name }
            state.trips = try await connection.call(TripsCall.self).trips.sorted { $0.id < $1.id }
            state.stars = try await connection.call(StarsCall.self).stars
            let status = try await connection.call(StatusCall.self)
            (state.mode, state.isMuted) = (status.mode, status.muted)
            return state
        }
    }

    /// What differs from another state, as a line for people; empty where nothing does.
    func differences(from other: OwnerState) -> [String] {
        var lines = devices.keys.sorted().filter { devices[$0] != other.devices[$0] }
        let parts: [(String, Bool)] = [
            ("ledger", ledger == other.ledger), ("budgets", budgets == other.budgets), ("items", items == other.items),
            ("lists", lists == other.lists), ("trips", trips == other.trips), ("mode", mode == other.mode),
            ("stars", stars == other.stars), ("muted", isMuted == other.isMuted),
        ]
        lines += parts.filter { !$0.1 }.map(\.0)
        return lines
    }

    // MARK: what was done to it

    /// The changes of the owner's data since `before`, as the intents that make them.
    func deeds(since before: OwnerState) -> [Deed] {
        ledgerDeeds(before) + budgetDeeds(before) + itemDeeds(before) + listDeeds(before) + tripDeeds(before)
    }

    /// Pairs of what was there and what is, by number: each nil where it was not there, or is not any more.
    private static func changes<Row: Equatable>(
        _ old: [Row], _ new: [Row], _ id: (Row) -> Int64
    ) -> [(old: Row?, new: Row?)] {
        let before = Dictionary(old.map { (id($0), $0) }) { $1 }, after = Dictionary(new.map { (id($0), $0) }) { $1 }
        return Set(before.keys).union(after.keys).sorted().map { (before[$0], after[$0]) }.filter { $0 != $1 }
    }

    private func ledgerDeeds(_ before: OwnerState) -> [Deed] {
        Self.changes(before.ledger, ledger, \.id).map { old, new in
            guard let row = new else { return Deed("finance.delete_last") }
            let intent =
                old != nil ? "finance.correct_last" : row.kind == .income ? "finance.log_income" : "finance.log_expense"
            return Deed(
                intent, ["amount": row.amount.major, "currency": row.amount.currency, "category": row.category])
        }
    }

    private func budgetDeeds(_ before: OwnerState) -> [Deed] {
        Set(budgets.keys).union(before.budgets.keys).sorted().compactMap { category in
            let amount = budgets[category]
            guard amount != before.budgets[category] else { return nil }
            return Deed(
                "finance.set_budget", ["category": category, "amount": amount?.major, "currency": amount?.currency])
        }
    }

    private func itemDeeds(_ before: OwnerState) -> [Deed] {
        Self.changes(before.items, items, \.id).flatMap { old, new -> [Deed] in
            guard let new else { return [Deed("manifest.remove_item", ["item": old?.name])] }
            let values = [
                "item": new.name, "place": new.place, "quantity": "\(new.quantity)",
                "weight": new.unitGrams.map(String.init),
            ]
            guard let old else { return [Deed("manifest.add_item", values)] }
            var deeds: [Deed] = []
            if old.place != new.place { deeds.append(Deed("manifest.move_item", values)) }
            if old.quantity != new.quantity {
                let change = ["change": "\(abs(new.quantity - old.quantity))"]
                deeds.append(Deed("manifest.set_quantity", values.merging(change) { $1 }))
            }
            if old.unitGrams != new.unitGrams { deeds.append(Deed("manifest.set_weight", values)) }
            return deeds.isEmpty ? [Deed("manifest.change_item", values)] : deeds
        }
    }

    private func listDeeds(_ before: OwnerState) -> [Deed] {
        struct Place: Equatable { let list: String, task: TaskRow }
        func tasks(_ lists: [ChecklistRow]) -> [Place] {
            lists.flatMap { list in list.tasks.map { Place(list: list.name, task: $0) } }
        }
        return Self.changes(tasks(before.lists), tasks(lists), \.task.id).map { old, new in
            let intent: String
            switch (old?.task.done, new?.task.done) {
            case (nil, _): intent = "checklist.add_task"
            case (_, nil): intent = "checklist.remove_task"
            case (_, true?): intent = "checklist.complete_task"
            default: intent = "checklist.reopen_task"
            }
            return Deed(intent, ["list": (new ?? old)?.list, "task": (new ?? old)?.task.text])
        }
    }

    private func tripDeeds(_ before: OwnerState) -> [Deed] {
        Self.changes(before.trips, trips, \.id).compactMap { old, new in
            guard let new else { return Deed("travel.remove_trip", ["destination": old?.destination]) }
            if old == nil { return Deed("travel.start_trip", ["destination": new.destination]) }
            // What was spent on a trip changes with the ledger.
            guard old?.end != new.end else { return nil }
            return Deed("travel.end_trip", ["destination": new.destination])
        }
    }
}

extension MoneyAmount {
    /// In the currency's main unit, as a number in figures.
    fileprivate var major: String {
        var value = Double(minorUnits)
        for _ in 0..<exponent { value /= 10 }
        return "\(value)"
    }
}
