@testable import Domain
import Testing

/// Quantities, and removing and moving some or all.
@Suite struct ManifestChangeTests {
    @Test func aQuantity_isSet_andItsUndoRestoresIt() async throws {
        let bench = try VanBench()
        try await bench.item("tin of beans", quantity: 3, in: "cab")
        let reply = try await bench.say("we've got six tins of beans now")
        #expect(reply.text == "You now have 6 tins of beans.")
        #expect(try await bench.say("we've got six tins of beans now").text == "That's what I have: 6 tins of beans.")
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.manifest.items().map(\.quantity) == [3])
    }

    @Test(arguments: ["set the number of eggs to half", "set the number of eggs to nine hundred million"])
    func aQuantityThatIsNone_isRefused(text: String) async throws {
        let bench = try VanBench()
        try await bench.item("egg", quantity: 3)
        let reply = try await bench.say(text)
        #expect(reply.text == "I can't use that as a quantity.")
        #expect(reply.outcome == .failed)
        #expect(try await bench.stores.manifest.items().map(\.quantity) == [3])
    }

    @Test func whatIsUsed_isTakenOff_andTheEntryStaysWhenNoneIsLeft() async throws {
        let bench = try VanBench()
        try await bench.item("gas cartridge", quantity: 5)
        #expect(
            try await bench.say("we've used two of the gas cartridges").text == "You have 3 gas cartridges left.")
        #expect(try await bench.say("we've used four gas cartridges").text == "You only have 3 gas cartridges.")
        let reply = try await bench.say("we've used up the gas cartridges")
        #expect(reply.text == "Noted: no gas cartridge left.")
        #expect(try await bench.say("where are the gas cartridges").text == "You have no gas cartridge left.")
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.manifest.items().map(\.quantity) == [3])
    }

    @Test func removingAsManyAsThereAre_removesTheEntry() async throws {
        let bench = try VanBench()
        try await bench.item("tent peg", quantity: 2, in: "garage")
        #expect(try await bench.say("remove two tent pegs from the garage").text.hasPrefix("Removed"))
        #expect(try await bench.stores.manifest.items().isEmpty)
    }

    @Test func aFullPlace_isEmptiedOnlyAfterAYes_andComesBackWithItsAliases() async throws {
        let bench = try VanBench()
        try await bench.item("rope", in: "garage", aliases: ["line"])
        try await bench.item("hammer", in: "garage")
        try await bench.item("kettle", in: "cab")
        let reply = try await bench.say("remove everything from the garage")
        #expect(reply.text == "2 things are noted for the garage. Shall I remove them all?")
        #expect(try await bench.stores.manifest.items().count == 3)
        guard case .confirmation(let command, _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
        let done = try await bench.act(command.confirmed)
        #expect(done.text == "Removed everything from the garage.")
        #expect(try await bench.stores.manifest.items().map(\.name) == ["kettle"])
        #expect(try await bench.undo(done))
        let items = try await bench.stores.manifest.items()
        #expect(items.map(\.name) == ["hammer", "kettle", "rope"])
        #expect(items.last?.aliases == ["line"])
    }

    @Test func aNearMiss_isAskedBack_beforeAnythingIsRemoved() async throws {
        let bench = try VanBench()
        try await bench.item("first aid kit")
        let reply = try await bench.act(
            Command(handler: "manifest", intent: "remove_item", slots: ["thing": SlotValue(text: "the aid kit")]))
        #expect(reply.text == "Do you mean the first aid kit?")
        #expect(try await bench.stores.manifest.items().count == 1)
        guard case .confirmation(let command, _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
        #expect(try await bench.act(command.confirmed).text == "Removed the first aid kit from the manifest.")
    }

    @Test func some_areMoved_andJoinThoseThatAreThere() async throws {
        let bench = try VanBench()
        try await bench.item("torch", quantity: 5, in: "cab")
        let reply = try await bench.say("move two torches to the garage")
        #expect(reply.text == "Moved 2 torches to the garage.")
        func places() async throws -> [String] {
            try await bench.stores.manifest.items().map { "\($0.quantity) in \($0.place ?? "")" }.sorted()
        }
        #expect(try await places() == ["2 in garage", "3 in cab"])
        _ = try await bench.say("move one torch from the cab to the garage")
        #expect(try await places() == ["2 in cab", "3 in garage"])
        #expect(try await bench.undo(reply))
    }

    @Test func everythingInAPlace_isMoved_andMovedBack() async throws {
        let bench = try VanBench()
        try await bench.item("rope", in: "cab")
        try await bench.item("hammer", in: "cab")
        let reply = try await bench.say("move everything from the cab to the garage")
        #expect(reply.text == "Moved 2 things from the cab to the garage.")
        #expect(try await bench.stores.manifest.items().allSatisfy { $0.place == "garage" })
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.manifest.items().allSatisfy { $0.place == "cab" })
    }

    @Test func twoThings_areMovedTogether_orNotAtAll() async throws {
        let bench = try VanBench()
        try await bench.item("kettle", in: "cab")
        try await bench.item("teapot", in: "cab")
        let reply = try await bench.say("move the kettle and the teapot to the garage")
        #expect(reply.text == "The kettle and the teapot are now in the garage.")
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.manifest.items().allSatisfy { $0.place == "cab" })
        let items = try await bench.stores.manifest.items()
        #expect(try await bench.stores.manifest.change([items[0], Item(id: 99, name: "ghost")], removing: []) == false)
        #expect(try await bench.stores.manifest.items() == items)
    }

    @Test func sqlAndEmoji_areNamesLikeAnyOther() async throws {
        let bench = try VanBench()
        let name = "bobby'); drop table item; -- 🩹"
        let reply = try await bench.act(
            Command(handler: "manifest", intent: "add_item", slots: ["thing": SlotValue(text: name)]))
        #expect(try await bench.stores.manifest.items().map(\.name) == [name])
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.manifest.items().isEmpty)
    }
}
