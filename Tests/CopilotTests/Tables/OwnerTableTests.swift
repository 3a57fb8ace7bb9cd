@testable import Domain
@testable import TableExchange
@testable import Handlers
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// Items, lists and trips as CSV, into the stores and out of them.
@Suite struct OwnerTableTests {
    private let bench: VanBench
    private let talk: Talk
    private let tables: TypedTables
    private let store = TypedTables.Purpose.store { "\($0) imported" }

    init() async throws {
        bench = try VanBench()
        talk = try await Talk(bench, hears: .patient)
        tables = TypedTables(talk.conversation)
    }

    private func rows<Reader: TableReading>(_ reader: Reader) throws -> (rows: [Reader.Row], bad: [TableProblem]) {
        var reader = reader, rows: [Reader.Row] = [], bad: [TableProblem] = []
        while try reader.survey(2) {}
        while let (lot, problems) = reader.next(2) {
            rows += lot
            bad += problems
        }
        return (rows, bad)
    }

    private var context: HandlerContext { tables.context }

    private func items(_ text: String) throws -> (rows: [TableRow<Item>], bad: [TableProblem]) {
        try rows(ItemTableReader(Data(text.utf8), context))
    }

    private func lists(_ text: String) throws -> (rows: [TableRow<ChecklistTask>], bad: [TableProblem]) {
        try rows(
            ListTableReader(
                Data(text.utf8), TableOptions(words: context.books.tables, calendar: context.calendar)))
    }

    private func trips(_ text: String) throws -> (rows: [TableRow<TripTableRow>], bad: [TableProblem]) {
        try rows(
            TripTableReader(
                Data(text.utf8), TableOptions(words: context.books.tables, calendar: context.calendar)))
    }

    // MARK: items

    private static let odd = [
        Item(
            id: 3, name: "magic carpet", quantity: 2, unitGrams: 1_500, place: "roof; box", aliases: ["rug", "a;b\\c"]),
        Item(
            id: 5, name: "=cmd|' /c'!a0", quantity: 0, unitGrams: 1, category: "@tools",
            notes: "says \"no\",\n2 lines; +1"),
        Item(
            id: 9, name: "tent", quantity: 1, unitGrams: 5_000_000, place: "-1", aliases: ["'tis", "+44"],
            notes: "ü £ 🚐"),
        Item(id: 10, name: "tent", quantity: 1),
    ]

    @Test func itemsThatAreExported_areTheSameWhenImported_andPassedOverThen() async throws {
        try await bench.stores.manifest.add(all: Self.odd)
        let stored = try await bench.stores.manifest.items().sorted { $0.id < $1.id }
        #expect(stored == Self.odd)
        let text = ItemTable.header(context.books.tables) + stored.map(ItemTable.line).joined()
        for cell in ["'=cmd", "'@tools", "'-1"] { #expect(text.contains(cell)) }
        let (rows, bad) = try items(text)
        #expect(bad.isEmpty && rows.map(\.value) == stored, "\(text) \(bad)")
        let again = try await tables.take(rows, store)
        #expect(again.present == rows.map(\.line) && again.added == 0 && again.problems.isEmpty)

        for item in stored { _ = try await bench.stores.manifest.remove(id: item.id) }
        _ = try await bench.stores.journal.seal("before")
        #expect(try await tables.take(rows, .look).added == 4)
        #expect(try await bench.stores.manifest.items().isEmpty, "a look changes nothing")
        #expect(try await tables.take(rows, store).added == 4)
        #expect(try await bench.stores.manifest.items().sorted { $0.id < $1.id } == stored)
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await bench.stores.manifest.items().isEmpty, "one undo takes all of it back")
    }

