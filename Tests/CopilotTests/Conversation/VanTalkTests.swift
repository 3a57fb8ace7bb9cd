@testable import Domain
@testable import Language
import CopilotTestKit
import Foundation
import Testing

/// Talk about devices that leans on what was said before.
@Suite struct VanTalkTests {
    @Test(arguments: [("a bit brighter", true), ("make it a bit brighter in the shed", false)])
    func aGuessThatNamesNoDevice_isForTheOneBefore_whereNothingElseWasSaid(utterance: String, isCompleted: Bool) throws
    {
        let last = try #require(English.router.route("dim the reading light to 30 percent").chosen)
        let followUp = FollowUp(index: English.index, router: English.router, last: Command(last))
        let guess = Command(handler: "van", intent: "adjust_level", slots: ["direction": SlotValue(text: "up")])
        let command = followUp.completed(guess, English.books.normaliser.normalise(utterance))
        #expect(command?.slots["device"]?.names.first?.name == (isCompleted ? "reading light" : nil))
    }

    @Test func aPronounWithAStep_isTheDeviceOfBefore() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let talk = try await Talk(bench, hears: .patient)
            _ = await talk.conversation.say("dim the kitchen light to 30 percent")
            #expect(await talk.conversation.say("make it brighter").reply == "The kitchen light is at 50%.")
        }
    }

    @Test func whatAnAnswerNamed_isWhatItStandsFor() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let talk = try await Talk(bench, hears: .patient)
            try await bench.tell(("van/vent/state", "open"), ("van/door/state", "LOCKED"), ("van/win/state", "OFF"))
            #expect(await talk.conversation.say("is anything open").reply == "The roof vent is open.")
            #expect(await talk.conversation.say("close it").reply == "The roof vent is closed.")
        }
    }

    @Test func anAreaWithToo_getsTheSame() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let talk = try await Talk(bench, hears: .patient)
            _ = await talk.conversation.say("turn on the lights in the kitchen")
            #expect(await talk.conversation.say("outside too").reply == "The awning light is on.")
        }
    }
}
