@testable import Domain
@testable import Handlers
import Testing

/// What things weigh, what the van weighs, and what may still come aboard.
@Suite struct ManifestWeightTests {
    @Test(arguments: [
        ("the tool box weighs eleven and a half kilos", 11_500, "The tool box weighs 11.5 kilos."),
        ("set the weight of the tool box to nine hundred grams", 900, "The tool box weighs 900 grams."),
        ("the tool box weighs twenty pounds weight", 9_072, "The tool box weighs 9.1 kilos."),
        ("the tool box weighs ten pounds", 4_536, "The tool box weighs 4.5 kilos."),
        ("the tool box weighs two stone", 12_701, "The tool box weighs 12.7 kilos."),
        ("the tool box weighs half a kilo", 500, "The tool box weighs 500 grams."),
        ("set the weight of the tool box to eighteen", 18_000, "The tool box weighs 18 kilos."),
    ])
    func aWeight_isSet_inWhateverUnit(said: String, grams: Int, answer: String) async throws {
        let bench = try VanBench()
        try await bench.item("tool box")
        let reply = try await bench.say(said)
        #expect(reply.text == answer)
        #expect(try await bench.stores.manifest.items().map(\.unitGrams) == [grams])
        #expect(try await bench.undo(reply))
        #expect(try await bench.stores.manifest.items().map(\.unitGrams) == [nil])
    }

