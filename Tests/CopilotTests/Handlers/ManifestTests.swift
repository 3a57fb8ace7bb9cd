import Foundation
import Testing

/// What is aboard, and where.
@Suite struct ManifestTests {
    @Test func anItem_isFound_withItsArticleAndNumber() async throws {
        let bench = try VanBench()
        try await bench.item("first aid kit", in: "overhead locker")
        try await bench.item("matches", in: "kitchen drawer")
        #expect(
            try await bench.say("where is the first aid kit").text == "The first aid kit is in the overhead locker.")
        #expect(try await bench.say("where are the matches").text == "The matches are in the kitchen drawer.")
        #expect(try await bench.say("where is the first aid kit").palette == .manifest)
    }

    @Test(arguments: ["where are the head torches", "find my head torch", "where is the lamp"])
    func pluralsAndAliases_findTheItem(text: String) async throws {
        let bench = try VanBench()
        try await bench.item("head torch", in: "cab", aliases: ["lamp"])
        #expect(try await bench.say(text).text == "The head torch is in the cab.")
    }

    @Test(arguments: ["where is the spear wheel", "where is the wheel spare", "where are the spare weels"])
    func aNearMiss_andAnotherOrder_findTheItem(text: String) async throws {
        let bench = try VanBench()
        try await bench.item("spare wheel", in: "boot")
        try await bench.item("tow rope", in: "garage")
        #expect(try await bench.say(text).text == "The spare wheel is in the boot.")
    }

    @Test func whatIsNotAboard_isSaidSo() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("where is the flux capacitor").text == "I have no flux capacitor in the manifest.")
        #expect(try await bench.say("have I got any bagpipes aboard").text == "I have no bagpipes in the manifest.")
    }

    @Test func anItemWithoutAPlace_andOneUsedUp_areToldApart() async throws {
        let bench = try VanBench()
        try await bench.item("kettle")
        try await bench.item("duct tape", quantity: 0, in: "garage")
        #expect(try await bench.say("where is the kettle").text == "The kettle is aboard, but I don't know where.")
        #expect(try await bench.say("where is the duct tape").text == "You have no duct tape left.")
        #expect(try await bench.say("have I got a kettle").text == "Yes, you have 1 kettle.")
    }

    @Test func anItemThatExistsTwice_isAskedFor() async throws {
        let bench = try VanBench()
        try await bench.item("torch", in: "cab")
        try await bench.item("torch", in: "garage")
        let reply = try await bench.say("where is the torch")
        #expect(reply.text == "Which one: torch in the cab or torch in the garage?")
        guard case .choice(let slot, let names, _) = reply.question else {
            Issue.record("\(String(describing: reply.question))")
            return
        }
        #expect(slot == "item")
        #expect(names.count == 2)
    }

    @Test func aPlace_isListed_withQuantities_andCutShort() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("what's in the garage").text == "There's nothing noted for the garage.")
        try await bench.item("chair", quantity: 4, in: "garage")
        try await bench.item("hammer", in: "garage")
        try await bench.item("rope", quantity: 0, in: "garage")
        #expect(try await bench.say("what's in the garage").text == "The garage holds 4 chairs and hammer.")
        for name in ["anvil", "bucket", "drill", "elastic", "file", "glue"] { try await bench.item(name, in: "garage") }
        #expect(try await bench.say("what's in the garage").text.hasSuffix("and 2 more."))
    }

    @Test func addingToWhatIsThere_countsUp() async throws {
        let bench = try VanBench()
        try await bench.item("head torch", in: "garage")
        let reply = try await bench.say("add two head torches to the garage")
        #expect(reply.text == "You now have 3 head torches.")
        #expect(try await bench.stores.manifest.items().map(\.quantity) == [3])
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.manifest.items().map(\.quantity) == [1])
    }

    @Test func addingTheSameElsewhere_leavesTheFirstWhereItIs() async throws {
        let bench = try VanBench()
        try await bench.item("head torch", in: "cab")
        let reply = try await bench.say("add two head torches to the garage")
        #expect(reply.text == "Added 2 head torches to the garage.")
        let items = try await bench.stores.manifest.items()
        #expect(Set(items.map { "\($0.quantity) in \($0.place ?? "")" }) == ["1 in cab", "2 in garage"])
    }

    @Test func addingToOneOfTwo_takesTheOneInThatPlace() async throws {
        let bench = try VanBench()
        try await bench.item("torch", in: "cab")
        try await bench.item("torch", in: "garage")
        #expect(try await bench.say("add two torches to the garage").question == nil)
        let items = try await bench.stores.manifest.items()
        #expect(Set(items.map { "\($0.quantity) in \($0.place ?? "")" }) == ["1 in cab", "3 in garage"])
    }

    @Test func aNewThing_isAdded_andItsUndoRemovesIt() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("add a frisbee to the roof box")
        #expect(reply.text == "Added 1 frisbee to the roof box.")
        #expect(reply.changesNames)
        #expect(try await bench.stores.manifest.items().map(\.name) == ["frisbee"])
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.manifest.items().isEmpty)
    }

    @Test func aNewPlace_isNamedWithTheThing() async throws {
        let bench = try VanBench()
        try await bench.item("matches", in: "cab")
        #expect(
            try await bench.say("move the matches to the tea caddy").text == "The matches are now in the tea caddy.")
        #expect(try await bench.stores.manifest.places().contains("tea caddy"))
        #expect(try await bench.say("what's in the tea caddy").text == "The tea caddy holds matches.")
    }

    @Test(arguments: ["zero", "half", "nine hundred million"])
    func aQuantityThatIsNone_isRefused(number: String) async throws {
        let bench = try VanBench()
        #expect(try await bench.say("add \(number) eggs to the garage").text == "I can't use that as a quantity.")
        #expect(try await bench.stores.manifest.items().isEmpty)
    }

    @Test func moving_canBeUndone_andMovingToTheSamePlaceSaysSo() async throws {
        let bench = try VanBench()
        try await bench.item("tow rope", in: "cab")
        let reply = try await bench.say("move the tow rope to the garage")
        #expect(reply.text == "The tow rope is now in the garage.")
        #expect(try await bench.say("move the tow rope to the garage").text == "The tow rope is already in the garage.")
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.manifest.items().first?.place == "cab")
    }

    @Test func removing_canBeUndone() async throws {
        let bench = try VanBench()
        try await bench.item("kettle", quantity: 2, in: "cab", aliases: ["pot"])
        let reply = try await bench.say("remove the kettle")
        #expect(reply.text == "Removed the kettle from the manifest.")
        #expect(try await bench.stores.manifest.items().isEmpty)
        #expect(try await bench.undo(reply) == true)
        let item = try await bench.stores.manifest.items().first
        #expect(item?.quantity == 2)
        #expect(item?.aliases == ["pot"])
    }

    @Test func counting_saysHowMany() async throws {
        let bench = try VanBench()
        try await bench.item("gas bottle", quantity: 2)
        #expect(try await bench.say("how many gas bottles are left").text == "You have 2 gas bottles.")
    }

    @Test func aPlaceThatSaysWhere_needsNoIn() async throws {
        let bench = try VanBench()
        try await bench.item("duvet", in: "under the bed")
        #expect(try await bench.say("where is the duvet").text == "The duvet is under the bed.")
        #expect(try await bench.say("have I got a duvet").text == "Yes, the duvet is under the bed.")
        #expect(try await bench.say("what's under the bed").text == "Under the bed you have duvet.")
    }
}
