@testable import Domain
@testable import Configuration
@testable import Devices
import CopilotTestKit
import Foundation

/// A van with devices of many kinds, as an owner describes them.
enum VanYard {
    static let text = """
        devices:
          - {name: kitchen light, kind: light, area: kitchen, groups: [mood lights], command_topic: van/kl/set,
             state_topic: van/kl/state, availability_topic: van/kl/there,
             brightness: {command_topic: van/kl/dim/set, state_topic: van/kl/dim, max: 255}}
          - {name: sink light, kind: light, area: kitchen, command_topic: van/sink/set, state_topic: van/sink/state,
             availability_topic: van/sink/there}
          - {name: awning light, kind: light, area: outside, groups: [mood lights], command_topic: van/al/set,
             state_topic: van/al/state, availability_topic: van/al/there}
          - {name: roof fan, kind: fan, area: lounge, command_topic: van/fan/set, state_topic: van/fan/state,
             speed: {command_topic: van/fan/speed/set, state_topic: van/fan/speed}}
          - {name: roof vent, kind: cover, area: lounge, command_topic: van/vent/set, state_topic: van/vent/state,
             availability_topic: van/vent/there,
             position: {command_topic: van/vent/pos/set, state_topic: van/vent/pos}}
          - {name: front door, kind: lock, command_topic: van/door/set, state_topic: van/door/state}
          - {name: heater, kind: heater, area: lounge, command_topic: van/heat/set, state_topic: van/heat/state,
             temperature: {command_topic: van/heat/temp/set, state_topic: van/heat/temp, min: 5, max: 30, step: 0.5},
             current: {state_topic: van/heat/now},
             options: {command_topic: van/heat/mode/set, state_topic: van/heat/mode, names: [eco, boost]}}
          - {name: inverter, kind: switch, risk: true, command_topic: van/inv/set, state_topic: van/inv/state}
          - {name: leisure battery, kind: sensor, device_class: battery, unit: "%", capacity: 200 Ah,
             state_topic: van/system/state, value_path: battery.soc}
          - {name: battery power, kind: sensor, device_class: battery_power, unit: W, state_topic: van/power/state}
          - {name: grey water tank, kind: sensor, device_class: grey_water, unit: "%", capacity: 90 L,
             state_topic: van/grey/state, expires_after: 600}
          - {name: kitchen window, kind: binary_sensor, device_class: window, state_topic: van/win/state}
          - {name: charge limit, kind: number, unit: A, min: 5, max: 50, step: 5, command_topic: van/lim/set,
             state_topic: van/lim/state}
          - {name: fridge, kind: select, command_topic: van/fridge/set, state_topic: van/fridge/state,
             options: [{name: twelve volts, payload: dc}, mains, gas]}
          - {name: doorbell, kind: button, command_topic: van/bell/set}
        scenes:
          - name: movie night
            actions: [{device: kitchen light, do: "off"}, {device: roof fan, do: "off"}]
        modes:
          - name: drive
            checks: [{device: roof vent, is: closed}, {device: fridge, option: twelve volts}]
            actions: [{device: roof fan, do: "off"}, {device: fridge, option: twelve volts}]
          - name: surf
            aliases: [surfing]
        """

    static func bench(confirmationLimit: Duration = .seconds(10), stores: Stores? = nil) throws -> VanBench {
        let file = try DeviceFile.read(ConfigurationNode(parsing: text, file: "devices.yaml"))
        return try VanBench(
            devices: file.devices, scenes: file.scenes, modes: file.modes, stores: stores,
            confirmationLimit: confirmationLimit)
    }
}

extension VanBench {
    /// Devices that do as they are told, each state on the topic beside the command's, in a cover's and a lock's words.
    func obeysAll(but silent: String? = nil) {
        let words = ["OPEN": "open", "CLOSE": "closed", "STOP": "stopped", "LOCK": "LOCKED", "UNLOCK": "UNLOCKED"]
        bus.answer { publication in
            guard publication.topic.hasSuffix("/set"), publication.topic != silent else { return [] }
            var topic = String(publication.topic.dropLast(4))
            if topic.split(separator: "/").count == 2 { topic += "/state" }
            let payload = words[publication.payload] ?? publication.payload
            return [BusMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)]
        }
    }

    /// Something arrives on topics, and the van has heard it.
    func tell(_ messages: (topic: String, payload: String)...) async throws {
        for message in messages { bus.deliver(message.topic, message.payload) }
        try await heard()
    }

    /// Says it, and yes to what is asked.
    func sayYes(_ text: String) async throws -> Reply {
        let reply = try await say(text)
        guard case .confirmation(let command, _)? = reply.question else { return reply }
        return try await act(command.confirmed)
    }

    /// What was sent.
    var sent: [String] { bus.journal.entries.map { "\($0.topic) \($0.payload)" } }
}
