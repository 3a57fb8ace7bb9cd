@testable import Devices
@testable import Dialogue
import CopilotTestKit
import Testing

/// Sensors that warn of fire, gas and carbon monoxide speak by themselves.
@Suite struct AlarmTests {
    static func sensor(_ deviceClass: String) -> Device {
        var device = Device(id: deviceClass, name: "\(deviceClass) alarm", kind: .binarySensor, origin: "owner")
        (device.stateTopic, device.deviceClass) = ("van/\(deviceClass)/state", deviceClass)
        return device
    }

    private static func bench() throws -> VanBench {
        try VanBench(devices: VanBench.devices + ["smoke", "gas", "carbon_monoxide"].map(sensor))
    }

    @Test(arguments: [
        ("smoke", "Alarm! The smoke alarm reports smoke. Everybody out, now."),
        ("gas", "Alarm! The gas alarm reports gas. No flames, no switches."),
        ("carbon_monoxide", "Alarm! The carbon_monoxide alarm reports carbon monoxide. Everybody out"),
    ])
    func sensorThatTrips_isSpokenOf_withWhatToDo(_ deviceClass: String, _ words: String) async throws {
        let bench = try Self.bench()
        try await bench.run {
            let talk = try await Talk(bench)
            bench.bus.deliver("van/\(deviceClass)/state", "ON")
            var alarms = bench.van.alarms.stream.makeAsyncIterator()
            let device = try #require(await alarms.next())
            let alarm = Task { await talk.conversation.alarm(device) }
            let turn = try await talk.turn(1)
            #expect(turn.source == "sensor")
            #expect(turn.reply.hasPrefix(words), "\(turn.reply)")
            alarm.cancel()
            await alarm.value
        }
    }

    @Test func alarm_isSpoken_alsoWhereRepliesAreOnlyShown_andTheMicrophoneIsMuted_andAQuestionIsOpen() async throws {
        let bench = try Self.bench()
        try await bench.run {
            let talk = try await Talk(bench, hears: .patient, isMuted: true) { $0.autoSpeak = false }
            #expect(await talk.conversation.say("open everything").outcome != .done)
            let alarm = Task { await talk.conversation.alarm(Self.sensor("gas")) }
            try await talk.spoken("No flames, no switches.")
            // The yes is to nothing.
            #expect(await talk.conversation.say("yes").effects.isEmpty)
            alarm.cancel()
            await alarm.value
        }
    }

    @Test func alarm_isSpokenAgainWhileTheSensorWarns_alsoWithoutTheBroker_untilTheButtonIsPressed() async throws {
        let bench = try Self.bench()
        try await bench.run {
            let talk = try await Talk(bench, hears: .patient)
            try await bench.report(("gas", "ON"))
            let alarm = Task { await talk.conversation.alarm(Self.sensor("gas")) }
            _ = try await talk.turn(1)
            try await talk.clock.sleeperRegistered(for: Conversation.alarmPause)
            // The broker goes, and with it what is known of the sensor; the danger does not.
            bench.bus.reach(false)
            try await bench.heard()
            // Another program that lets VanOrb listen is nobody who has heard it.
            await talk.conversation.press(.pressed, isByHand: false)
            await talk.conversation.press(.released, isByHand: false)
            talk.clock.advance(by: Conversation.alarmPause)
            _ = try await talk.events.first("the second warning") { event in
                if case .turn(let trace) = event { trace.source == "sensor" && trace.turn > 1 } else { false }
            }
            try await talk.clock.sleeperRegistered(for: Conversation.alarmPause)
            await talk.tap()
            talk.clock.advance(by: Conversation.alarmPause)
            await alarm.value
            #expect(await talk.conversation.services.recorder.traces.count { $0.source == "sensor" } == 2)
        }
    }

    @Test func sensorThatGoesOnWarning_isToldOnce_andAgainAfterItHasStopped() async throws {
        let bench = try Self.bench()
        try await bench.run {
            try await bench.report(("smoke", "ON"), ("smoke", "ON"), ("smoke", "OFF"), ("smoke", "ON"), ("gas", "OFF"))
            bench.van.alarms.continuation.finish()
            var names: [String] = []
            for await device in bench.van.alarms.stream { names.append(device.name) }
            #expect(names == ["smoke alarm", "smoke alarm"])
        }
    }
}
