import Control
import Foundation
import Testing

extension ScenarioTests {
    /// The owner's own commands, from a file to the broker.
    @Suite(.serialized) struct CustomPhrasebookTests {
        static let party = """
            language: en
            slots:
              colour: [red, green, purple]
            intents:
              party:
                phrases:
                  - "make it a {colour} party [for {number} people]"
                publish: {topic: "van/party/{colour}", payload: "{slots}"}
                reply: "A {colour} party it is."
              wipe:
                phrases:
                  - "empty the grey tank"
                confirm: "Shall I really empty the grey tank?"
                publish:
                  - {topic: van/tank/valve, payload: OPEN}
                  - {topic: van/tank/log, payload: "emptied"}
                reply: "Emptying the grey tank."
            """
        static let broken = """
            language: en
            intents:
              broken:
                phrases:
                  - "fetch (the|a paper"
                publish: {topic: van/paper, payload: fetch}
            """

        @Test func ownCommands_areHeard_typed_andPublished() async throws {
            let van = try await VanUnderTest(Setup(phrases: ["party.yaml": Self.party, "slip.yaml": Self.broken]))
            defer { van.end() }
            let witness = try await #require(van.broker).witness("van/#")
            defer { witness.end() }
            let watcher = try await van.watch()

            // The broken file beside it is told of and silences nothing.
            let slip = try #require(try await van.status().parts.first { $0.detail.contains("slip.yaml") })
            #expect(slip.state == .failed)
            #expect(slip.detail.contains("slip.yaml:5"), "\(slip.detail)")

            let heard = try await van.hear("make it a purple party")
            #expect(heard.handler == "custom")
            #expect(heard.reply == "A purple party it is.")
            try await watcher.spoken(heard.turn)
            try await witness.sees(#"van/party/purple {"colour":"purple"}"#)
            let typed = try await van.say("make it a red party for twelve people")
            #expect(typed.reply == "A red party it is.")
            try await witness.sees(#"van/party/red {"colour":"red","number":"12"}"#)
        }

        /// At the pace of speech: the time to answer in is counted in what is heard.
        @Test func confirmation_isAnsweredByVoiceAndText() async throws {
            let van = try await VanUnderTest(Setup(isPaced: true, phrases: ["party.yaml": Self.party]))
            defer { van.end() }
            try await van.room(.silence(60))
            let witness = try await #require(van.broker).witness("van/#")
            defer { witness.end() }
            let watcher = try await van.watch()
            func ask(byVoice isHeard: Bool) async throws {
                let asked = try await isHeard ? van.hear("empty the grey tank") : van.say("empty the grey tank")
                #expect(asked.outcome == .asked)
                #expect(asked.reply == "Shall I really empty the grey tank?")
            }
            func expectNothingSent(after seen: Int) async throws {
                // Anything sent would have come before this.
                _ = try await van.say("make it a green party")
                try await witness.sees(#"van/party/green {"colour":"green"}"#, after: seen)
                #expect(!witness.messages.dropFirst(seen).contains { $0.hasPrefix("van/tank/") })
            }

            // Heard when the question has been spoken and the appliance listens by itself.
            var seen = witness.messages.count
            try await ask(byVoice: true)
            let asked = watcher.count
            try await watcher.event("listening for the answer", after: asked) { $0.line == "ring listening" }
            let refused = try await van.hear("no thanks", voice: "slt")
            #expect(refused.outcome == .cancelled, "heard “\(refused.transcript)”")
            #expect(refused.reply == "Never mind.")
            try await expectNothingSent(after: seen)

            // Heard while the question is still being spoken.
            seen = witness.messages.count
            try await ask(byVoice: true)
            let confirmed = try await van.hear("yes please", voice: "slt")
            #expect(confirmed.reply == "Emptying the grey tank.", "heard “\(confirmed.transcript)”")
            #expect(confirmed.outcome == .done)
            try await witness.sees("van/tank/valve OPEN", after: seen)
            try await witness.sees("van/tank/log emptied", after: seen)

            seen = witness.messages.count
            try await ask(byVoice: false)
            #expect(try await van.say("no").reply == "Never mind.")
            try await expectNothingSent(after: seen)

            seen = witness.messages.count
            try await ask(byVoice: false)
            #expect(try await van.say("yes").reply == "Emptying the grey tank.")
            try await witness.sees("van/tank/log emptied", after: seen)
        }

        static let recordings = ProcessInfo.processInfo.environment["VANORB_RECORDINGS"]

        @Test(.enabled(if: recordings != nil, "VANORB_RECORDINGS names no folder of recordings"))
        func coffeePhrasebook_loadsAsItStands_andPublishesTheOrder() async throws {
            let folder = try #require(Self.recordings)
            let text = try String(contentsOfFile: "\(folder)/coffee/phrases.yaml", encoding: .utf8)
            let van = try await VanUnderTest(Setup(phrases: ["coffee.yaml": text]))
            defer { van.end() }
            let witness = try await #require(van.broker).witness("coffee/#")
            defer { witness.end() }
            #expect(try await van.status().parts.allSatisfy { !$0.detail.contains("coffee.yaml") })
            let turn = try await van.hear("make me a double shot espresso with brown sugar", voice: "slt")
            #expect(turn.reply == "One espresso coming up.", "heard “\(turn.transcript)”")
            try await witness.sees(#"coffee/order {"drink":"espresso","shots":"double shot","sugar":"brown sugar"}"#)
        }
    }
}
