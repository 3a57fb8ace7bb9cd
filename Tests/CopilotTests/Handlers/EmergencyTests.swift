@testable import Domain
import CopilotTestKit
import Foundation
import Testing

/// Emergencies: what is said and published.
@Suite struct EmergencyTests {
    @Test func anEmergency_tellsNumberKitAndNotes_andIsPublished() async throws {
        let bench = try VanBench()
        try await bench.item("first aid kit", in: "overhead locker")
        try await bench.stores.kept.set("medical_notes", to: "Anna takes insulin")
        let reply = try await bench.say("emergency")
        #expect(
            reply.wording.spoken
                == "Stay calm. The emergency number here is 9 9 9. I can't make calls. Use a phone. "
                + "The first aid kit is in the overhead locker. Medical notes: Anna takes insulin.")
        #expect(reply.palette == .emergency)
        #expect(
            bench.bus.journal.entries == [.init("vanorb/emergency", #"{"country":"GB","kind":"emergency"}"#)])
    }

    @Test func aFire_tellsWhereTheExtinguisherIs() async throws {
        let bench = try VanBench()
        try await bench.item("fire extinguisher", in: "cab")
        #expect(try await bench.say("there's a fire").wording.spoken.hasSuffix("The fire extinguisher is in the cab."))
    }

    @Test func abroad_theNumberIsThatCountrys_andThePositionIsReadOut() async throws {
        let bench = try VanBench()
        let context = bench.with(FakeReceiver(45.75, 4.85))
        let reply = try await bench.ask("call an ambulance", context)
        #expect(reply.wording.spoken.contains("The emergency number in France is 1 1 2, or 1 5 for an ambulance."))
        #expect(reply.wording.spoken.contains("latitude 4 5 point 7 5 0 0 north, longitude 4 point 8 5 0 0 east"))
        #expect(reply.wording.spoken.contains("I can't make calls."))
        let payload = bench.bus.journal.entries.first?.payload ?? ""
        #expect(payload.contains(#""country":"FR""#))
        #expect(payload.contains(#""latitude":45.75"#))
    }

    @Test func anOldFix_isSaidAsOne_andTheLastStopStandsInForNone() async throws {
        let bench = try VanBench()
        let old = FakeReceiver(45.75, 4.85, age: .seconds(720), isCurrent: false)
        let reply = try await bench.ask("read out our coordinates slowly", bench.with(old))
        #expect(
            reply.wording.spoken.hasPrefix("My last position is from 12 minutes ago: latitude 4 5 point 7 5 0 0 north"))
        let oslo = Position(latitude: 59.91, longitude: 10.75, time: VanBench.now)
        try await bench.stores.trips.addStop(
            Stop(position: oslo, country: "NO", date: VanBench.date(2026, 11, 18, 10, 30)))
        #expect(
            try await bench.say("fire").wording.spoken.contains("in Norway is 1 1 2, or 1 1 0 for the fire brigade."))
        #expect(
            try await bench.say("emergency location").wording.spoken.hasPrefix("My last position is from 3 days ago"))
    }

    @Test func whereTheCountryIsInDoubt_oneOneTwoIsTold_andNoCountryClaimed() async throws {
        let bench = try VanBench()
        let border = try await bench.ask("call an ambulance", bench.with(FakeReceiver(42.464, 2.863)))
        #expect(border.wording.spoken.contains("The emergency number here is 1 1 2. I can't"))
        #expect(border.wording.spoken.contains("in Spain or perhaps France."))
        #expect(bench.bus.journal.entries.last?.payload.contains(#""country":"ES""#) == true)
        let sea = try await bench.ask("emergency", bench.with(FakeReceiver(45.0, -30.0)))
        #expect(sea.wording.spoken.contains("The emergency number here is 1 1 2."))
        #expect(sea.wording.spoken.contains("That's far from any town that I know."))
        #expect(bench.bus.journal.entries.last?.payload.contains("country") == false)
    }

    @Test func withoutTowns_theSettingsCountryCounts_andThePositionIsReadOut() async throws {
        let bench = try VanBench()
        let context = bench.with(FakeReceiver(45.75, 4.85), places: nil)
        let reply = try await bench.ask("emergency", context)
        #expect(reply.wording.spoken.contains("The emergency number here is 9 9 9."))
        #expect(
            reply.wording.spoken.contains(
                "4 point 8 5 0 0 east. That's somewhere that I can't name, as the place names are"))
        #expect(bench.bus.journal.entries.last?.payload.contains(#""country":"GB""#) == true)
    }

    @Test func withoutAnyPosition_itSaysSo() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("emergency location").wording.spoken
                == "I don't know where we are: I have no position. The emergency number here is 9 9 9.")
        _ = try await bench.say("start a trip to spain")
        #expect(try await bench.say("emergency location").wording.spoken.contains("The trip under way is to Spain."))
    }

    @Test(arguments: [
        (
            "what's the emergency number in norway",
            "The emergency number in Norway is 1 1 2. Also, the ambulance is on 1 1 3"
        ),
        ("what's the emergency number", "The emergency number here is 9 9 9."),
        ("what's the emergency number in the usa", "The emergency number in the United States is 9 1 1."),
        ("emergency number for morocco", "The emergency number in Morocco is 1 9. Also, the ambulance is on 1 5"),
        ("what's the emergency number in brazil", "I don't know the number for brazil. From a mobile, 1 1 2 works"),
    ])
    func theNumberOfACountry_isKnown_orSaidNotToBe(text: String, reply: String) async throws {
        #expect(try await VanBench().say(text).wording.spoken.hasPrefix(reply))
    }

    @Test func aFirstAidKitThatNobodyNoted_isNotLeftUnanswered() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("first aid").wording.spoken
                == "I don't know where the first aid kit is. The emergency number here is 9 9 9.")
        #expect(
            try await bench.say("first aid for a burn").wording.spoken.hasPrefix("Cool the burn under running water"))
        #expect(bench.bus.journal.entries.isEmpty)
    }

    @Test func aQuestionAboutAThing_staysOne() async throws {
        let bench = try VanBench()
        try await bench.item("fire extinguisher", in: "cab")
        #expect(
            try await bench.say("where is the fire extinguisher").wording.spoken
                == "The fire extinguisher is in the cab.")
        #expect(bench.bus.journal.entries.isEmpty)
    }

    @Test(arguments: [
        "fire up the heater", "i got fired", "we sat by the campfire", "is there a fire pit here",
        "change the gas bottle", "help me find the corkscrew", "log gas twenty pounds", "help", "gas bottle", "fired",
        "turn on the gas heater", "the fire was lovely last night", "what is a smoke alarm", "campfire",
        "did you hear about the ambulance strike", "add a task to test the carbon monoxide alarm",
        "there is smoked salmon for dinner", "there is a turning in the road", "my boss is a pain and i was fired",
        "the sunset was on fire tonight was it",
    ])
    func whatOnlySoundsLikeAnEmergency_raisesNoAlarm(text: String) {
        let alarms: Set = ["emergency", "fire", "gas", "carbon_monoxide", "medical"]
        let chosen = English.router.route(text).chosen
        #expect(chosen?.handler != "emergency" || !alarms.contains(chosen?.intent ?? ""))
    }
}