    @Test func theWeightOfSeveral_isThatOfOne_unlessSaidTogether() async throws {
        let bench = try VanBench()
        try await bench.item("camping chair", quantity: 4)
        #expect(
            try await bench.say("the camping chairs weigh three kilos each").text
                == "4 camping chairs: 3 kilos each, 12 kilos together.")
        _ = try await bench.say("the camping chairs weigh eight kilos together")
        #expect(try await bench.stores.manifest.items().map(\.unitGrams) == [2_000])
        #expect(
            try await bench.say("how much do the camping chairs weigh").text
                == "4 camping chairs: 2 kilos each, 8 kilos together.")
    }

    @Test(arguments: [
        "the kettle weighs zero kilos", "the kettle weighs minus two kilos", "the kettle weighs ten tonnes",
    ])
    func aWeightThatIsNone_isRefused(said: String) async throws {
        let bench = try VanBench()
        try await bench.item("kettle")
        #expect(try await bench.say(said).text == "I can't use that as a weight.")
        #expect(try await bench.stores.manifest.items().map(\.unitGrams) == [nil])
    }

    @Test func theWeightOfAPlace_isSummed_andSaysWhatHasNone() async throws {
        let bench = try VanBench()
        let manifest = bench.stores.manifest
        _ = try await manifest.add(Item(name: "hammer", quantity: 2, unitGrams: 750, place: "garage"))
        _ = try await manifest.add(Item(name: "rope", place: "garage"))
        _ = try await manifest.add(Item(name: "kettle", unitGrams: 900, place: "cab"))
        #expect(
            try await bench.say("how much does everything in the garage weigh").text
                == "What's in the garage weighs 1.5 kilos. 1 item has no weight.")
        #expect(
            try await bench.say("how much does the van weigh").text
                == "What's aboard weighs 2.4 kilos. 1 item has no weight. "
                + "I don't know the unladen mass. Set it with vanorb vehicle.")
        #expect(try await bench.say("what does the rope weigh").text == "I don't know what the rope weighs.")
    }

    @Test func whatIsMissing_isSaid_ratherThanGuessed() async throws {
        let bench = try VanBench(), vehicle = bench.stores.vehicle
        #expect(
            try await bench.say("am I overweight").text
                == "I know neither the unladen nor the permitted mass. Set them with vanorb vehicle.")
        try await vehicle.setMasses(unladenGrams: 2_800_000, permittedGrams: nil)
        #expect(
            try await bench.say("am I overweight").text
                == "I don't know the permitted mass. Set it with vanorb vehicle.")
        try await vehicle.setMasses(unladenGrams: nil, permittedGrams: 3_500_000)
        #expect(
            try await bench.say("am I overweight").text == "I don't know the unladen mass. Set it with vanorb vehicle.")
    }

    @Test func theLoad_isEmptyVan_items_occupants_andTanks() async throws {
        let bench = try VanBench(), vehicle = bench.stores.vehicle
        try await vehicle.setMasses(unladenGrams: 2_800_000, permittedGrams: 3_500_000)
        try await vehicle.set(Occupant(name: "Ann", grams: 70_000))
        try await vehicle.set(Occupant(name: "Bob", grams: 80_000))
        try await vehicle.set(Tank(name: "fresh water", capacityMillilitres: 100_000, levelPercent: 50))
        try await vehicle.set(
            Tank(name: "diesel", capacityMillilitres: 60_000, gramsPerLitre: 840, levelPercent: 100))
        _ = try await bench.stores.manifest.add(Item(name: "chair", quantity: 4, unitGrams: 3_000))
        // 2800 + 150 + 50 + 50.4 + 12
        #expect(
            try await bench.say("how much more can I carry").text
                == "You're 438 kilos below the limit of 3500 kilos.")
        #expect(try await bench.say("how much does the van weigh").text == "The van weighs 3062 kilos, all told.")
        try await bench.item("rope")
        try await vehicle.set(Tank(name: "grey water", capacityMillilitres: 80_000))
        _ = try await bench.stores.manifest.add(Item(name: "piano", unitGrams: 500_000))
        #expect(
            try await bench.say("are we overweight").text
                == "You're overweight by 62.4 kilos: 3562 kilos against 3500 kilos. 1 item has no weight. "
                + "I don't know the level of the grey water.")
    }

    @Test func aTankWithASensor_countsAsFullAsItIs_andElseAsWasSet() async throws {
        let sensor = VanBench.device("water level", .sensor, id: "water_level", command: false)
        let bench = try VanBench(devices: [sensor])
        try await bench.stores.vehicle.set(
            Tank(name: "fresh water", capacityMillilitres: 100_000, levelPercent: 10, device: "water_level"))
        try await bench.run {
            #expect(try await LoadQuestions(bench.context).sheet().tanks == 10_000)
            try await bench.report(("water_level", "75"))
            #expect(try await LoadQuestions(bench.context).sheet().tanks == 75_000)
            try await bench.report(("water_level", "nonsense"))
            #expect(try await LoadQuestions(bench.context).sheet().tanks == 10_000)
            try await bench.report(("water_level", "180"))
            #expect(try await LoadQuestions(bench.context).sheet().tanks == 10_000)
        }
    }

    @Test func masses_tanks_andOccupants_areChecked() async throws {
        let vehicle = try VanBench().stores.vehicle
        await #expect(throws: (any Error).self) { try await vehicle.setMasses(unladenGrams: 0, permittedGrams: 1) }
        await #expect(throws: (any Error).self) { try await vehicle.set(Tank(name: " ", capacityMillilitres: 5)) }
        await #expect(throws: (any Error).self) { try await vehicle.set(Tank(name: "a", capacityMillilitres: 0)) }
        await #expect(throws: (any Error).self) {
            try await vehicle.set(Tank(name: "a", capacityMillilitres: 5, levelPercent: 101))
        }
        await #expect(throws: (any Error).self) { try await vehicle.set(Occupant(name: "Ann", grams: 0)) }
        #expect(try await vehicle.vehicle() == Vehicle())
        try await vehicle.set(Occupant(name: "Ann", grams: 70_000))
        try await vehicle.set(Occupant(name: "Ann", grams: 71_000))
        #expect(try await vehicle.vehicle().occupants == [Occupant(name: "Ann", grams: 71_000)])
        #expect(try await vehicle.removeOccupant(named: "Ann"))
        #expect(try await vehicle.removeOccupant(named: "Ann") == false)
        #expect(try await vehicle.removeTank(named: "ghost") == false)
    }
}
