@testable import Domain
@testable import Language
@testable import Devices
import CopilotTestKit
import Testing

/// How devices are spoken of: by what can do it, in sets, by places, with exceptions, and in the words of their class.
@Suite struct VanSpokenOfTests {
    private static func sensor(_ name: String, _ deviceClass: String, id: String? = nil, area: String? = nil) -> Device
    {
        var device = VanBench.device(name, .binarySensor, area: area, id: id, command: false)
        device.deviceClass = deviceClass
        return device
    }

    private static func lamp(_ name: String, area: String? = nil) -> Device {
        let id = name.replacing(" ", with: "_")
        var lamp = VanBench.device(name, .light, area: area)
        lamp.level = Scale(commandTopic: "van/\(id)/level/set", stateTopic: "van/\(id)/level/state")
        lamp.colour = ColourControl(
            commandTopic: "van/\(id)/colour/set", stateTopic: "van/\(id)/colour/state", command: .init(model: .rgb),
            state: .init(model: .rgb))
        return lamp
    }

    private static let lights = [
        lamp("hob lamp", area: "kitchen"), lamp("sink lamp", area: "kitchen"), lamp("bunk lamp", area: "bedroom"),
        lamp("awning light"),
    ]

    /// What was sent, without the levels' topics.
    private static func switched(_ devices: [Device], _ said: String, lit: Bool) async throws -> (Set<String>, String) {
        let bench = try VanBench(devices: devices)
        bench.answersAll()
        var text = ""
        try await bench.run {
            for device in devices where device.canSwitch {
                try await bench.report((device.id, lit ? "ON" : "OFF"))
            }
            text = try await bench.say(said).text
        }
        return (Set(bench.sent), text)
    }

    private static func off(_ names: String...) -> Set<String> { Set(names.map { "van/\($0)/set OFF" }) }

    @Test func aSensorCalledLight_isNotWhatIsSwitched() async throws {
        let devices = Self.lights + [Self.sensor("light", "light")]
        let (sent, text) = try await Self.switched(devices, "turn the lights off", lit: true)
        #expect(sent.count == 4)
        #expect(text == "All 4 lights are off.")
    }

    @Test(arguments: [
        ("turn every light off apart from the kitchen", ["bunk_lamp", "awning_light"]),
        ("all the lights off but leave the bedroom on", ["hob_lamp", "sink_lamp", "awning_light"]),
        ("leave the bunk lamp on but turn off the rest", ["hob_lamp", "sink_lamp", "awning_light"]),
        ("switch all the lights off except the awning light", ["hob_lamp", "sink_lamp", "bunk_lamp"]),
        ("kitchen lights out", ["hob_lamp", "sink_lamp"]),
        ("turn off the kitchen light", ["hob_lamp", "sink_lamp"]),
        ("deactivate each light in the whole van", ["hob_lamp", "sink_lamp", "bunk_lamp", "awning_light"]),
    ])
    func exceptionsAndPlaces_areKeptTo(_ said: String, _ names: [String]) async throws {
        let (sent, _) = try await Self.switched(Self.lights, said, lit: true)
        #expect(sent == Set(names.map { "van/\($0)/set OFF" }))
    }

    @Test func onlyOneLight_turnsTheOthersOff() async throws {
        let bench = try VanBench(devices: Self.lights)
        bench.answersAll()
        try await bench.run {
            try await bench.report(
                ("hob_lamp", "ON"), ("sink_lamp", "OFF"), ("bunk_lamp", "OFF"), ("awning_light", "ON"))
            _ = try await bench.say("only the bunk lamp")
            #expect(Set(bench.sent) == ["van/bunk_lamp/set ON", "van/hob_lamp/set OFF", "van/awning_light/set OFF"])
        }
    }

    @Test(arguments: [
        ("bedroom to 40 percent", "van/bunk_lamp/level/set 40"),
        ("set the brightness in the bedroom to maximum", "van/bunk_lamp/level/set 100"),
        ("set the bunk lamp to the lowest", "van/bunk_lamp/level/set 1"),
        ("make the bunk lamp blue", "van/bunk_lamp/colour/set 0,0,255"),
        ("change the colour of the bedroom to orange", "van/bunk_lamp/colour/set 255,165,0"),
    ])
    func aPlaceIsItsLight_andLevelsAndColoursHaveWords(_ said: String, _ message: String) async throws {
        let bench = try VanBench(devices: Self.lights)
        bench.answersAll()
        try await bench.run {
            try await bench.report(("bunk_lamp", "ON"))
            _ = try await bench.say(said)
            #expect(bench.sent == [message])
        }
    }

    @Test func aDeviceElsewhere_isNotTheOneThatIsNamed() async throws {
        let bench = try VanBench(devices: Self.lights)
        try await bench.run {
            let reply = try await bench.say("turn on the bunk lamp in the kitchen")
            #expect(reply.text == "I don't know a device called bunk lamp in the kitchen.")
            #expect(bench.sent.isEmpty)
        }
    }

    @Test func aLampWithoutColours_saysSo() async throws {
        let bench = try VanBench()
        try await bench.run {
            let reply = try await bench.say("make the porch light purple")
            #expect(reply.text == "The porch light has no colours.")
            #expect(bench.sent.isEmpty)
        }
    }

