import Control
import Foundation
import Synchronization
import SystemTestKit

/// What was sent to be written, and what of it was confirmed. Each entry has an amount of its own, by which it is
/// known.
final class WriteLog: Sendable {
    private struct State {
        var next: Int
        var confirmed: Set<Int> = []
        var tables: [String: Bool] = [:]
        var backups: [String] = []
    }

    /// The rows of a table that is imported.
    static let tableRows = 1_000
    private let first: Int
    private let state: Mutex<State>

    /// - Parameter rows: what the ledger holds already; the amounts begin above.
    init(above rows: LedgerTable) {
        first = max(1_000, rows.pounds.keys.max() ?? 0) + 1
        state = Mutex(State(next: first))
    }

    /// A new entry's amount in pounds.
    func begin() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
    }

    func confirm(_ pounds: Int) { state.withLock { _ = $0.confirmed.insert(pounds) } }

    /// A table begins to be imported; it was imported.
    func imports(_ table: String) { state.withLock { $0.tables[table] = false } }
    func imported(_ table: String) { state.withLock { $0.tables[table] = true } }

    func made(_ backup: String) { state.withLock { $0.backups.append(backup) } }

    var confirmed: Set<Int> { state.withLock { $0.confirmed } }
    /// The tables, and whether they were confirmed.
    var tables: [String: Bool] { state.withLock { $0.tables } }
    /// The backups that were confirmed, oldest first.
    var backups: [String] { state.withLock { $0.backups } }

    /// Whether an entry of this amount was sent.
    func isKnown(_ pounds: Int) -> Bool { state.withLock { (first..<$0.next).contains(pounds) } }

    /// These were taken back.
    func forget(where entry: (Int) -> Bool, _ table: (String) -> Bool) {
        state.withLock { state in
            state.confirmed = state.confirmed.filter { !entry($0) }
            for name in state.tables.keys where table(name) { state.tables[name] = nil }
        }
    }

    /// The amount in a reply that says that an entry was logged.
    static func pounds(in reply: String) -> Int? {
        guard reply.hasPrefix("Logged"), let match = reply.firstMatch(of: /£([\d,]+)/) else { return nil }
        return Int(match.1.filter { $0 != "," })
    }
}

/// The whole ledger, as an export has it.
struct LedgerTable {
    private(set) var count = 0
    /// How often each whole amount is there, and each note.
    private(set) var pounds: [Int: Int] = [:], notes: [String: Int] = [:]
    /// Lines that lack something that every entry has.
    private(set) var incomplete: [String] = []

    init(_ client: ControlClient) async throws {
        var text = ""
        for try await piece in client.stream(ExportStream.self, ExportArguments(table: .ledger)) { text += piece.text }
        let lines = text.split(whereSeparator: \.isNewline)
        let names = lines.first?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        func place(_ name: String) throws -> Int {
            guard let place = names.firstIndex(of: name) else {
                throw NotInTime(description: "no column \(name): \(names)")
            }
            return place
        }
        let (amount, note, date, category) = try (place("amount"), place("note"), place("date"), place("category"))
        for line in lines.dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == names.count, !cells[amount].isEmpty, !cells[date].isEmpty,
                !cells[category].isEmpty || !cells[note].isEmpty
            else {
                incomplete.append(String(line))
                continue
            }
            count += 1
            if !cells[note].isEmpty { notes[cells[note], default: 0] += 1 }
            if let value = Double(cells[amount]), value.rounded() == value { pounds[Int(value), default: 0] += 1 }
        }
    }
}
