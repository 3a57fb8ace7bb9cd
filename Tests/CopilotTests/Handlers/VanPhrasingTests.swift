import CopilotTestKit
import Testing

@testable import Copilot

/// What people say to lights and of the weather, found by talking to the demonstration van.
@Suite struct VanPhrasingTests {
    private static func lamp(_ name: String, area: String) -> Device {
        let id = name.replacing(" ", with: "_")
        var lamp = VanBench.device(name, .light, area: area)
        lamp.level = Scale(commandTopic: "van/\(id)/level/set", stateTopic: "van/\(id)/level/state")
        lamp.colourTemperature = Scale(
            commandTopic: "van/\(id)/white/set", stateTopic: "van/\(id)/white/state", minimum: 2_700, maximum: 6_000,
            step: 100, unit: "K")
        return lamp
    }

    private static func bench() throws -> VanBench {
        try VanBench(
            devices: [
                lamp("reading light", area: "bedroom"), lamp("hob light", area: "kitchen"),
                VanBench.device("water pump", .switch), VanBench.device("awning light", .light, area: "outside"),
            ])
    }

    @Test(arguments: [
        ("make the reading light warmer", "van/reading_light/white/set 3500"),
        ("make the reading light cooler", "van/reading_light/white/set 4500"),
        ("make the reading light warm white", "van/reading_light/white/set 2700"),
        ("cool white on the reading light", "van/reading_light/white/set 5000"),
        // As far as the lamp goes.
        ("set the reading light to daylight", "van/reading_light/white/set 6000"),
        ("set the reading light to 3000 kelvin", "van/reading_light/white/set 3000"),
    ])
    func colourOfLight_isItsColourTemperature_notItsBrightness(_ said: String, _ message: String) async throws {
        let bench = try Self.bench()
        bench.answersAll()
        try await bench.run {
            try await bench.report(("reading_light", "ON"), ("reading_light/white", "4000"))
            _ = try await bench.say(said)
            #expect(bench.sent == [message])
        }
    }

    @Test func lampWithoutColours_saysThatItHasNone() async throws {
        let bench = try Self.bench()
        try await bench.run {
            let reply = try await bench.say("make the awning light warm white")
            #expect(reply.outcome == .failed)
            #expect(bench.sent.isEmpty)
        }
    }

    @Test func brightnessOfAnArea_isThatOfItsLights() async throws {
        let bench = try Self.bench()
        bench.answersAll()
        try await bench.run {
            try await bench.report(("hob_light", "ON"))
            _ = try await bench.say("full brightness in the kitchen")
            #expect(bench.sent == ["van/hob_light/level/set 100"])
        }
    }

    @Test func allLightsOffButOne_leavesThatOne_inEitherOrderOfWords() async throws {
        for said in ["all the lights off apart from the awning light", "turn all lights off except the awning light"] {
            let bench = try Self.bench()
            bench.answersAll()
            try await bench.run {
                try await bench.report(("hob_light", "ON"), ("reading_light", "ON"), ("awning_light", "ON"))
                _ = try await bench.say(said)
                #expect(Set(bench.sent) == ["van/hob_light/set OFF", "van/reading_light/set OFF"])
            }
        }
    }

    @Test func whichLightsAreOn_whereAPumpIs_isNotNothing() async throws {
        let bench = try Self.bench()
        try await bench.run {
            try await bench.report(("water_pump", "ON"))
            #expect(try await bench.say("which lights are on").text == "No lights are on.")
        }
    }

    @Test func whatItIsLikeOutside_isItsTemperature() async throws {
        var sensor = VanBench.device("outside temperature", .sensor, command: false)
        (sensor.deviceClass, sensor.unit) = ("temperature_outside", "°C")
        let bench = try VanBench(devices: [sensor])
        try await bench.run {
            try await bench.report(("outside_temperature", "9"))
            let reply = try await bench.say("what's it like outside")
            #expect(reply.text == "The outside temperature is at 9 degrees.")
        }
    }

    @Test(arguments: ["temperature in the van", "what's the temperature in the van", "how warm is it in the van"])
    func temperatureInTheVan_isTheInsideOne(_ said: String) async throws {
        var sensor = VanBench.device("inside temperature", .sensor, area: "lounge", command: false)
        (sensor.deviceClass, sensor.unit) = ("temperature", "°C")
        let bench = try VanBench(devices: [sensor])
        try await bench.run {
            try await bench.report(("inside_temperature", "17.5"))
            let reply = try await bench.say(said)
            #expect(reply.text == "Inside temperature is at 17.5 degrees.")
        }
    }
}
