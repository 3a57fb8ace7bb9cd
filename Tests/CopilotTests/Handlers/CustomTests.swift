import CopilotTestKit
import Foundation
import Testing

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
        #expect(reply.text == "I could only send part of it: I've lost the van's devices.")
        #expect(reply.effects.count == 2)
        #expect(reply.effects[1].hasPrefix("mqtt: not acknowledged: scene/last"))
    }

    @Test func withoutTheBroker_nothingIsSent() async throws {
        let bench = try VanBench(books: english(with: Self.phrases))
        bench.bus.reach(false)
        #expect(try await bench.say("make it cosy in the kitchen").text == "I can't reach the van's devices.")
        let without = try VanBench(books: english(with: Self.phrases), hasBus: false)
        #expect(try await without.say("hush now my van").text == "I can't reach the van's devices.")
    }
}
