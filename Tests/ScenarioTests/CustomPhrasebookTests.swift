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

        @Test func ownCommands_areHeard_typed_confirmed_andPublished() async throws {
            let van = try await VanUnderTest(Setup(phrases: ["party.yaml": Self.party, "slip.yaml": Self.broken]))
            let witness = try await #require(van.broker).witness("van/#")
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

            try await checkConfirmation(van, witness, watcher)
        }

        private func checkConfirmation(_ van: VanUnderTest, _ witness: Witness, _ watcher: Watcher) async throws {
            // After a question the appliance listens by itself; an answer that is typed or heard comes before that.
            for (answer, isHeard) in [("no", false), ("no thanks", true), ("yes", false), ("yes please", true)] {
                let seen = witness.messages.count
                let asked = try await isHeard ? van.hear("empty the grey tank") : van.say("empty the grey tank")
                #expect(asked.outcome == .asked)
                #expect(asked.reply == "Shall I really empty the grey tank?")
                let turn = try await isHeard ? van.hear(answer, voice: "slt") : van.say(answer)
                if answer.hasPrefix("yes") {
                    #expect(turn.outcome == .done)
                    #expect(turn.reply == "Emptying the grey tank.")
                    try await witness.sees("van/tank/valve OPEN", after: seen)
                    try await witness.sees("van/tank/log emptied", after: seen)
                } else {
                    #expect(turn.outcome == .cancelled)
                    #expect(turn.reply == "Never mind.")
                    // Anything sent would have come before this.
                    _ = try await van.say("make it a green party")
                    try await witness.sees(#"van/party/green {"colour":"green"}"#, after: seen)
                    #expect(!witness.messages.dropFirst(seen).contains { $0.contains("tank") })
                }
                _ = try await van.client.call(CancelCall.self)
            }
        }

        static let recordings = ProcessInfo.processInfo.environment["VANORB_RECORDINGS"]

        @Test(.enabled(if: recordings != nil, "VANORB_RECORDINGS names no folder of recordings"))
        func coffeePhrasebook_loadsAsItStands_andPublishesTheOrder() async throws {
            let folder = try #require(Self.recordings)
            let text = try String(contentsOfFile: "\(folder)/coffee/phrases.yaml", encoding: .utf8)
            let van = try await VanUnderTest(Setup(phrases: ["coffee.yaml": text]))
            let witness = try await #require(van.broker).witness("coffee/#")
            #expect(try await van.status().parts.allSatisfy { !$0.detail.contains("coffee.yaml") })
            let turn = try await van.hear("make me a double shot espresso with brown sugar", voice: "slt")
            #expect(turn.reply == "One espresso coming up.", "heard “\(turn.transcript)”")
            try await witness.sees(#"coffee/order {"drink":"espresso","shots":"double shot","sugar":"brown sugar"}"#)
        }
    }
}
