@testable import Domain
@testable import Handlers
import Testing

/// What is found though it was said otherwise, and what is counted.
@Suite struct ManifestSearchTests {
    @Test(arguments: [
        ("aid kit first", "first aid kit"), ("torch head", "head torch"), ("cork screw", "corkscrew"),
        ("head torches", "head torch"), ("aid kit", "first aid kit"),
        ("tin openner", "tin opener"), ("twelve volt pump", "12 volt pump"), ("washing up bowl", "washing-up bowl"),
        ("pan", "frying pan"),
    ])
    func whatWasSaidOtherwise_isFound(said: String, name: String) async throws {
        let bench = try VanBench()
        for other in [
            "first aid kit", "head torch", "corkscrew", "tin opener", "12 volt pump", "washing-up bowl", "frying pan",
        ] { try await bench.item(other, in: "cab") }
        let found = try await ItemFinder(bench.context).search(said)
        #expect(try await bench.stores.manifest.items(ids: found.ids).map(\.name) == [name])
    }

    @Test(arguments: ["hammock", "eiffel tower", "kit kat", "", "🙂", "first first first aid"])
    func whatIsNotThere_isNotFound(said: String) async throws {
        let bench = try VanBench()
        try await bench.item("first aid kit", in: "cab")
        #expect(try await ItemFinder(bench.context).search(said).ids.isEmpty)
    }

    @Test func anUnknownThing_isSaidNotToBeThere() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("where is the hammock").text == "I have no hammock in the manifest.")
    }

    @Test func twoThingsOfOneName_areCountedTogether() async throws {
        let bench = try VanBench()
        try await bench.item("torch", in: "cab")
        try await bench.item("torch", quantity: 2, in: "garage")
        #expect(
            try await bench.say("how many torches do we have").text
                == "You have 3 torches: 1 in the cab and 2 in the garage.")
        #expect(
            try await bench.say("have we got a torch").text
                == "Yes, you have 3 torches: 1 in the cab and 2 in the garage.")
        #expect(try await bench.say("how many torches are in the garage").text == "You have 2 torches.")
    }

    @Test func allThings_thoseOfAPlace_andOfACategory_areCounted() async throws {
        let bench = try VanBench()
        let manifest = bench.stores.manifest
        _ = try await manifest.add(Item(name: "hammer", place: "garage", category: "tools"))
        _ = try await manifest.add(Item(name: "spanner", quantity: 4, place: "garage", category: "tools"))
        _ = try await manifest.add(Item(name: "kettle", place: "cab"))
        #expect(
            try await bench.say("how many things are there").text
                == "There are 3 different things aboard, 6 pieces in all.")
        #expect(
            try await bench.say("how many things are in the garage").text
                == "There are 2 different things in the garage, 5 pieces in all.")
        #expect(
            try await bench.say("how many tools do we have").text
                == "You have 2 different things under tools, 5 pieces in all.")
        #expect(try await bench.say("which tools have we got").text == "Under tools you have hammer and 4 spanners.")
        #expect(
            try await bench.say("how many things are in the roof box").text
                == "There's nothing like that in the roof box.")
    }

    @Test func notes_areTold_withThePlace() async throws {
        let bench = try VanBench()
        _ = try await bench.stores.manifest.add(Item(name: "tow rope", place: "garage", notes: "the hook is bent"))
        #expect(
            try await bench.say("where is the tow rope").text
                == "The tow rope is in the garage. Your note says: the hook is bent.")
    }
}
