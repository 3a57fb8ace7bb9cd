@testable import Domain
import Testing

/// What the van weighs and carries of people, said instead of typed.
@Suite struct VehicleChangeTests {
    @Test func itsMasses_areSetAndTakenBack() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("the van weighs two point six tonnes empty")
        #expect(reply.text == "Noted: the van weighs 2600 kilos empty.")
        #expect(try await bench.stores.vehicle.vehicle().unladenGrams == 2_600_000)
        _ = try await bench.say("the van is plated at three point five tonnes")
        #expect(try await bench.stores.vehicle.vehicle().permittedGrams == 3_500_000)
        #expect(try await bench.undo(reply))
    }

    @Test func anEmptyVanAboveItsLimit_isRefused() async throws {
        let bench = try VanBench()
        _ = try await bench.say("our weight limit is three tonnes")
        #expect(try await bench.say("the van weighs four tonnes empty").text.contains("would weigh more than it may"))
        #expect(try await bench.stores.vehicle.vehicle().unladenGrams == nil)
    }

    @Test func thoseWhoTravelAlong_areNoted_andReplacedWithAYes() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("there are two of us, seventy and eighty-five kilos")
        #expect(reply.text == "Noted: 2 people, 155 kilos together.")
        #expect(try await bench.stores.vehicle.vehicle().occupants.map(\.grams) == [70_000, 85_000])
        let again = try await bench.say("it's just me and i weigh eighty kilos")
        #expect(again.text == "I have person 1 and person 2 down as occupants. Shall I replace them?")
        guard case .confirmation(let command, _) = again.question else {
            Issue.record("nothing was asked")
            return
        }
        _ = try await bench.act(command.confirmed)
        #expect(try await bench.stores.vehicle.vehicle().occupants.map(\.grams) == [80_000])
    }

    @Test func aWeightForEachIsNeeded() async throws {
        let bench = try VanBench()
        let reply = try await bench.say("there are three of us, seventy and eighty-five kilos")
        #expect(reply.text == "I need a weight for each of the 3.")
        #expect(try await bench.stores.vehicle.vehicle().occupants.isEmpty)
    }
}
