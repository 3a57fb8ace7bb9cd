import Control
import Foundation
import Testing

extension ScenarioTests {
    /// A conversation in which every turn after the first needs the ones before, spoken by flite and typed in turn.
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
            Step("how much have I spent on diesel this year", spoken: true, reply: "diesel"),
            Step("and last month", reply: "last month"),
            Step("turn on the water pump", spoken: true, reply: "The water pump is on."),
            Step("turn that off again", spoken: true, reply: "The water pump is off."),
            Step("and the fridge", reply: "The fridge is"),
            Step("switch it back on", reply: "The fridge is on."),
            Step("move the tow rope to the garage and turn off the fridge", reply: "The fridge is off."),
            Step("undo that", spoken: true, reply: "I've undone it: the fridge off."),
            Step("say that again", spoken: true, reply: "I've undone it: the fridge off."),
        ]

        @Test func aConversationOfManyTurns_keepsItsThread() async throws {
            let van = try ScenarioTests.van
            let witness = try await van.broker?.witness()
            defer { witness?.end() }
            let watcher = try await van.watch()
            for text in ["turn off the water pump", "turn off the fridge"] {
                try await watcher.spoken(van.say(text).turn)
            }
            for step in Self.script {
                let turn = step.isSpoken ? try await van.hear(step.text) : try await van.say(step.text)
                #expect(turn.reply.contains(step.reply), "“\(step.text)”, heard “\(turn.transcript)”: \(turn.reply)")
                #expect(turn.outcome == .done)
                try await watcher.spoken(turn.turn)
            }
            try await witness?.sees(#"vanorb/action {"kind":"tab","target":"van"}"#, after: 0)
            _ = try await van.say("bye")
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
