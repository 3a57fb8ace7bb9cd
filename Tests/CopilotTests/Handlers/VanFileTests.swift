@testable import Configuration
@testable import Devices
import Foundation
import Testing

/// The owner's device file, beyond switches.
@Suite struct VanFileTests {
    private func read(_ text: String) throws -> VanFile {
        try DeviceFile.read(ConfigurationNode(parsing: text, file: "devices.yaml"))
    }

    @Test func theDemonstrationVan_isRead_andHasEveryKindButScenesOfOthers() throws {
        let path = testsFolder + "/../deploy/demo-van/devices.yaml"
        let file = try DeviceFile.read(ConfigurationNode(contentsOf: path))
        let kinds = Set(file.devices.map(\.kind))
        #expect(Set(Device.Kind.allCases).subtracting(kinds) == [.climate, .scene])
        #expect(file.modes.first?.checks.isEmpty == false)
    }

    @Test(arguments: [
        ("- {name: a, kind: sensor, state_topic: b, speed: {state_topic: c}}", "a sensor has no “speed”"),
        ("- {name: a, kind: light, command_topic: b, brightness: {}}", "neither command_topic nor state_topic"),
        (
            "- {name: a, kind: light, command_topic: b, brightness: {command_topic: c, min: 5, max: 5}}",
            "are the same"
        ),
        ("- {name: a, kind: fan, command_topic: b, speed: {command_topic: c, step: 0}}", "a step above zero"),
        ("- {name: a, kind: fan, command_topic: b, speed: {command_topic: c, payload: on}}", "must have {value}"),
        ("- {name: a, kind: select, command_topic: b}", "without “options”"),
        ("- {name: a, kind: select, command_topic: b, options: [x, x]}", "a name occurs twice"),
        ("- {name: a, kind: button}", "needs a “command_topic”"),
        ("- {name: a, kind: lock, command_topic: b, payload_open: X}", "a lock has no “payload_open”"),
        ("- {name: a, kind: sensor, state_topic: b, capacity: lots}", "such as 200 Ah"),
        ("- {name: a, kind: sensor, state_topic: b, expires_after: 0}", "above zero"),
        ("- {name: a, kind: number, command_topic: b, min: 9, max: 1}", "not below"),
        ("- {name: a, kind: cover, command_topic: b, state_open: x, state_closed: x}", "two meanings"),
    ])
    func aDeviceThatIsWrong_isRefused_withItsLine(line: String, message: String) {
        #expect {
            _ = try read("devices:\n\(line)")
        } throws: { error in
            "\(error)".contains(message) && "\(error)".hasPrefix("devices.yaml:2:")
        }
    }

    @Test(arguments: [
        ("modes:\n- {name: x, actions: [{device: nothing, do: open}]}", "there is no device called “nothing”"),
        ("modes:\n- {name: x, actions: [{device: lamp, do: open}]}", "cannot do that"),
        ("modes:\n- {name: x, actions: [{device: lamp, do: dance}]}", "expected one of: on, off"),
        ("modes:\n- {name: x, settings: {speech.volume: 3}}", "expected 0 to 2"),
        ("modes:\n- {name: x, settings: {mqtt.port: 1}}", "“mqtt.port” does not go with a mode; these do: speech."),
        ("modes:\n- {name: x, actions: [{device: lamp, level: 140}]}", "out of range"),
        ("modes:\n- {name: x, actions: [{device: lamp}]}", "and one of: do, level"),
        ("modes:\n- {name: x, checks: [{device: lamp, is: happy}]}", "expected one of: on, off, open"),
        ("modes:\n- {name: x}\n- {name: y, aliases: [x]}", "is already the name of another"),
        ("scenes:\n- {name: x, actions: []}", "the list is empty"),
        ("scenes:\n- {name: x}", "“actions” is missing"),
        ("modes:\n- {name: x, colour: red}", "unknown key"),
    ])
    func aModeOrSceneThatIsWrong_isRefused(text: String, message: String) {
        let lamp = """
            devices:
            - {name: lamp, kind: light, command_topic: a, state_topic: b, brightness: {command_topic: c}}

            """
        #expect {
            _ = try read(lamp + text)
        } throws: { error in
            "\(error)".contains(message) && "\(error)".hasPrefix("devices.yaml:")
        }
    }
}
