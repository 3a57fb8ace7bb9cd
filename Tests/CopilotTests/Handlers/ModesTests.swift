import CopilotTestKit
import Foundation
import Testing

/// The van's modes.
@Suite struct ModesTests {
    @Test func theMode_isKept_toldAndUndone() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("what mode are we in").text == "No mode is set.")
        #expect(try await bench.say("switch to camp mode").text == "Switched to camp mode.")
        let reply = try await bench.say("switch to drive mode")
        #expect(try await bench.say("what mode are we in").text == "It's drive mode.")
        #expect(try await bench.say("drive mode").text == "It's already drive mode.")
        // A restart: the same store behind everything new.
        let restarted = try VanBench(stores: bench.stores)
        #expect(try await restarted.say("what mode are we in").text == "It's drive mode.")
        #expect(try await bench.undo(reply) == true)
        #expect(try await bench.stores.kept.value("mode") == "camp")
    }

    @Test func theModes_areListed() async throws {
        let bench = try VanBench()
        #expect(try await bench.say("list the modes").text == "The modes are drive, camp, night and away.")
    }
}
