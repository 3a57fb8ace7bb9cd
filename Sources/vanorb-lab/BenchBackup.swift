import Domain
import ArgumentParser
import Foundation
import Logging
import StoreSQLite
import Synchronization

/// Measures how backups slow down commands.
struct BenchBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-backup", abstract: "Measure how long an entry takes while a large database is copied.",
        discussion: """
            Fills a database in a temporary folder, and makes an entry every 50 ms as a turn does (a total, the entry, \
            its name in the journal): during a backup, and for as long without one, in turn. \
            Build with -c release first, and run nothing else.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Option(help: "The database's size in MB.")
    var size = 1_000
    @Option(help: "How many backups are made.")
    var rounds = 3
    @Option(help: "The folder for the database, on the disk to measure.")
    var folder = NSTemporaryDirectory()

    private static let pace = Duration.milliseconds(50)

    func run() async throws {
        guard size > 0, rounds > 0 else { throw ValidationError("--size and --rounds must be at least 1") }
        let work = "\(folder)/vanorb-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let store = try SQLiteStore.open(path: "\(work)/vanorb.sqlite", logger: Logger(label: "vanorb-lab"))
        try await store.fill(.tenYears, now: Date())
        // Pages that are not read are copied as well.
        let megabyte = String(repeating: "0123456789abcdef", count: 62_500)
        for place in 0..<size { try await store.stores.kept.set("padding \(place)", to: megabyte) }

        var resting: [Double] = [], copying: [Double] = [], lengths: [Double] = [], bytes = 0
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            async let backup = BackupFolder(path: "\(work)/backups").make(of: store, now: Date())
            let isDone = Signal()
            async let entries = Self.entries(in: store.stores) { isDone.isRaised }
            bytes = Int(try await backup.bytes)
            isDone.raise()
            copying += try await entries
            let length = start.duration(to: .now)
            lengths.append(length.seconds)
            let end = ContinuousClock.now + length
            resting += try await Self.entries(in: store.stores) { .now >= end }
        }
        try store.close()
        var figures = [
            Figure(name: "backup of \(bytes / 1_000_000) MB", value: lengths.percentile(0.5), unit: "s", limit: nil)
        ]
        for (name, share) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("slowest", 1)] {
            let (rest, busy) = (resting.percentile(share), copying.percentile(share))
            figures.append(Figure(name: "an entry at rest, \(name)", value: rest, unit: "ms", limit: nil))
            figures.append(
                Figure(name: "an entry while it is made, \(name)", value: busy, unit: "ms", limit: rest + 20))
        }
        figures.append(Figure(name: "entries while it is made", value: Double(copying.count), unit: "", limit: nil))
        try Figure.print(figures, json: json)
    }

    /// Makes entries until `isOver`.
    /// - Returns: how long each took, in milliseconds.
    private static func entries(in stores: Stores, until isOver: @Sendable () -> Bool) async throws -> [Double] {
        let pound = Money(minorUnits: 100, currency: "GBP")
        var times: [Double] = []
        while !isOver() {
            let start = ContinuousClock.now
            _ = try await stores.ledger.totals(LedgerQuery(kind: .expense, category: "fuel"))
            _ = try await stores.ledger.add(LedgerEntry(kind: .expense, amount: pound, date: Date()))
            _ = try await stores.journal.seal("an expense")
            times.append(start.duration(to: .now).milliseconds)
            try await Task.sleep(until: start + pace)
        }
        return times
    }
}

/// Set once, read from any thread.
private final class Signal: Sendable {
    private let state = Atomic(false)
    var isRaised: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
}