    @Test(arguments: [("fan speed two", "2"), ("roof fan to full", "3"), ("set the roof fan to speed 1", "1")])
    func aFansSteps_haveNumbers(_ said: String, _ payload: String) async throws {
        var fan = VanBench.device("roof fan", .fan)
        fan.level = Scale(commandTopic: "van/roof_fan/level/set", stateTopic: "van/roof_fan/level/state", maximum: 3)
        let bench = try VanBench(devices: [fan])
        bench.answersAll()
        try await bench.run {
            try await bench.report(("roof_fan", "ON"))
            _ = try await bench.say(said)
            #expect(bench.sent == ["van/roof_fan/level/set \(payload)"])
            let reply = try await bench.say("fan speed seven")
            #expect(reply.outcome == .failed)
            #expect(bench.sent.count == 1)
        }
    }

    @Test func toggle_sendsTheOtherState_andNothingWhereItIsNotKnown() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            let reply = try await bench.say("toggle the fridge")
            #expect(reply.outcome == .failed)
            #expect(bench.sent.isEmpty)
            try await bench.report(("fridge", "ON"))
            _ = try await bench.say("toggle the fridge")
            #expect(bench.sent == ["van/fridge/set OFF"])
        }
    }

    @Test(arguments: [
        ("is the bilge sensor wet", "The bilge sensor is dry."), ("is the tablet charging", "The tablet is charging."),
        ("is the tablet battery low", "The tablet battery is normal."),
        ("are any batteries low", "No batteries are low."),
        ("which batteries are charging", "The tablet is charging."),
        ("how many windows are open", "1 window is open: the galley window."),
        ("which doors are locked", "The side door is locked."),
        ("are all the doors locked", "No: the cab door is unlocked."),
        ("is the galley occupied", "The presence is detected."), ("are all the lights off", "No: the hob lamp is on."),
    ])
    func questions_areAnsweredInTheWordsOfTheClass_andDoNothing(_ said: String, _ answer: String) async throws {
        var side = VanBench.device("side door", .lock), cab = VanBench.device("cab door", .lock)
        (side.verbs, cab.verbs) = ([.lock: "LOCK", .unlock: "UNLOCK"], [.lock: "LOCK", .unlock: "UNLOCK"])
        side.stateWords = ["LOCKED": .locked, "UNLOCKED": .unlocked]
        cab.stateWords = side.stateWords
        let bench = try VanBench(
            devices: [
                Self.sensor("bilge sensor", "moisture"), Self.sensor("tablet", "battery", id: "tablet1"),
                Self.sensor("tablet", "battery_charging", id: "tablet2"), Self.sensor("galley window", "window"),
                Self.sensor("cab window", "window"), side, cab, Self.sensor("monitor", "carbon_monoxide"),
                Self.sensor("presence", "occupancy", area: "galley"), VanBench.device("hob lamp", .light),
            ])
        try await bench.run {
            try await bench.report(
                ("bilge_sensor", "OFF"), ("tablet1", "OFF"), ("tablet2", "ON"), ("galley_window", "ON"),
                ("cab_window", "OFF"), ("side_door", "LOCKED"), ("cab_door", "UNLOCKED"), ("monitor", "OFF"),
                ("presence", "ON"), ("hob_lamp", "ON"))
            #expect(try await bench.say(said).text.contains(answer))
            #expect(bench.sent.isEmpty)
        }
    }

    @Test func several_areSaidToBeAtALevel_onlyWhereTheyAre() async throws {
        let bench = try VanBench(devices: [Self.lamp("hob lamp"), Self.lamp("bunk lamp")])
        bench.answersAll()
        try await bench.run {
            try await bench.report(("hob_lamp", "ON"), ("bunk_lamp", "ON"))
            try await bench.report(("hob_lamp/level", "60"), ("bunk_lamp/level", "20"))
            let reply = try await bench.say("brighten the lights")
            #expect(reply.text == "The hob lamp is at 80% and the bunk lamp is at 40%.")
        }
    }

    @Test(arguments: ["it's a bit warm in here", "it's getting warm in the van"])
    func whoIsWarm_getsNoMoreHeat(_ said: String) async throws {
        var heater = VanBench.device("heater", .heater)
        heater.target = Scale(
            commandTopic: "van/heater/target/set", stateTopic: "van/heater/target/state", minimum: 5, maximum: 30,
            unit: "°C")
        let bench = try VanBench(devices: [heater])
        bench.answersAll()
        try await bench.run {
            try await bench.report(("heater", "ON"), ("heater/target", "20"))
            _ = try await bench.say(said)
            #expect(!bench.sent.contains { ($0.split(separator: " ").last.flatMap { Double($0) } ?? 0) > 20 })
        }
    }

    @Test func theStep_isPutIn() async throws {
        let bench = try VanBench(devices: [VanBench.device("step", .switch)])
        bench.answersAll()
        try await bench.run {
            try await bench.report(("step", "ON"))
            #expect(try await bench.say("put the step in").text == "The step is in.")
            #expect(bench.sent == ["van/step/set OFF"])
        }
    }

    @Test func aBitMore_isTheSameAgain() throws {
        let index = PhraseIndex(books: English.books, names: OwnerNames())
        let last = Command(
            handler: "van", intent: "adjust_level",
            slots: ["kinds": SlotValue(text: "all light"), "direction": SlotValue(text: "down")])
        let followUp = FollowUp(index: index, router: Router(index: index, classifier: nil), last: last)
        #expect(followUp.command(English.books.normaliser.normalise("a bit more")) == last)
        let other = FollowUp(
            index: index, router: Router(index: index, classifier: nil),
            last: Command(handler: "van", intent: "turn_on", slots: ["kinds": SlotValue(text: "all light")]))
        #expect(other.command(English.books.normaliser.normalise("a bit more")) == nil)
    }
}
