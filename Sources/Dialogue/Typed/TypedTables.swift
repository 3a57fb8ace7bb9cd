import Domain
import TableExchange
import Handlers

/// How the rows of a table were taken.
public struct TableOutcome: Sendable, Equatable {
    /// How many were stored, or would be.
    public var added = 0
    /// The lines that were there already.
    public var present: [Int] = []
    /// What is bad; nothing is stored then.
    public var problems: [TableProblem] = []
    /// What is worth saying.
    public var notes: [String] = []
}

/// Tables of the owner's, out of files: what is new in them is stored at once or not at all, and taken back as one
/// change.
public struct TypedTables: Sendable {
    /// Only to look, or to store, with what an undo says of so many rows: `3 items imported from x.csv`.
    public enum Purpose: Sendable {
        case look
        case store(description: @Sendable (Int) -> Wording)
    }

    package let changes: TypedChanges
    package let context: HandlerContext

    /// The tables of a conversation's stores.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) {
        self.changes = changes
        context = changes.context
    }

    /// Takes items.
    /// - Throws: the store's error; nothing is stored then.
    public func take(_ rows: [TableRow<Item>], _ purpose: Purpose) async throws -> TableOutcome {
        let manifest = context.stores.manifest, words = context.books.tables
        return try await take(of: ManifestHandler.name, purpose) {
            ItemTable.plan(rows, try await manifest.items(), words)
        } store: { items in
            // A place is the one that is there, whatever the case that it is written in.
            let names = try await manifest.places().map { ($0.lowercased(), $0) }
            var places = Dictionary(names) { first, _ in first }
            let placed = items.map { item in
                var item = item
                if let place = item.place {
                    item.place = places[place.lowercased(), default: place]
                    places[place.lowercased()] = item.place
                }
                return item
            }
            try await manifest.add(all: placed)
        }
    }

    /// Takes tasks; one of no text stands for its list.
    /// - Throws: the store's error; nothing is stored then.
    public func take(_ rows: [TableRow<ChecklistTask>], _ purpose: Purpose) async throws -> TableOutcome {
        let checklist = context.stores.checklist
        return try await take(of: ChecklistHandler.name, purpose) {
            ListTable.plan(rows, lists: try await checklist.lists(), try await checklist.tasks(list: nil))
        } store: { tasks in
            try await checklist.add(all: tasks.filter { !$0.text.isEmpty }, making: tasks.map(\.list))
        }
    }

    /// Takes trips.
    /// - Throws: the store's error; nothing is stored then.
    public func take(_ rows: [TableRow<TripTableRow>], _ purpose: Purpose) async throws -> TableOutcome {
        let trips = context.stores.trips, words = context.books.tables
        return try await take(of: TravelHandler.name, purpose) {
            TripTable.plan(rows, try await trips.trips(), words)
        } store: {
            try await trips.add(all: $0)
        }
    }

    private func take<Value: Sendable>(
        of handler: String, _ purpose: Purpose, plan: @escaping @Sendable () async throws -> TablePlan<Value>,
        store: @escaping @Sendable ([Value]) async throws -> Void
    ) async throws -> TableOutcome {
        guard case .store(let description) = purpose else { return TableOutcome(try await plan()) }
        return try await changes.change(of: handler) {
            let plan = try await plan(), outcome = TableOutcome(plan)
            guard plan.problems.isEmpty, !plan.new.isEmpty else { return (Reply(""), outcome) }
            try await store(plan.new)
            let undo = Undo(description(plan.new.count))
            return (Reply("", effects: ["\(handler): import"], undo: undo, changesNames: true), outcome)
        }
    }
}

extension TableOutcome {
    fileprivate init<Value>(_ plan: TablePlan<Value>) {
        (added, present, problems, notes) = (plan.new.count, plan.present, plan.problems, plan.notes)
    }
}
