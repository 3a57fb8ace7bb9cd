import Control
import Foundation
import Testing

extension ScenarioTests {
    /// A conversation in which every turn after the first means nothing without the ones before, spoken by flite and
    /// typed in turn: answers, ellipses, pronouns, and what goes on from them in the same breath.
    @Suite(.serialized, .van()) struct ContextTests {
        private struct Step {
            let text: String, isSpoken: Bool
            let reply: String
            init(_ text: String, spoken: Bool = false, reply: String) {
                self.text = text
                isSpoken = spoken
                self.reply = reply
            }
        }

        private static let script = [
            Step("log fifty pounds", spoken: true, reply: "What was it for?"),
            Step("diesel", spoken: true, reply: "Logged £50.00 for diesel."),
            Step(
                "make it sixty and turn on the water pump",
                reply: "Changed £50.00 for diesel to £60.00 for diesel. The water pump is on."),
            Step("turn that off again", spoken: true, reply: "The water pump is off."),
            Step("and the fridge", reply: "The fridge is off."),
            Step("is it on", spoken: true, reply: "The fridge is off."),
            Step(
                "switch it back on and move the tow rope to the cab",
                reply: "The fridge is on. The tow rope is now in the cab."),
            Step("where is it", spoken: true, reply: "The tow rope is in the cab."),
            Step("and the jump leads", reply: "The jump leads are in the garage."),
            Step("undo that", spoken: true, reply: "Undone: the change to the tow rope."),
            Step("say that again", spoken: true, reply: "Undone: the change to the tow rope."),
            Step("undo that too", reply: "The fridge is off again."),
        ]

        /// At the pace of speech: the time to answer in is counted in what is heard.
        @Test func aConversationOfManyTurns_keepsItsThread() async throws {
            let van = try await VanUnderTest(Setup(isPaced: true))
            defer { van.end() }
            try await van.room(.silence(120))
            let witness = try await #require(van.broker).witness()
            defer { witness.end() }
            let watcher = try await van.watch()
            for text in ["turn off the water pump", "turn on the fridge"] {
                try await watcher.spoken(van.say(text).turn)
            }
            _ = try await van.client.call(CloseCall.self)
            for step in Self.script {
                let turn = step.isSpoken ? try await van.hear(step.text) : try await van.say(step.text)
                #expect(turn.reply == step.reply, "“\(step.text)”, heard “\(turn.transcript)”")
                #expect(turn.outcome == (step.reply.hasSuffix("?") ? .asked : .done))
                // A question is answered while it is spoken; the rest is heard to its end.
                if turn.outcome == .done { try await watcher.spoken(turn.turn) }
            }
            try await witness.sees(#"vanorb/action {"kind":"tab","target":"van"}"#, after: 0)
            #expect(try await van.ledger().first?.amount.minorUnits == 6_000)
            #expect(try await van.place(of: "tow rope") == "garage")
        }

        @Test func theIntroduction_comesBackByTheCommandLine() async throws {
            let van = try ScenarioTests.van
            let answer = try await van.vanorb("onboarding", "reset")
            #expect(answer.status == 0, "\(answer.lines)")
            _ = try await van.client.call(CloseCall.self)
            let watcher = try await van.watch()
            let before = watcher.count
            try await van.press()
            try await watcher.event("the introduction", after: before) {
                $0.kind == WatchEvent.Kind.notice && $0.text?.hasPrefix("Hello, I'm VanOrb.") == true
            }
            try await van.press(.double)
            _ = try await van.client.call(CloseCall.self)
        }
    }
}
