import Domain
import ArgumentParser
import Foundation
import Logging
import StoreSQLite

/// Measures the store's calls on a database of ten years.
struct BenchStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-store", abstract: "Measure every call of the store on ten years of data.",
        discussion: """
            Fills a database of 100,000 ledger entries, 10,000 items, 2,000 tasks and 300 trips in a temporary folder \
            and times each call. Build with -c release first. Reads should stay below 20 ms at the median on a desk, \
            so that a board answers in a tenth of a second; what is above is marked.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Option(help: "How often each call is made.")
    var runs = 200
    @Option(help: "The folder for the database, on the disk to measure.")
    var folder = NSTemporaryDirectory()

    private struct Call {
        let name: String
        let limit: Double
        let body: @Sendable (Int) async throws -> Void
    }

    func run() async throws {
        guard runs > 0 else { throw ValidationError("--runs: at least 1 is expected") }
        let work = "\(folder)/vanorb-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let path = "\(work)/vanorb.sqlite", now = Date()
        let logger = Logger(label: "vanorb-lab")
        let filled = try SQLiteStore.open(path: path, logger: logger)
        try await filled.fill(.tenYears, now: now)
        try filled.close()

        var figures: [Figure] = []
        let opening = ContinuousClock.now
        let store = try SQLiteStore.open(path: path, logger: logger)
        figures.append(Figure(name: "open", value: Self.since(opening), unit: "ms", limit: 200))
        let checking = ContinuousClock.now
        try await store.checkIntegrity()
        figures.append(Figure(name: "check the whole file", value: Self.since(checking), unit: "ms", limit: nil))
        let copying = ContinuousClock.now
        let backup = try await BackupFolder(path: "\(work)/backups").make(of: store, now: now)
        figures.append(
            Figure(
                name: "verified backup of \(backup.bytes / 1_000_000) MB", value: Self.since(copying), unit: "ms",
                limit: nil))
        for call in Self.reads(store.stores, now) + Self.writes(store.stores, now) {
            var times: [Double] = []
            for run in 0..<runs {
                let start = ContinuousClock.now
                try await call.body(run)
                times.append(Self.since(start))
            }
            figures.append(
                Figure(name: "\(call.name), p50", value: times.percentile(0.5), unit: "ms", limit: call.limit))
            figures.append(Figure(name: "\(call.name), p99", value: times.percentile(0.99), unit: "ms", limit: nil))
        }
        try store.close()
        try Figure.print(figures, json: json)
    }

    private static func since(_ start: ContinuousClock.Instant) -> Double {
        start.duration(to: .now).milliseconds
    }

    private static func reads(_ stores: Stores, _ now: Date) -> [Call] {
        let ledger = stores.ledger, manifest = stores.manifest
        func read(_ name: String, _ body: @escaping @Sendable () async throws -> Void) -> Call {
            Call(name: name, limit: 20) { _ in try await body() }
        }
        let month = DateInterval(start: now.addingTimeInterval(-30 * 86_400), end: now)
        return [
            read("ledger.last") { _ = try await ledger.last() },
            read("ledger.entries, 20 newest") { _ = try await ledger.entries(limit: 20) },
            read("ledger.entries, a category's month") {
                _ = try await ledger.entries(
                    LedgerQuery(kind: .expense, category: "fuel", period: month), limit: 100)
            },
            read("ledger.entries, a merchant") {
                _ = try await ledger.entries(LedgerQuery(merchant: "Merchant 7"), limit: 20)
            },
            read("ledger.totals, a month") {
                _ = try await ledger.totals(LedgerQuery(kind: .expense, period: month))
            },
            read("ledger.totals, a category ever") {
                _ = try await ledger.totals(LedgerQuery(kind: .expense, category: "fuel"))
            },
            read("ledger.totals, a merchant ever") {
                _ = try await ledger.totals(LedgerQuery(kind: .expense, merchant: "merchant 7"))
            },
            read("ledger.totals, all expenses ever") { _ = try await ledger.totals(LedgerQuery(kind: .expense)) },
            read("ledger.firstDate") { _ = try await ledger.firstDate() },
            read("ledger.balances") { _ = try await ledger.balances() },
            read("ledger.spent, a month") { _ = try await ledger.spent(category: "fuel", in: month) },
            read("manifest.items") { _ = try await manifest.items() },
            read("manifest.places") { _ = try await manifest.places() },
            read("checklist.lists") { _ = try await stores.checklist.lists() },
            read("checklist.tasks, a list") { _ = try await stores.checklist.tasks(list: "list 7") },
            read("checklist.tasks, all") { _ = try await stores.checklist.tasks(list: nil) },
            read("trips.current") { _ = try await stores.trips.current() },
            read("trips.trips") { _ = try await stores.trips.trips() },
            read("kept.value") { _ = try await stores.kept.value("mode") },
            read("journal.changes") { _ = try await stores.journal.changes(limit: 1) },
            read("times.uncertain") { _ = try await stores.times.uncertain() },
        ]
    }

    private static func writes(_ stores: Stores, _ now: Date) -> [Call] {
        let pound = Money(minorUnits: 100, currency: "GBP")
        return [
            Call(name: "ledger.add", limit: 5) { _ in
                _ = try await stores.ledger.add(LedgerEntry(kind: .expense, amount: pound, date: now))
            },
            Call(name: "ledger.add, journal.seal", limit: 5) { _ in
                _ = try await stores.ledger.add(LedgerEntry(kind: .expense, amount: pound, date: now))
                _ = try await stores.journal.seal("an expense")
            },
            Call(name: "manifest.add, journal.seal", limit: 5) { run in
                _ = try await stores.manifest.add(Item(name: "new thing \(run)", place: "locker 1", aliases: ["it"]))
                _ = try await stores.journal.seal("a thing")
            },
            Call(name: "journal.revert", limit: 5) { _ in
                _ = try await stores.ledger.add(LedgerEntry(kind: .expense, amount: pound, date: now))
                if let change = try await stores.journal.seal("an expense") {
                    _ = try await stores.journal.revert(change)
                }
            },
            Call(name: "kept.set", limit: 5) { run in try await stores.kept.set("mode", to: "mode \(run)") },
        ]
    }
}
