@testable import Domain
@testable import Configuration
@testable import Devices
import CopilotTestKit
import Foundation
import Testing

/// Devices: what is said is what the device has confirmed.
@Suite struct VanTests {
    @Test func aCommandThatTheDeviceConfirms_isSpokenAsDone() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            let reply = try await bench.say("turn on the water pump")
            #expect(reply.text == "The water pump is on.")
            #expect(reply.palette == .van)
            #expect(reply.effects == ["mqtt: van/water_pump/set ON"])
            #expect(bench.bus.journal.entries == [.init("van/water_pump/set", "ON")])
        }
    }

    @Test func whatIsSoAlready_isNotSentAgain() async throws {
        let bench = try VanBench()
        try await bench.run {
            try await bench.report(("water_pump", "ON"))
            #expect(try await bench.say("turn on the water pump").text == "The water pump is already on.")
            #expect(bench.bus.journal.entries.isEmpty)
        }
    }

    @Test func aDeviceWithoutAState_isTold() async throws {
        let bench = try VanBench()
        try await bench.run {
            let reply = try await bench.say("turn on the porch light")
            #expect(reply.text == "I've told the porch light, but it doesn't report back.")
        }
    }

    @Test func aDeviceThatDoesNotAnswer_isSaidNotToHaveConfirmed() async throws {
        let bench = try VanBench(confirmationLimit: .milliseconds(1))
        try await bench.run {
            let reply = try await bench.say("turn on the water pump")
            #expect(reply.text == "I've told the water pump, but it hasn't confirmed.")
        }
    }

    @Test func aDeviceThatSaysTheOpposite_hasNotConfirmed() async throws {
        let bench = try VanBench(confirmationLimit: .milliseconds(1))
        bench.bus.answer { _ in
            [BusMessage(topic: "van/water_pump/state", payload: Array("OFF".utf8), isRetained: false)]
        }
        try await bench.run {
            let reply = try await bench.say("turn on the water pump")
            #expect(reply.text.contains("hasn't confirmed"))
        }
    }

    @Test func anOfflineDevice_isSentNothing() async throws {
        let bench = try VanBench()
        try await bench.run {
            try await bench.isThere("water_pump", false)
            #expect(
                try await bench.say("turn on the water pump").text == "The water pump is offline, so I sent nothing.")
            #expect(try await bench.say("is the water pump on").text == "The water pump is offline.")
            #expect(bench.bus.journal.entries.isEmpty)
            try await bench.isThere("water_pump", true)
            bench.answersAll()
            #expect(try await bench.say("turn on the water pump").text == "The water pump is on.")
        }
    }

    @Test func withoutTheBroker_itSaysSoAtOnce_andSendsNothingLater() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            bench.bus.reach(false)
            try await bench.heard()
            #expect(try await bench.say("turn on the water pump").text == "I can't reach the van's devices.")
            #expect(try await bench.say("is the fridge on").text == "I can't reach the van's devices.")
            #expect(try await bench.say("what's on").text == "I can't reach the van's devices.")
            bench.bus.reach(true)
            try await bench.heard()
            #expect(bench.bus.journal.entries.isEmpty)
            #expect(try await bench.say("turn on the water pump").text == "The water pump is on.")
        }
    }

    @Test func withoutABus_itSaysSo() async throws {
        let bench = try VanBench(hasBus: false)
        #expect(try await bench.say("turn on the water pump").text == "I can't reach the van's devices.")
    }

    @Test func aBrokerThatGoesInTheMoment_isSaidNotToBeReached() async throws {
        let bench = try VanBench()
        bench.bus.refuse(after: 0)
        try await bench.run {
            let reply = try await bench.say("turn on the water pump")
            #expect(reply.text == "I can't reach the van's devices.")
        }
    }

    @Test func statesFromBeforeADisconnection_areNotTrusted() async throws {
        let bench = try VanBench()
        try await bench.run {
            try await bench.report(("fridge", "ON"))
            #expect(try await bench.say("is the fridge on").text == "The fridge is on.")
            bench.bus.reach(false)
            bench.bus.reach(true)
            try await bench.heard()
            #expect(try await bench.say("is the fridge on").text == "The fridge hasn't reported anything yet.")
        }
    }

    @Test func aStaleState_isSaidToBe_andIsNoReasonNotToSend() async throws {
        let fridge = VanBench.device("fridge", .switch, expiresAfter: .zero)
        let bench = try VanBench(devices: [fridge])
        bench.answersAll()
        try await bench.run {
            try await bench.report(("fridge", "ON"))
            #expect(
                try await bench.say("is the fridge on").text
                    == "The fridge was on 0 minutes ago, and has been silent since.")
            #expect(try await bench.say("turn on the fridge").text == "The fridge is on.")
        }
    }

    @Test(arguments: ["null", "", "None"])
    func aStateThatIsNone_isInvalid(payload: String) async throws {
        let bench = try VanBench()
        try await bench.run {
            try await bench.report(("fridge", payload))
            #expect(try await bench.say("is the fridge on").text == "The fridge reports no valid state.")
        }
    }

    @Test func bytesThatAreNoText_areInvalid() async throws {
        let bench = try VanBench()
        try await bench.run {
            bench.bus.deliver(BusMessage(topic: "van/fridge/state", payload: [0xC3, 0x28, 0xFF], isRetained: false))
            try await bench.heard()
            #expect(try await bench.say("is the fridge on").text == "The fridge reports no valid state.")
        }
    }

    @Test func aValue_isReadAsItIs() async throws {
        let bench = try VanBench()
        try await bench.run {
            try await bench.report(("leisure_battery", "12.6"))
            #expect(
                try await bench.say("what's the state of the leisure battery").text == "The leisure battery is 12.6.")
            #expect(try await bench.say("turn on the leisure battery").text == "The leisure battery can't be switched.")
        }
    }

    @Test func whatIsOn_isListed() async throws {
        let bench = try VanBench()
        try await bench.run {
            // Of what has told nothing it is not known that it is off.
            #expect(try await bench.say("what's on").text == "7 devices have reported nothing.")
            try await bench.report(("fridge", "OFF"), ("reading_left", "OFF"))
            #expect(
                try await bench.say("what's on").text
                    == "Nothing is on. I don't know about the water pump, the roof fan, the kitchen light, the reading "
                    + "light and the porch light.")
            try await bench.report(("fridge", "ON"), ("water_pump", "OFF"))
            #expect(try await bench.say("what's on").text == "The fridge is on.")
            try await bench.report(("roof_fan", "ON"))
            #expect(try await bench.say("what's on").text == "The fridge and the roof fan are on.")
        }
    }

    @Test func twoDevicesOfOneName_areAskedFor() async throws {
        let bench = try VanBench()
        try await bench.run {
            let reply = try await bench.say("turn on the reading light")
            #expect(reply.text == "Which one: reading light in the bedroom or reading light in the lounge?")
            #expect(bench.bus.journal.entries.isEmpty)
        }
    }

    @Test func manyCommandsAtOnce_areEachConfirmed() async throws {
        let bench = try VanBench()
        bench.answersAll()
        try await bench.run {
            let device = try #require(bench.van.devices.first)
            let outcomes = await withTaskGroup(of: CommandOutcome.self) { group in
                for _ in 0..<40 { group.addTask { await bench.van.turn(device, on: true) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.allSatisfy { $0 == .confirmed || $0 == .already })
        }
    }
}

/// The owner's device file.
@Suite struct DeviceFileTests {
    private func devices(_ text: String) throws -> [Device] {
        try DeviceFile.devices(ConfigurationNode(parsing: text, file: "devices.yaml"))
    }

    @Test func aDevice_isReadWithItsDefaults() throws {
        let device = try #require(
            try devices("devices:\n- {name: Water Pump, kind: switch, command_topic: a/set, state_topic: a}").first)
        #expect(device.id == "water_pump")
        #expect(device.name == "water pump")
        #expect(device.payloadOn == "ON")
        #expect(device.stateOff == "OFF")
        #expect(device.canSwitch)
    }

    @Test(arguments: [
        ("devices:\n- {kind: switch, command_topic: a}", "devices.yaml:2: devices[1]: “name” is missing"),
        ("devices:\n- {name: a, command_topic: a}", "devices.yaml:2: devices[1]: “kind” is missing"),
        (
            "devices:\n- {name: a, kind: toaster, command_topic: a}",
            "unknown kind “toaster”; expected one of: switch, light"
        ),
        ("devices:\n- {name: a, kind: switch}", "neither command_topic nor state_topic"),
        ("devices:\n- {name: a, kind: switch, command_topic: a/#}", "it is empty or has a wildcard"),
        ("devices:\n- {name: a, kind: switch, topic: a}", "unknown key; expected one of"),
        (
            "devices:\n- {name: a, kind: light, state_topic: a}\n- {name: A, kind: fan, state_topic: b}",
            "give it another id"
        ),
        ("devices: 3", "devices.yaml:1: devices: expected a list"),
        ("device: []", "unknown key; expected one of: devices"),
        ("- a", "expected a mapping"),
        ("devices:\n\t- a", "not valid YAML"),
    ])
    func aFileThatIsWrong_isRefused_withItsLine(text: String, message: String) {
        #expect {
            _ = try devices(text)
        } throws: { error in
            "\(error)".contains(message) && "\(error)".hasPrefix("devices.yaml:")
        }
    }

    @Test func anEmptyFile_hasNoDevices() throws {
        #expect(try devices("").isEmpty)
        #expect(try devices("devices: []").isEmpty)
    }
}
