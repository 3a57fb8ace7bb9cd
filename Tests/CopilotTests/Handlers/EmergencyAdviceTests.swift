@testable import Domain
@testable import Devices
import CopilotTestKit
import Testing

/// Which steps are read out, what the air sensors are asked, and how an alarm is taken back.
@Suite struct EmergencyAdviceTests {
    @Test(arguments: [
        ("she's not breathing", "If they don't breathe normally, call first."),
        ("he's choking on a sweet", "If they can cough, let them cough."),
        ("there's blood everywhere", "Press hard on the wound"), ("he's badly burnt", "Cool the burn"),
        ("my chest hurts", "Sit them down on the floor"),
        ("she won't wake up", "If they breathe, roll them on their side"),
        ("everyone's got a headache", "Everybody out into the fresh air"), ("the hob's on fire", "Everybody out, now."),
        ("the alarm is going off", "Take it as real."), ("call an ambulance", "Stay with the person."),
    ])
    func aStatement_getsItsOwnSteps_andIsPublished(text: String, steps: String) async throws {
        let bench = try VanBench()
        let reply = try await bench.say(text)
        #expect(reply.text.hasPrefix(steps))
        #expect(reply.text.contains("999"))
        #expect(bench.bus.journal.entries.count == 1)
    }

    private static func sensor() -> Device {
        var device = Device(id: "co", name: "co alarm", kind: .binarySensor, origin: "owner")
        device.deviceClass = "carbon_monoxide"
        device.stateTopic = "van/co/state"
        (device.stateOn, device.stateOff) = ("ON", "OFF")
        return device
    }

    @Test(arguments: [
        ("OFF", "The co alarm reports no carbon monoxide. If anyone has a headache"),
        ("ON", "Alarm! The co alarm reports carbon monoxide. Everybody out"),
        (nil, "I can't tell: I have no recent report from the co alarm. If anyone has a headache"),
    ])
    func theAirIsAskedAbout_andNothingIsPublished(state: String?, answer: String) async throws {
        let bench = try VanBench(devices: [Self.sensor()])
        if let state {
            await bench.van.receive(
                BusMessage(topic: "van/co/state", payload: Array(state.utf8), isRetained: false),
                at: .now)
        }
        let reply = try await bench.say("is there carbon monoxide")
        #expect(reply.text.hasPrefix(answer))
        #expect(bench.bus.journal.entries.isEmpty)
    }

    @Test func withoutASensor_theAirIsUnknown() async throws {
        let bench = try VanBench()
        #expect(
            try await bench.say("is there a gas leak").text
                .hasPrefix("I can't tell: I know of no gas sensor here. If you smell gas"))
        #expect(bench.bus.journal.entries.isEmpty)
    }

    @Test func aFalseAlarm_isTakenBackOnTheBus() async throws {
        let bench = try VanBench()
        _ = try await bench.say("fire")
        let reply = try await bench.say("false alarm")
        #expect(reply.text == "A false alarm, then. If anyone has been called, tell them, too.")
        #expect(bench.bus.journal.entries.last == .init("vanorb/emergency", #"{"kind":"false_alarm"}"#))
    }

    @Test func aFalseAlarmThatTheBrokerRefuses_isSaidToBeUnsent() async throws {
        let bench = try VanBench()
        bench.bus.reach(false)
        #expect(try await bench.ask("false alarm", bench.context).text.contains("may still show the alarm"))
    }
}