    @Test func itemsAsPeopleWriteThem_areRead() async throws {
        let text = """
            sep=;
            Item;Other names;How many;Weight;Where;Colour
            The  Tow Rope;cord; Rope, long;2;1,5 kg;Garage;red
            """.replacing("cord; Rope, long", with: "\"cord; Rope, long\"")
        let (rows, bad) = try items(text + "\ntin of beans;;12;400 g;;\n;;;;;\nspare bulb;;;0,02;garage;\n")
        #expect(bad.isEmpty, "\(bad)")
        #expect(
            rows.map(\.value) == [
                Item(
                    name: "tow rope", quantity: 2, unitGrams: 1_500, place: "Garage", aliases: ["cord", "rope, long"]),
                Item(name: "tin of beans", quantity: 12, unitGrams: 400),
                Item(name: "spare bulb", unitGrams: 20, place: "garage"),
            ])
        try await bench.item("torch", in: "garage")
        _ = try await tables.take(rows, store)
        let places = try await bench.stores.manifest.items().compactMap(\.place)
        #expect(Set(places) == ["garage"], "a known place keeps its name")
        #expect(await talk.conversation.say("where is the cord").reply.contains("garage"), "it can be said at once")
    }

    /// A thousandfold weight would go unnoticed.
    @Test(arguments: [
        ("name;weight\ntorch;0,350\nlamp;1,250\n", [350, 1_250]),
        ("name\tweight\ntorch\t0.350\nlamp\t1,250\n", [350, 1_250_000]),
        ("name;weight\nlamp;1,250\n", [1_250]), ("name,weight\nlamp,\"1,250\"\nrope,1.250\n", [1_250_000, 1_250]),
        ("name\tweight\nlamp\t1,250\nrope\t1,2340\n", [1_250, 1_234]),
        ("name\tweight\nlamp\t1,250\nrope\t2,5\n", [1_250, 2_500]),
        ("name\tweight\nlamp\t1.250 kg\n", [1_250]),
    ])
    func weight_isReadByTheOtherNumbersOfTheFile_elseByItsSeparator(text: String, grams: [Int]) throws {
        let (rows, bad) = try items(text)
        #expect(bad.isEmpty && rows.compactMap(\.value.unitGrams) == grams, "\(bad)")
    }

    @Test(arguments: ["name\tweight\nlamp\t1,250\n", "name;weight\nlamp;1.250\n", "name;weight\nlamp;1,250 g\n"])
    func weightThatCanBeReadEitherWay_isRefused_withHowToWriteIt(text: String) throws {
        let (rows, bad) = try items(text)
        #expect(rows.isEmpty && bad.map { "\($0.line) \($0.column)" } == ["2 weight"], "\(bad)")
        #expect(bad.first?.expected.contains("1250") == true, "\(bad)")
    }

    @Test func weightInAnotherUnit_isNoWeightInKilograms() throws {
        let (rows, bad) = try items("name,weight (lbs)\nlamp,2.5\n")
        #expect(bad.isEmpty && rows.map(\.value.unitGrams) == [nil])
    }

    @Test func badItems_areNamedWithLineAndColumn() throws {
        let text = "no,name,quantity,weight,notes\n1,rope,two,1,\n,,1,1,\nx,tape,1.5,9000,\n2,jack,100001,heavy,\n"
        let (rows, bad) = try items(text + "\"3\",saw,1,-1,\n")
        #expect(rows.isEmpty)
        #expect(
            bad.map { "\($0.line) \($0.column): \($0.found)" } == [
                "2 quantity: two", "3 name: ", "4 no: x", "4 quantity: 1.5", "4 weight: 9000", "5 quantity: 100001",
                "5 weight: heavy", "6 weight: -1",
            ])
        #expect(throws: TableRefusal.self) { try items("colour,place\nred,x\n") }
    }

    @Test func itemsThatSayOtherwise_areRefused_andNothingIsStored() async throws {
        try await bench.stores.manifest.add(all: [Item(id: 4, name: "rope", quantity: 1, place: "garage")])
        let text =
            "no,name,quantity,place\n4,tape,1,cab\n,Rope,2,Garage\n,rope,1,garage\n,saw,1,cab\n,saw,2,cab\n7,a,1,\n7,b,1,\n"
        let (rows, bad) = try items(text)
        #expect(bad.isEmpty)
        let outcome = try await tables.take(rows, store)
        #expect(
            outcome.problems.map { "\($0.line) \($0.column): \($0.found)" } == [
                "2 no: 4", "3 name: rope", "6 name: saw", "8 no: 7",
            ])
        #expect(outcome.present == [4])
        #expect(try await bench.stores.manifest.items().count == 1)
    }

    // MARK: lists

    @Test func listsThatAreExported_areTheSameWhenImported() async throws {
        let checklist = bench.stores.checklist
        _ = try await checklist.make(list: "empty one")
        try await checklist.add(all: [
            ChecklistTask(list: "shopping", text: "=milk; \"oat\", 2", isDone: true),
            ChecklistTask(list: "shopping", text: "bread"), ChecklistTask(list: "shopping", text: "bread"),
            ChecklistTask(list: "departure", text: "Close the gas"),
        ])
        func all() async throws -> [String] {
            try await TypedLists(talk.conversation).all().flatMap { list in
                ["# \(list.name)"] + list.tasks.map { "\($0.text) \($0.isDone)" }
            }
        }
        let before = try await all()
        let text =
            ListTable.header(context.books.tables)
            + (try await TypedLists(talk.conversation).all().flatMap {
                ListTable.lines($0.name, $0.tasks, context.books.tables)
            }).joined()
        let (rows, bad) = try lists(text)
        #expect(bad.isEmpty && rows.count == 5, "\(text) \(bad)")
        #expect(try await tables.take(rows, store).present.count == 5)
        for list in try await checklist.lists() { _ = try await checklist.remove(list: list) }
        _ = try await bench.stores.journal.seal("before")
        #expect(try await tables.take(rows, store).added == 5)
        #expect(try await all() == before)
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await checklist.lists().isEmpty)
    }

    @Test func aTaskThatIsThere_keepsItsTick_andThatIsSaid() async throws {
        try await bench.stores.checklist.add(all: [ChecklistTask(list: "shopping", text: "bread", isDone: true)])
        let (rows, bad) = try lists("Task,List\nBread,Shopping\ntea, shopping\n")
        #expect(bad.isEmpty)
        let outcome = try await tables.take(rows, store)
        #expect(outcome.present == [2] && outcome.added == 1 && outcome.notes.count == 1)
        let tasks = try await bench.stores.checklist.tasks(list: "shopping")
        #expect(tasks.map(\.text) == ["bread", "tea"] && tasks.map(\.isDone) == [true, false])
        let wrong = try lists("list,task,done\n,bread,\nshopping,tea,maybe\n")
        #expect(wrong.bad.map { "\($0.line) \($0.column)" } == ["2 list", "3 done"])
    }

    // MARK: trips

    private func moment(_ text: String) throws -> Date { try #require(try? Date(text, strategy: .iso8601)) }

    @Test func tripsThatAreExported_areTheSameWhenImported() async throws {
        let trips = bench.stores.trips
        try await trips.add(all: [
            Trip(
                id: 2, destination: "-Wales, \"north\"", start: try moment("2026-05-01T08:00:00Z"),
                end: try moment("2026-05-03T17:30:00Z")),
            Trip(id: 6, destination: "France", start: try moment("2026-10-25T01:30:00Z")),
        ])
        let before = try await trips.trips()
        var writer = TripTable(words: context.books.tables, calendar: context.calendar, isMiles: false)
        var text = writer.header
        for facts in try await TypedTrips(talk.conversation).all(limit: .max) { text += writer.line(facts) }
        #expect(text.hasPrefix("no,destination,start,end,nights,km,spent\r\n") && text.contains("\"'-Wales"))
        let (rows, bad) = try self.trips(text)
        #expect(bad.isEmpty && rows.count == 2, "\(text) \(bad)")
        #expect(try await tables.take(rows, store).present == [2, 3])
        for trip in before { _ = try await trips.remove(id: trip.id) }
        _ = try await bench.stores.journal.seal("before")
        #expect(try await tables.take(rows, store).added == 2)
        #expect(try await trips.trips() == before)
        #expect(await talk.conversation.undo().outcome == .done)
        #expect(try await trips.trips().isEmpty)
    }

    @Test func tripThatBeginsInTheFuture_isABadLine() throws {
        let text = "destination,start\nWales,2026-11-22\nFrance,2126-02-01\n"
        let (rows, bad) = try self.rows(TripTableReader(Data(text.utf8), context, monthFirst: nil))
        #expect(rows.map(\.value.trip.destination) == ["Wales"])
        #expect(bad.map { "\($0.line) \($0.column): \($0.found)" } == ["3 start: 2126-02-01"])
        #expect(bad.first?.expected.contains("is in the future") == true)
    }

    @Test func tripsOfWholeDays_areTakenWithTheirLastDay_andRecognised() async throws {
        let (rows, bad) = try trips("destination;from;until\nWales;1/5/2026;3/5/2026\nFrance;2026-10-20;\n")
        #expect(bad.isEmpty, "\(bad)")
        #expect(try await tables.take(rows, store).added == 2)
        #expect(try await tables.take(rows, store).present == [2, 3])
        let wales = try #require(try await bench.stores.trips.trips().last), end = try #require(wales.end)
        let last = context.calendar.dateComponents([.day, .hour, .minute], from: end)
        #expect([last.day, last.hour, last.minute] == [3, 23, 59])
        #expect(Nights.count(of: wales, context.environment) == 2)
        let other = try trips("destination,start,end\nSpain,2026-11-01,\nItaly,2026-11-02,2026-11-01\nx,,\n")
        #expect(other.bad.map { "\($0.line) \($0.column)" } == ["3 end", "4 start"])
        let refused = try await tables.take(other.rows, store)
        #expect(refused.problems.map { "\($0.line) \($0.column)" } == ["2 end"], "one trip is under way")
        #expect(refused.problems.first?.expected.contains("France") == true)
        #expect(try await bench.stores.trips.trips().count == 2)
    }
}
