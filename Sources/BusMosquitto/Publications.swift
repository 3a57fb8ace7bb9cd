/// The publications that wait for their acknowledgement on one connection.
///
/// A publication is begun before it is handed to the library and given its message number after, because the
/// acknowledgement may come in between, on the connection's thread.
struct Publications<Waiter> {
    /// A publication's place.
    typealias Ticket = Int

    private struct Entry {
        let waiter: Waiter
        let deadline: ContinuousClock.Instant
        var message: Int32?
    }

    private var entries: [Ticket: Entry] = [:]
    private var early: Set<Int32> = []
    private var lastTicket = 0

    /// How many wait.
    var count: Int { entries.count }

    /// When the first of them has waited too long, or nil.
    var nextDeadline: ContinuousClock.Instant? { entries.values.map(\.deadline).min() }

    /// A publication that is about to be handed over.
    mutating func begin(_ waiter: Waiter, deadline: ContinuousClock.Instant) -> Ticket {
        lastTicket += 1
        entries[lastTicket] = Entry(waiter: waiter, deadline: deadline)
        return lastTicket
    }

    /// The library took it under this message number.
    /// - Returns: the waiter, when it has been acknowledged already.
    mutating func sent(_ ticket: Ticket, message: Int32) -> Waiter? {
        if early.remove(message) != nil { return entries.removeValue(forKey: ticket)?.waiter }
        entries[ticket]?.message = message
        return nil
    }

    /// The broker took the message of this number.
    /// - Returns: its waiter, unless the number is not known yet.
    mutating func acknowledged(_ message: Int32) -> Waiter? {
        guard let entry = entries.first(where: { $0.value.message == message }) else {
            early.insert(message)
            return nil
        }
        return entries.removeValue(forKey: entry.key)?.waiter
    }

    /// The library did not take it.
    mutating func withdraw(_ ticket: Ticket) -> Waiter? { entries.removeValue(forKey: ticket)?.waiter }

    /// The connection is gone.
    /// - Returns: all that still wait.
    mutating func removeAll() -> [Waiter] {
        defer {
            entries.removeAll()
            early.removeAll()
        }
        return entries.sorted { $0.key < $1.key }.map(\.value.waiter)
    }
}
