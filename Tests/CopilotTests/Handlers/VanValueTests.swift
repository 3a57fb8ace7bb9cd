import CopilotTestKit
import Foundation
import Testing

/// Questions about sensors, and about what is open.
@Suite struct VanValueTests {
    @Test func aTank_isReadInPercent_andLitres() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            #expect(
                try await bench.say("how full is the grey water").text
                    == "The grey water tank hasn't reported anything yet.")
            try await bench.tell(("van/grey/state", "50"))
            #expect(
                try await bench.say("how full is the grey water").text
                    == "The grey water tank is at 50%, about 45 litres.")
            try await bench.tell(("van/grey/state", "a lot"))
            #expect(
                try await bench.say("how full is the grey water tank").text
                    == "The grey water tank reports no valid state.")
        }
    }

    @Test(arguments: [
        ("{\"battery\":{\"soc\":82.4}}", "The leisure battery is at 82.4%."),
        ("{\"battery\":{\"soc\":null}}", "The leisure battery reports no valid state."),
        ("{\"battery\":{}}", "The leisure battery hasn't reported anything yet."),
        ("{\"battery\":", "The leisure battery reports no valid state."),
    ])
    func aJSONPayload_isReadByItsPath(payload: String, answer: String) async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            try await bench.tell(("van/system/state", payload))
            #expect(try await bench.say("what's the battery at").text == answer)
        }
    }

    @Test func theWarmth_isTheHeatersWhereNoSensorIs() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            try await bench.tell(("van/heat/now", "17.5"))
            #expect(try await bench.say("how warm is it inside").text == "The heater is at 17.5 °C.")
            #expect(try await bench.say("how cold is it outside").text == "I have no sensor for that.")
        }
    }

    @Test func theTimeLeft_isWorkedOut_orWhatIsMissingIsSaid() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            let question = "how long will the battery last"
            #expect(try await bench.say(question).text == "I don't know how full the leisure battery is now.")
            try await bench.tell(("van/system/state", "{\"battery\":{\"soc\":50}}"))
            #expect(
                try await bench.say(question).text
                    == "The leisure battery is at 50%, but no sensor tells me what is being drawn.")
            // 200 Ah × 12.8 V × 50 % ÷ 64 W = 20 h.
            try await bench.tell(("van/power/state", "-64"))
            #expect(
                try await bench.say(question).text
                    == "About 20 hours: the leisure battery is at 50%, and 64 watts are being drawn.")
            try await bench.tell(("van/power/state", "120"))
            #expect(try await bench.say(question).text == "The leisure battery is at 50% and charging.")
        }
    }

    @Test func whatIsOpen_isNamed_andWhatIsUnknownToo() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "closed"), ("van/win/state", "OFF"))
            #expect(
                try await bench.say("is anything open").text == "Nothing is open. I don't know about the front door.")
            try await bench.tell(("van/win/state", "ON"), ("van/door/state", "UNLOCKED"))
            #expect(
                try await bench.say("is anything open").text
                    == "The kitchen window is open. The front door is unlocked.")
        }
    }

    @Test func states_areSaidInTheirKindsWords() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            try await bench.tell(
                ("van/vent/state", "open"), ("van/vent/pos", "30"), ("van/door/state", "JAMMED"),
                ("van/fridge/state", "dc"), ("van/kl/state", "ON"), ("van/kl/dim", "51"), ("van/sink/state", "OFF"))
            #expect(try await bench.say("is the roof vent open").text == "The roof vent is open by 30%.")
            #expect(try await bench.say("is the front door locked").text == "The front door is jammed.")
            #expect(try await bench.say("what's the fridge set to").text == "The fridge is twelve volts.")
            #expect(try await bench.say("is the kitchen light on").text == "The kitchen light is on at 20%.")
            #expect(try await bench.say("which lights are on").text == "The kitchen light is on.")
        }
    }
}
