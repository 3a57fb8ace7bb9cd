@testable import Domain
@testable import Handlers
import Testing

/// Ten thousand items and two thousand tasks.
@Suite struct ManifestSizeTests {
    @Test func aFullVan_isAnsweredFor_withoutReadingItAll() async throws {
        let bench = try VanBench(), manifest = bench.stores.manifest
        let kinds = ["cable", "rope", "tin", "jacket", "cup", "lamp", "spanner", "peg", "bag", "hose"]
        let colours = ["red", "blue", "green", "long", "short", "old", "new", "heavy", "light", "small"]
        try await manifest.add(
            all: (0..<10_000).map { number in
                Item(
                    name: "\(colours[number / 10 % 10]) \(kinds[number % 10]) \(number / 100)",
                    unitGrams: number % 7 == 0 ? nil : 100, place: "box \(number % 40)", aliases: ["thing \(number)"],
                    category: number % 2 == 0 ? "tools" : nil)
            })
        try await manifest.add(all: [Item(name: "spare wheel", place: "garage")])
        let clock = ContinuousClock()
        var times: [String: Duration] = [:]
        times["totals"] = try await clock.measure { _ = try await manifest.totals(ItemQuery()) }
        times["totals of a place"] = try await clock.measure {
            _ = try await manifest.totals(ItemQuery(place: "box 7"))
        }
        times["a page of a category"] = try await clock.measure {
            _ = try await manifest.items(ItemQuery(category: "tools"), limit: 6)
        }
        times["by number"] = try await clock.measure { _ = try await manifest.items(ids: [1, 500, 9_999]) }
        times["names"] = try await clock.measure { _ = try await manifest.itemNames() }
        times["search"] = try await clock.measure { _ = try await ItemFinder(bench.context).search("wheel spear") }
        try await bench.stores.checklist.add(
            all: (0..<2_000).map { ChecklistTask(list: "list \($0 % 5)", text: "Task \($0)") })
        times["tasks"] = try await clock.measure { _ = try await bench.stores.checklist.tasks(list: nil) }
        print("a full van:", times.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))

        #expect(try await manifest.totals(ItemQuery()).unweighed == 1_430)
        #expect(try await manifest.totals(ItemQuery(place: "box 7")).items == 250)
        #expect(try await manifest.items(ItemQuery(category: "tools"), limit: 6).count == 6)
        let found = try await ItemFinder(bench.context).search("wheel spear")
        #expect(try await manifest.items(ids: found.ids).map(\.name) == ["spare wheel"])
        #expect(found.isCertain == false)
    }
}
