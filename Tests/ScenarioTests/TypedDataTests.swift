import Control
import Foundation
import Testing

extension ScenarioTests {
    /// The owner's data, changed by the command line.
    @Suite(.serialized, .van(Setup(hasBroker: false))) struct TypedDataTests {
        /// Runs commands, and checks each one's exit code and what it prints.
        private func check(_ steps: [(arguments: String, status: Int32, says: String)]) async throws {
            let van = try van
            for step in steps {
                let child = try ChildProcess(
                    "\(Workshop.products)/vanorb", step.arguments.split(separator: "|").map(String.init),
                    environment: ["VANORB_SOCKET": van.socket, "LC_ALL": "C.UTF-8", "TZ": "UTC"])
                #expect(try await child.exit() == step.status, "\(step.arguments): \(child.lines)")
                #expect(child.lines.joined(separator: "\n").contains(step.says), "\(step.arguments): \(child.lines)")
            }
        }

        @Test func lists_areChanged_andWhatWasTypedCanBeSaid() async throws {
            try await check([
                ("lists|add|garden|water the herbs", 1, "--yes does it"),
                ("lists|add|garden|water the herbs|--yes", 0, "Added to the garden list: water the herbs."),
                ("lists|tick|herbs", 0, "Ticked off: water the herbs."),
                ("lists|tick|herbs", 1, "ticked off already"),
                ("lists|show|garden", 0, "[x]  Water the herbs"),
                ("lists|show|nowhere", 1, "There is no list called nowhere."),
                ("lists|remove|--all", 64, "--list"), ("lists|add|garden", 64, "task"),
            ])
            #expect(
                try await van.say("what's left on the garden list").reply == "Everything on the garden list is done.")
            try await check([
                ("lists|delete|garden|--yes", 0, "Removed the garden list with 1 task."), ("undo", 0, "garden list"),
                ("lists", 0, "garden"), ("lists|--json", 0, "\"text\" : \"Water the herbs\""),
            ])
        }

        @Test func trips_areStartedEndedAndListed() async throws {
            try await check([
                ("trips|start|the south of France|--date|yesterday|--odometer|84,210 km", 0, "from yesterday"),
                ("trips|odometer|84,310 km", 0, "100 kilometres"),
                ("trips|odometer|lots", 1, "“lots” is no reading"),
                ("trips|start|Spain", 1, "still under way"), ("trips", 0, "the South of France *"),
                ("trips|show|--json", 0, "\"nights\" : 1"),
                ("trips|start|Spain|--date|someday", 1, "“someday” is no date"),
                ("trips|end", 0, "Ended the trip to the South of France after 1 night and 100 kilometres."),
                ("trips|end", 1, "No trip is under way."), ("trips|delete|x", 64, "number"),
            ])
        }
    }
}
