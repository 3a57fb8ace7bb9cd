import CopilotTestKit
import Foundation
import Testing

@testable import Copilot

/// Tasks.
@Suite struct ChecklistTests {
    @Test func aTask_isAddedAsHeard_tickedOff_andBothUndone() async throws {
        let bench = try VanBench()
        let added = try await bench.say("add a task to check tyres")
        #expect(added.text == "Added to the to do list: check tyres.")
        #expect(try await bench.stores.checklist.tasks(list: "to do").map(\.text) == ["Check tyres"])
        let done = try await bench.say("tick off check tyres")
        #expect(done.text == "Ticked off: check tyres.")
        #expect(try await bench.say("what is left to do").text == "Nothing is left to do.")
        #expect(try await bench.undo(done) == true)
        #expect(try await bench.say("what is left to do").text == "1 task left: check tyres.")
        #expect(try await bench.undo(added) == true)
        #expect(try await bench.stores.checklist.tasks(list: nil).isEmpty)
    }

    @Test func aNamedList_takesTheTask() async throws {
        let bench = try VanBench()
        _ = try await bench.stores.checklist.add(ChecklistTask(list: "shopping", text: "Milk"))
        #expect(
            try await bench.say("add buy bread to the shopping list").text == "Added to the shopping list: buy bread.")
        #expect(try await bench.say("what's on the shopping list").text == "2 tasks left: milk and buy bread.")
        #expect(try await bench.say("which lists do I have").text == "Your lists: shopping.")
    }

    @Test func aLongList_isCutShort_andItsNextIsTheFirst() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("next task").text == "Nothing is left to do.")
        for text in ["One", "Two", "Three", "Four", "Five", "Six", "Seven"] {
            _ = try await bench.stores.checklist.add(ChecklistTask(list: "departure", text: text))
        }
        #expect(
            try await bench.say("what is left to do").text
                == "7 tasks left: one, two, three, four and five, and 2 more.")
        #expect(try await bench.say("next task").text == "Next: one.")
    }

    @Test func theSameTaskOnTwoLists_isAskedFor() async throws {
        let bench = try VanBench()
        for list in ["departure", "arrival"] {
            _ = try await bench.stores.checklist.add(ChecklistTask(list: list, text: "Check the gas"))
        }
        let reply = try await bench.say("tick off check the gas")
        #expect(reply.text == "Which one: check the gas on the departure list or check the gas on the arrival list?")
        #expect(reply.question != nil)
        #expect(try await bench.stores.checklist.tasks(list: nil).allSatisfy { !$0.isDone })
    }
}

/// Trips.
@Suite struct TravelTests {
    @Test func aTrip_isStarted_counted_andEnded() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("end the trip").text == "No trip is under way.")
        #expect(try await bench.say("start a trip").text == "Where to?")
        #expect(try await bench.say("start a trip to spain").text == "Started a trip to Spain.")
        let later = try VanBench(stores: bench.stores, now: VanBench.date(2026, 11, 24, 8))
        #expect(try await later.say("how many nights so far").text == "3 nights so far, on the trip to Spain.")
        #expect(try await later.say("which trip are we on").text == "You're on a trip to Spain, 3 nights so far.")
        let ended = try await later.say("end the trip")
        #expect(ended.text == "Ended the trip to Spain after 3 nights.")
        #expect(try await later.say("how many nights so far").text == "No trip is under way.")
        #expect(try await bench.undo(ended) == true)
        #expect(try await later.stores.trips.current()?.destination == "Spain")
    }

    @Test func aSecondTrip_waitsForTheEndOfTheFirst() async throws {
        let bench = try VanBench()
        _ = try await bench.say("we're off to the highlands")
        #expect(
            try await bench.say("start a trip to spain").text
                == "The trip to the Highlands is still under way. End it first.")
        #expect(try await bench.stores.trips.trips().count == 1)
    }

    @Test func nights_areThoseOfTheCalendar_alsoAcrossTheClockChange() async throws {
        let store = try VanBench()
        _ = try await store.stores.trips.start(Trip(destination: "Kent", start: VanBench.date(2026, 10, 24, 23, 50)))
        let bench = try VanBench(stores: store.stores, now: VanBench.date(2026, 10, 26, 0, 10))
        #expect(try await bench.say("how many nights so far").text == "2 nights so far, on the trip to Kent.")
    }

    @Test func tripsMade_areListed() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("where have we been").text == "No trip has been logged yet.")
        _ = try await bench.say("start a trip to the netherlands")
        #expect(try await bench.say("where have we been").text == "1 trip: the Netherlands.")
    }
}

