import Domain
import Foundation
import StoreSQLite
import Testing

/// What every set of stores has to do, whatever it is made of.
enum StoreContract {
    static let date = Date(timeIntervalSince1970: 1_790_000_000)

    static func expense(_ minor: Int64, _ category: String? = nil, currency: String = "GBP", day: Double = 0)
        -> LedgerEntry
    {
        LedgerEntry(
            kind: .expense, amount: Money(minorUnits: minor, currency: currency), category: category,
            date: date.addingTimeInterval(day * 86_400))
    }

    static func ledger(_ store: any LedgerStore) async throws {
        #expect(try await store.last() == nil)
        #expect(try await store.balances().isEmpty)
        let wages = try await store.add(
            LedgerEntry(
                kind: .income, amount: Money(minorUnits: 100_000, currency: "GBP"), merchant: "Acme",
                note: "it's \"pay\"; DROP TABLE ledger_entry; --", date: date, timeUncertain: true))
        let diesel = try await store.add(expense(5_000, "diesel", day: -2))
        let lunch = try await store.add(expense(1_250, "food", currency: "EUR", day: 1))
        #expect(wages.id > 0 && diesel.id > wages.id && lunch.id > diesel.id)
        #expect(try await store.entry(id: diesel.id) == diesel)
        #expect(try await store.entry(id: 999) == nil)
        #expect(try await store.last() == lunch, "the last is the last logged")
        #expect(try await store.entries(limit: 10) == [lunch, wages, diesel], "newest first, by date")
        #expect(try await store.entries(limit: 1) == [lunch])
        #expect(try await store.entries(limit: 0).isEmpty)
        #expect(try await store.entries(limit: -1).isEmpty)
        #expect(
            try await store.balances() == [
                Money(minorUnits: -1_250, currency: "EUR"), Money(minorUnits: 95_000, currency: "GBP"),
            ])
        #expect(try await store.spent(category: "diesel", in: nil) == [Money(minorUnits: 5_000, currency: "GBP")])
        #expect(try await store.spent(category: "rent", in: nil).isEmpty)
        #expect(try await store.spent(category: nil, in: nil).count == 2)
        let day = DateInterval(start: diesel.date, duration: 86_400)
        #expect(try await store.spent(category: nil, in: day) == [Money(minorUnits: 5_000, currency: "GBP")])
        let before = DateInterval(start: diesel.date.addingTimeInterval(-86_400), end: diesel.date)
        #expect(try await store.spent(category: nil, in: before).isEmpty, "a period's end is not in it")
        let ever = DateInterval(start: .distantPast, end: .distantFuture)
        #expect(try await store.spent(category: nil, in: ever).count == 2)

