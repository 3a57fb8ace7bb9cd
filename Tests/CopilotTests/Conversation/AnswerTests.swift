@testable import Domain
import CopilotTestKit
import Testing

/// What an open question takes for its answer, and what replaces it.
@Suite struct AnswerTests {
    @Test func aStatement_isNoAnswer_andTheQuestionIsPutOnceMore_thenDropped() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        #expect(await talk.conversation.say("log fifty").reply == "What was it for?")
        let again = await talk.conversation.say("it weighs nine kilos")
        #expect(again.outcome == .asked)
        #expect(again.reply == "Sorry, I didn't get that. What was it for?")
        #expect(await talk.conversation.say("the torch was in the cab").outcome == .fallback)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test func theAnswerToTheSecondAsking_isTaken() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        _ = await talk.conversation.say("it weighs nine kilos")
        #expect(await talk.conversation.say("diesel").outcome == .done)
        #expect(try await talk.ledger.count == 1)
    }

    @Test(arguments: ["how much money do I have", "where is the torch"])
    func aWholeQuestion_replacesTheOpenOne(text: String) async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        #expect(await talk.conversation.say(text).outcome == .done)
        #expect(await talk.conversation.say("diesel").outcome != .done)
        #expect(try await talk.ledger.isEmpty)
    }

    @Test(arguments: ["never mind", "cancel", "no"])
    func aRefusal_dropsTheQuestion(text: String) async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        #expect(await talk.conversation.say(text).outcome == .cancelled)
        #expect(try await talk.ledger.isEmpty)
    }
}