/// Emergencies.
@Suite struct EmergencyTests {
    @Test func anEmergency_tellsNumberKitAndNotes_andIsPublished() async throws {
        let bench = try VanBench()
        try await bench.item("first aid kit", in: "overhead locker")
        try await bench.stores.kept.set("medical_notes", to: "Anna takes insulin")
        let reply = try await bench.say("emergency")
        #expect(
            reply.text
                == "Stay calm. The emergency number here is 9 9 9. I can't place a call. Use a phone. "
                + "The first aid kit is in the overhead locker. Medical notes: Anna takes insulin.")
        #expect(reply.palette == .emergency)
        #expect(bench.bus.journal.entries == [.init("vanorb/emergency", "{\"kind\": \"emergency\"}")])
    }

    @Test func aFire_tellsWhereTheExtinguisherIs() async throws {
        let bench = try VanBench()
        try await bench.item("fire extinguisher", in: "cab")
        #expect(try await bench.say("there's a fire").text.hasSuffix("The fire extinguisher is in the cab."))
    }

    @Test(arguments: ["emergency", "fire", "gas leak", "carbon monoxide", "ambulance", "what's the emergency number"])
    func withTheStoreLost_andNoBroker_itStillAnswers(text: String) async throws {
        let bench = try VanBench(stores: LostStore(reason: "damaged").stores)
        bench.bus.reach(false)
        let index = PhraseIndex(books: bench.books, names: OwnerNames())
        let chosen = try #require(Router(index: index, classifier: nil).route(text).chosen)
        let reply = try await bench.act(Command(handler: chosen.handler, intent: chosen.intent))
        #expect(reply.text.contains("9 9 9"))
    }

    @Test func aFirstAidKitThatNobodyNoted_isNotLeftUnanswered() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("first aid").text
                == "I don't know where the first aid kit is. The emergency number here is 9 9 9.")
    }

    @Test func aQuestionAboutAThing_staysOne() async throws {
        let bench = try VanBench()
        try await bench.item("fire extinguisher", in: "cab")
        #expect(try await bench.say("where is the fire extinguisher").text == "The fire extinguisher is in the cab.")
        #expect(bench.bus.journal.entries.isEmpty)
    }
}

/// The owner's own commands.
@Suite struct CustomTests {
    private static let phrases = """
        language: en
        slots:
          room: [kitchen, bed room, {say: "front/back", value: "a/+#b"}]
        intents:
          scene:
            phrases: ["make it cosy in the {room} [with {number:level} candles]"]
            publish:
              - {topic: "scene/{room}/set", payload: "{slots}"}
              - {topic: scene/last, payload: "cosy {room}"}
            reply: "Cosy in the {room}."
          silent:
            phrases: ["hush now my van"]
            publish: {topic: hush, payload: ""}
        """

    @Test func slots_areFilledIntoTopicPayloadAndReply() async throws {
        let bench = try VanBench(books: english(with: Self.phrases))
        let reply = try await bench.say("make it cosy in the kitchen with three candles")
        #expect(reply.text == "Cosy in the kitchen.")
        #expect(
            bench.bus.journal.entries == [
                .init("scene/kitchen/set", #"{"level":"3","room":"kitchen"}"#), .init("scene/last", "cosy kitchen"),
            ])
        #expect(try await bench.say("hush now my van").text == "Done, I've sent it.")
    }

    @Test func aSlot_cannotWidenTheOwnersTopic() async throws {
        let bench = try VanBench(books: english(with: Self.phrases))
        _ = try await bench.say("make it cosy in the front back")
        #expect(bench.bus.journal.entries.first?.topic == "scene/a___b/set")
        #expect(bench.bus.journal.entries.first?.payload == #"{"room":"a/+#b"}"#)
    }

    @Test func aPartialFailure_isSaidAsOne() async throws {
        let bench = try VanBench(books: english(with: Self.phrases))
        bench.bus.refuse(after: 1)
        let reply = try await bench.say("make it cosy in the kitchen")
        #expect(reply.text == "I could only send a part of it: I've lost the van's devices.")
        #expect(reply.effects.count == 2)
        #expect(reply.effects[1].hasPrefix("mqtt: nothing sent to scene/last"))
    }

    @Test func withoutTheBroker_nothingIsSent() async throws {
        let bench = try VanBench(books: english(with: Self.phrases))
        bench.bus.reach(false)
        #expect(try await bench.say("make it cosy in the kitchen").text == "I can't reach the van's devices.")
        let without = try VanBench(books: english(with: Self.phrases), hasBus: false)
        #expect(try await without.say("hush now my van").text == "I can't reach the van's devices.")
    }
}