        #expect(try await store.remove(id: lunch.id))
        #expect(try await store.remove(id: lunch.id) == false)
        #expect(try await store.last() == diesel)
        let fresh = try await store.add(expense(1, "food"))
        #expect(fresh.id > lunch.id, "a removed entry's number is not given to another")
        #expect(try await store.add(lunch) == lunch, "undo puts an entry back under its number")
        #expect(try await store.add(lunch).id > fresh.id, "a number in use is not given twice")
    }

    static func ledgerRefusals(_ store: any LedgerStore) async throws {
        let bad = [
            expense(0), expense(-5), expense(.min), expense(.max), expense(5, currency: "gbp"),
            expense(5, currency: "POUND"), expense(5, currency: ""), expense(5, day: 1e30),
            LedgerEntry(
                kind: .income, amount: Money(minorUnits: 1, currency: "GBP"), date: Date(timeIntervalSince1970: .nan)),
        ]
        for entry in bad {
            let error = await #expect(throws: StoreError.self) { try await store.add(entry) }
            #expect(error?.reason == .invalidValue, "\(entry)")
        }
        #expect(try await store.last() == nil)
    }

    static func manifest(_ store: any ManifestStore) async throws {
        let kit = try await store.add(
            Item(name: "first aid kit", unitGrams: 900, place: "cab", aliases: ["medical bag", "kit"]))
        let name = "bobby'); DROP TABLE item; --"
        let odd = try await store.add(Item(name: name, quantity: 0, aliases: ["\"", "%", "🩹"]))
        #expect(try await store.items() == [odd, kit], "by name")
        #expect(try await store.places() == ["cab"])

        var moved = kit
        moved.place = "locker"
        moved.quantity = 3
        moved.unitGrams = nil
        moved.aliases = ["kit"]
        #expect(try await store.update(moved))
        #expect(try await store.items() == [odd, moved])
        #expect(try await store.places() == ["cab", "locker"], "a place that was named stays")
        #expect(try await store.update(Item(id: 999, name: "ghost", place: "nowhere")) == false)
        #expect(try await store.places() == ["cab", "locker"])

        #expect(try await store.remove(id: kit.id))
        #expect(try await store.remove(id: kit.id) == false)
        #expect(try await store.add(moved) == moved, "undo puts an item back under its number")

        await #expect(throws: StoreError.self) {
            try await store.add(all: [Item(name: "rope"), Item(name: "bad", quantity: -1), Item(name: "tape")])
        }
        await #expect(throws: StoreError.self) {
            try await store.add(all: [Item(name: "rope", aliases: ["fine"]), Item(name: "x", aliases: [" "])])
        }
        #expect(try await store.items().count == 2, "all or none")
        try await store.add(all: [Item(name: "rope", aliases: ["cord"]), Item(name: "tape", place: "drawer")])
        #expect(try await store.items().map(\.name) == [name, "first aid kit", "rope", "tape"])
        await #expect(throws: StoreError.self) { try await store.update(Item(id: odd.id, name: "")) }
    }

    static func checklist(_ store: any ChecklistStore) async throws {
        let gas = try await store.add(ChecklistTask(list: "departure", text: "Close the gas"))
        let water = try await store.add(ChecklistTask(list: "arrival", text: "Fill the water"))
        let step = try await store.add(ChecklistTask(list: "departure", text: "Step in'; --"))
        #expect(try await store.lists() == ["departure", "arrival"])
        #expect(try await store.tasks(list: "departure") == [gas, step])
        #expect(try await store.tasks(list: nil) == [gas, step, water])
        #expect(try await store.tasks(list: "unknown").isEmpty)
        #expect(try await store.setDone(true, id: gas.id))
        #expect(try await store.tasks(list: "departure").map(\.isDone) == [true, false])
        #expect(try await store.setDone(false, id: gas.id))
        #expect(try await store.setDone(true, id: 999) == false)
        #expect(try await store.remove(id: gas.id))
        #expect(try await store.remove(id: gas.id) == false)
        #expect(try await store.add(gas) == gas)
        #expect(try await store.tasks(list: "departure") == [gas, step], "undo puts a task back in its place")
        await #expect(throws: StoreError.self) { try await store.add(ChecklistTask(list: "new", text: " ")) }
        #expect(try await store.lists() == ["departure", "arrival"], "a refused task makes no list")
        #expect(try await store.make(list: "winter"))
        #expect(try await store.make(list: "winter") == false)
        #expect(try await store.lists() == ["departure", "arrival", "winter"])
        #expect(try await store.remove(list: "departure"))
        #expect(try await store.remove(list: "departure") == false)
        #expect(try await store.tasks(list: nil) == [water], "its tasks go with a list")
        #expect(try await store.lists() == ["arrival", "winter"])
        await #expect(throws: StoreError.self) {
            try await store.add(all: [ChecklistTask(list: "new", text: " ")], making: ["other"])
        }
        #expect(try await store.lists() == ["arrival", "winter"], "all or none")
        try await store.add(all: [ChecklistTask(list: "new", text: "x")], making: ["empty", "winter", "new"])
        #expect(try await store.lists() == ["arrival", "winter", "empty", "new"])
    }

    static func trips(_ store: any TripStore) async throws {
        #expect(try await store.current() == nil)
        let spain = try await store.start(Trip(destination: "Spain", start: date))
        #expect(try await store.current() == spain)
        let error = await #expect(throws: StoreError.self) {
            try await store.start(Trip(destination: "France", start: date))
        }
        #expect(error?.description.contains("a trip to Spain is already under way") == true)
        let end = date.addingTimeInterval(86_400)
        #expect(try await store.setEnd(end, id: spain.id))
        #expect(try await store.current() == nil)
        let france = try await store.start(Trip(destination: "France", start: end))
        #expect(try await store.trips().map(\.destination) == ["France", "Spain"])
        await #expect(throws: StoreError.self) { try await store.setEnd(nil, id: spain.id) }
        #expect(try await store.remove(id: france.id))
        #expect(try await store.setEnd(nil, id: spain.id))
        #expect(try await store.current() == spain)
        #expect(try await store.setEnd(end, id: 999) == false)
        #expect(try await store.remove(id: 999) == false)
        let two = [Trip(destination: "Wales", start: date, end: end), Trip(destination: "Italy", start: date)]
        await #expect(throws: StoreError.self) { try await store.add(all: two) }
        #expect(try await store.trips().count == 1, "all or none: one is under way")
        try await store.add(all: [two[0]])
        #expect(try await store.trips().count == 2)
    }

    static func kept(_ store: any KeptValueStore) async throws {
        #expect(try await store.value("mode") == nil)
        try await store.set("mode", to: "camp")
        try await store.set("mode", to: "it's; --")
        #expect(try await store.value("mode") == "it's; --")
        try await store.set("mode", to: nil)
        try await store.set("mode", to: nil)
        #expect(try await store.value("mode") == nil)
    }
}
