@testable import Domain
@testable import Language
@testable import Devices
import CopilotTestKit
import Testing

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
            try await bench.report(
                ("water_pump", "ON"), ("reading_light", "OFF"), ("hob_light", "OFF"), ("awning_light", "OFF"))
            #expect(try await bench.say("which lights are on").text == "No lights are on.")
        }
    }

    @Test(arguments: [
        "make it brighter in the bedroom", "increase the brightness in the bedroom", "brighten the bedroom",
        "it's too dark in the bedroom", "make the bedroom a lot brighter", "turn up the brightness in the bedroom",
    ])
    func lightOfAPlace_isChangedByAStep(_ said: String) async throws {
        let bench = try Self.bench()
        bench.answersAll()
        try await bench.run {
            try await bench.report(("reading_light", "ON"), ("reading_light/level", "40"))
            _ = try await bench.say(said)
            let level = said.contains("a lot") ? 70 : 60
            #expect(bench.sent == ["van/reading_light/level/set \(level)"])
        }
    }

    @Test func darkness_isNoWishForHeat() async throws {
        let bench = try Self.bench()
        try await bench.run {
            let reply = try await bench.say("it's too dark in here")
            #expect(reply.text == "Which device?")
            #expect(bench.sent.isEmpty)
        }
    }

    @Test(arguments: [
        ("turn every light off", 3), ("turn off the reading lamp", 1), ("lights off in the kitchen", 1),
    ])
    func lightsByOtherWords_areTheSame(_ said: String, _ count: Int) async throws {
        let bench = try Self.bench()
        bench.answersAll()
        try await bench.run {
            try await bench.report(("hob_light", "ON"), ("reading_light", "ON"), ("awning_light", "ON"))
            let reply = try await bench.say(said)
            #expect(bench.sent.count == count)
            if count > 1 { #expect(reply.text == "All 3 lights are off.") }
        }
    }

    @Test(arguments: [
        ("-46", "how much power are we using", "46 watts are being drawn from the battery."),
        ("120", "are we charging", "The battery is charging at 120 watts."),
        ("0", "is the battery charging", "The battery power is 0 watts."),
    ])
    func powerOfTheBattery_isToldByItsWay(_ power: String, _ said: String, _ answer: String) async throws {
        var sensor = VanBench.device("battery power", .sensor, command: false)
        (sensor.deviceClass, sensor.unit) = ("battery_power", "W")
        let bench = try VanBench(devices: [sensor])
        try await bench.run {
            try await bench.report(("battery_power", power))
            #expect(try await bench.say(said).text == answer)
        }
    }

    @Test func windows_areAskedForAlone() async throws {
        func device(_ name: String, _ kind: Device.Kind, _ deviceClass: String) -> Device {
            var device = VanBench.device(name, kind, command: kind == .cover)
            device.deviceClass = deviceClass
            return device
        }
        let bench = try VanBench(devices: [
            device("roof vent", .cover, "vent"), device("kitchen window", .binarySensor, "window"),
        ])
        try await bench.run {
            #expect(
                try await bench.say("is anything open").text
                    == "I don't know about the roof vent and the kitchen window.")
            try await bench.report(("kitchen_window", "OFF"))
            bench.bus.deliver("van/roof_vent/state", "open")
            try await bench.heard()
            #expect(try await bench.say("are any windows open").text == "No windows are open.")
            #expect(try await bench.say("are any blinds open").text == "I don't know any blinds.")
        }
    }

    @Test func aStep_isOutOrIn() async throws {
        let bench = try VanBench(devices: [VanBench.device("step", .switch)])
        try await bench.run {
            try await bench.report(("step", "ON"))
            #expect(try await bench.say("is the step on").text == "The step is out.")
            try await bench.report(("step", "OFF"))
            #expect(try await bench.say("is the step on").text == "The step is in.")
        }
    }

    @Test func whatIsOffline_isTold() async throws {
        let bench = try Self.bench()
        try await bench.run {
            #expect(try await bench.say("what's offline").text == "No device is offline.")
            bench.bus.deliver("van/water_pump/there", "offline")
            try await bench.heard()
            #expect(try await bench.say("which devices are offline").text == "The water pump is offline.")
        }
    }

    @Test(arguments: [
        "don't turn off the water pump", "please don't turn on the hob light", "do not switch the water pump on",
        "never turn off the water pump", "you must not turn on the water pump", "please do not open the awning light",
        "i said don't turn the lights on", "i don't want the hob light on", "we don't want to turn the water pump on",
    ])
    func whatShallNotBeDone_isNotDone(_ said: String) throws {
        #expect(Router(index: English.index, classifier: nil).route(said).chosen?.handler != "van", "\(said)")
    }

    @Test(arguments: [
        ("i don't want the hob light on any more", "turn_off"), ("don't leave the hob light on", "turn_off"),
    ])
    func whatShallNotStayOn_isTurnedOff(_ said: String, _ intent: String) async throws {
        let bench = try Self.bench()
        bench.answersAll()
        try await bench.run {
            try await bench.report(("hob_light", "ON"))
            _ = try await bench.say(said)
            #expect(bench.sent == ["van/hob_light/set OFF"])
        }
    }

    /// As sure as can be, whatever is said.
    private struct SureOf: IntentClassifier {
        let intent: String
        func classify(_ text: String, count: Int) -> [IntentGuess] { [IntentGuess(intent: intent, probability: 0.99)] }
    }

    @Test(arguments: [
        ("should i turn on the water pump", "van.turn_on"), ("is it warm in the bedroom", "van.adjust_temperature"),
        ("do we need to turn off the water pump", "van.turn_off"),
        ("is the hob light bright enough", "van.adjust_level"),
        ("don't turn off the water pump", "van.turn_off"), ("please don't open the awning light", "van.open"),
        ("i can't see anything in here", "session.close"), ("that can't have been the hob light", "van.turn_on"),
    ])
    func aQuestionOrAComplaint_isNoCommand_howeverSureTheGuess(_ said: String, _ guess: String) {
        let chosen = Router(index: English.index, classifier: SureOf(intent: guess)).route(said).chosen
        #expect(chosen.map { "\($0.handler).\($0.intent)" } != guess)
    }

    @Test func aNegation_isNoHindrance_whereNothingIsMoved() {
        let router = Router(index: English.index, classifier: SureOf(intent: "session.louder"))
        #expect(router.route("we can't make out what you're telling us back here").chosen?.intent == "louder")
    }

    @Test func whatItIsLikeOutside_isItsTemperature() async throws {
        var sensor = VanBench.device("outside temperature", .sensor, command: false)
        (sensor.deviceClass, sensor.unit) = ("temperature_outside", "°C")
        let bench = try VanBench(devices: [sensor])
        try await bench.run {
            try await bench.report(("outside_temperature", "9"))
            let reply = try await bench.say("what's it like outside")
            #expect(reply.text == "It's 9 °C outside.")
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
            #expect(reply.text == "It's 17.5 °C inside.")
        }
    }
}
