import Domain
import Dialogue
import ArgumentParser
import Foundation
import Logging
import StoreSQLite

/// Fills an empty data folder with a demonstration van.
struct Seed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fill an empty data folder with a demonstration van.",
        discussion: "Items come from a CSV file (name,place,quantity,unit_grams); the ledger gets a month of entries.")

    @Option(help: "The data folder (the setting paths.data).")
    var data: String
    @Option(help: "The items.")
    var items: String
    @Option(help: "At most this many items.")
    var count = 200

    func run() async throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let store = try SQLiteStore.open(path: data + "/vanorb.sqlite", logger: Logger(label: "vanorb-lab"))
        guard try await store.stores.manifest.items().isEmpty else {
            throw ValidationError("\(data) holds items already; only an empty folder is filled")
        }
        let items = try Self.items(file: items).prefix(count)
        try await store.stores.manifest.add(all: Array(items))
        let entries = Self.ledger(now: Date())
        for entry in entries { _ = try await store.stores.ledger.add(entry) }
        for (list, task) in [
            ("departure", "Close the roof vent"), ("departure", "Lock the bike rack"), ("arrival", "Turn on the gas"),
        ] {
            _ = try await store.stores.checklist.add(ChecklistTask(list: list, text: task))
        }
        // A demonstration must work at the first press, without the introduction.
        try await store.stores.kept.set(Conversation.introduced, to: "true")
        // These changes are not the owner's, so they cannot be undone.
        try await store.forgetChanges()
        try store.close()
        print("\(items.count) items and \(entries.count) ledger entries in \(data)")
    }

    private static func items(file: String) throws -> [Item] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return try text.split(whereSeparator: \.isNewline).enumerated().dropFirst().map { index, line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, let quantity = Int(fields[2]), let grams = Int(fields[3]) else {
                throw ValidationError("\(file):\(index + 1): expected name,place,quantity,unit_grams")
            }
            return Item(name: fields[0], quantity: quantity, unitGrams: grams, place: fields[1])
        }
    }

    private static func ledger(now: Date) -> [LedgerEntry] {
        func day(_ back: Int) -> Date { now.addingTimeInterval(-86_400 * Double(back)) }
        func pounds(_ amount: Int64) -> Money { Money(minorUnits: amount, currency: "GBP") }
        return [
            LedgerEntry(kind: .income, amount: pounds(180_000), category: "wages", date: day(29)),
            LedgerEntry(kind: .expense, amount: pounds(7_250), category: "fuel", note: "Diesel", date: day(21)),
            LedgerEntry(kind: .expense, amount: pounds(4_618), category: "groceries", note: "Groceries", date: day(14)),
            LedgerEntry(kind: .expense, amount: pounds(3_200), category: "camping", note: "Campsite", date: day(6)),
        ]
    }
}
