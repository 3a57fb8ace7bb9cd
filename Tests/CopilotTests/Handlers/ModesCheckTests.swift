import CopilotTestKit
import Foundation
import Testing

/// Checks before a mode, and what a mode does.
@Suite struct ModesCheckTests {
    @Test func checksThatFail_areNamed_andTheOwnerIsAsked() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "open"))
            let reply = try await bench.say("switch to drive mode")
            #expect(
                reply.text
                    == "The roof vent is open and I don't know about the fridge. Switch to drive mode anyway?")
            #expect(try await bench.stores.kept.value("mode") == nil)
            #expect(bench.sent.isEmpty)
            let done = try await bench.sayYes("switch to drive mode")
            #expect(done.text.hasPrefix("Switched to drive mode"))
            #expect(try await bench.stores.kept.value("mode") == "drive")
        }
    }

    @Test func whenAllIsWell_itIsDoneAtOnce_andUndoneWhole() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "closed"), ("van/fridge/state", "dc"), ("van/fan/state", "ON"))
            #expect(try await bench.say("are we ready to drive").text == "All 2 checks for drive mode are fine.")
            let reply = try await bench.say("switch to drive mode")
            #expect(reply.text == "Switched to drive mode. Everything is set.")
            #expect(bench.sent == ["van/fan/set OFF"])
            #expect(try await bench.undo(reply) == true)
            #expect(bench.sent.last == "van/fan/set ON")
            #expect(try await bench.stores.kept.value("mode") == nil)
        }
    }

    @Test func aDeviceThatDoesNotFollow_isNamed() async throws {
        let bench = try VanYard.bench(confirmationLimit: .milliseconds(300))
        bench.obeysAll(but: "van/fan/set")
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "closed"), ("van/fridge/state", "dc"), ("van/fan/state", "ON"))
            #expect(
                try await bench.say("switch to drive mode").text
                    == "Switched to drive mode, but the roof fan hasn't confirmed.")
        }
    }

    @Test func offlineDevices_andALostBroker_standAgainstIt() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            try await bench.tell(("van/fridge/state", "dc"), ("van/vent/there", "offline"))
            #expect(
                try await bench.say("are we ready to drive").text
                    == "Not ready for drive mode: the roof vent is offline.")
            bench.bus.reach(false)
            try await bench.heard()
            #expect(
                try await bench.say("am I ready to drive").text
                    == "Not ready for drive mode: I can't reach the van's devices.")
        }
    }

    @Test func theOwnersModes_areKnown_byTheirOtherNamesToo() async throws {
        let bench = try VanYard.bench()
        #expect(try await bench.say("surfing mode").text == "Switched to surf mode.")
        #expect(try await bench.say("are we in surf mode").text == "Yes, it's surf mode.")
        #expect(try await bench.say("are we in camp mode").text == "No, it's surf mode.")
        #expect(try await bench.say("list the modes").text == "The modes are drive, camp, night, away and surf.")
        #expect(try await bench.say("are we ready to sleep").text == "Nothing is set to be checked for night mode.")
    }
}
