import CopilotTestKit
import Foundation
import Testing

/// Several devices in one command: nothing is widened, and each is told of truthfully.
@Suite struct VanGroupTests {
    @Test func theLights_areAllOfThem() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("turn on the lights").text == "All 3 lights are on.")
            #expect(try await bench.say("turn on the lights").text == "All 3 lights are already on.")
        }
    }

    @Test func theLightsOfAnArea_areThoseOnly() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let reply = try await bench.say("turn on the lights in the kitchen")
            #expect(reply.text == "Both lights in the kitchen are on.")
            #expect(Set(bench.sent) == ["van/kl/set ON", "van/sink/set ON"])
            #expect(
                try await bench.say("turn on the lights in the lounge").text
                    == "I don't know any lights in the lounge that can do that.")
            #expect(bench.sent.count == 2)
        }
    }

    @Test func allLightsButOne_leavesThatOut() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("turn off all the lights but the awning light").text == "Both lights are off.")
            #expect(!bench.sent.contains("van/al/set OFF"))
        }
    }

    @Test func oneThatDoesNotAnswer_isNamed() async throws {
        let bench = try VanYard.bench(confirmationLimit: .milliseconds(300))
        bench.obeysAll(but: "van/al/set")
        try await bench.run { () async throws in
            let reply = try await bench.say("turn off all the lights")
            #expect(reply.text == "2 of 3 lights are off; the awning light hasn't confirmed.")
            #expect(reply.outcome == .failed)
        }
    }

    @Test func oneThatIsOffline_isNamed() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/al/there", "offline"))
            #expect(
                try await bench.say("turn on the lights").text == "2 of 3 lights are on; the awning light is offline.")
        }
    }

    @Test func aGroup_isItsMembers() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("turn on the mood lights").text == "Both mood lights are on.")
        }
    }

    @Test func everything_isAskedFor() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let question = try await bench.say("everything off")
            #expect(question.text.hasSuffix("Shall I?"))
            #expect(bench.sent.isEmpty)
            let reply = try await bench.sayYes("everything off")
            #expect(reply.text.hasSuffix("devices are off."))
        }
    }

    @Test func manyAtOnce_areUndoneTogether() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/kl/state", "ON"), ("van/sink/state", "OFF"), ("van/al/state", "ON"))
            let reply = try await bench.say("lights off")
            #expect(reply.text == "All 3 lights are off.")
            #expect(try await bench.undo(reply) == true)
            #expect(Set(bench.sent.suffix(2)) == ["van/kl/set ON", "van/al/set ON"])
        }
    }

    @Test func everythingOff_leavesCoversScenesAndButtonsAlone() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            _ = try await bench.sayYes("turn everything off")
            #expect(bench.sent.contains("van/fan/set OFF"))
            #expect(!bench.sent.contains { $0.hasPrefix("van/vent") || $0.hasPrefix("van/bell") })
        }
    }

    @Test func everythingButOne_leavesThatOut() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            _ = try await bench.sayYes("turn everything off but the roof fan")
            #expect(bench.sent.contains("van/kl/set OFF"))
            #expect(!bench.sent.contains("van/fan/set OFF"))
        }
    }
}
