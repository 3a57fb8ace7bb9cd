@testable import Domain
@testable import Devices
import Foundation
import Testing

/// Broken descriptions for each convention: none of them ends the daemon, and none makes a device that could not be
/// spoken of, or that would speak to others. Ten thousand, others in each run; a hundred thousand for `VANORB_LONG`.
@Suite struct DiscoveryFuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["VANORB_LONG"] == nil ? 10_000 : 100_000
    /// Repeats a run, by the number that it has printed.
    private static let seed =
        ProcessInfo.processInfo.environment["VANORB_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...999_999)

    private func fuzz(
        _ convention: any DeviceConvention, _ examples: [(topic: String, payload: String)]
    ) {
        print("\(type(of: convention)): \(Self.rounds) broken descriptions, VANORB_SEED=\(Self.seed)")
        var convention = convention, mutator = PayloadMutator(seed: Self.seed)
        let examples = examples.map { ($0.topic, Array($0.payload.utf8)) }
        var found = 0
        for round in 0..<Self.rounds {
            let (topic, payload) = examples[round % examples.count]
            let broken = mutator.mutated(payload)
            let message = BusMessage(topic: topic, payload: broken, isRetained: true)
            guard let discovery = convention.read(message) else { continue }
            for device in discovery.devices {
                found += 1
                // A payload that made no sense as a description makes none as a state, and must do no harm there.
                guard isSound(device, broken, isThorough: round % 16 == 0) else {
                    Issue.record("\(topic) \(String(decoding: broken, as: UTF8.self)): \(device)")
                    return
                }
            }
            for request in discovery.requests where !isTopic(request.topic) {
                Issue.record("\(String(decoding: broken, as: UTF8.self)): \(request)")
                return
            }
        }
        // Mutations that leave nothing to read would prove nothing.
        #expect(found > Self.rounds / 20)
    }

    private func isTopic(_ topic: String) -> Bool {
        !topic.isEmpty && !topic.utf8.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") || $0 == 0 }
    }

    private func isSound(_ device: Device, _ payload: [UInt8], isThorough: Bool) -> Bool {
        guard !device.name.isEmpty, !device.id.isEmpty, device.isUseful, device.topics.allSatisfy(isTopic) else {
            return false
        }
        guard isThorough else { return true }
        let message = BusMessage(topic: "any", payload: payload, isRetained: false)
        for aspect in Aspect.allCases { _ = device.state(aspect, payload: message) }
        for source in device.availability { _ = source.says(payload) }
        let commands: [DeviceCommand] = [
            .on, .off, .verb(.open), .verb(.press), .level(50), .colourTemperature(3_000), .temperature(20),
            .value(10), .option("heat"),
        ]
        for command in commands {
            // What it cannot do it refuses.
            guard let order = try? device.plan(for: command, .unknown) else { continue }
            if !order.messages.allSatisfy({ isTopic($0.topic) }) { return false }
        }
        return true
    }

    @Test func homeAssistant_survivesWhatComes() {
        fuzz(
            HomeAssistantDiscovery(),
            [
                (
                    "homeassistant/light/kitchen/config",
                    #"{"~":"h","name":"Kitchen","cmd_t":"~/set","stat_t":"~/s","schema":"json","brightness":true}"#
                ),
                (
                    "homeassistant/device/1/config",
                    #"{"dev":{},"o":{},"cmps":{"i":{"p":"sensor","val_tpl":"{{ value_json.t }}"}},"stat_t":"s"}"#
                ),
                (
                    "homeassistant/cover/a/config",
                    #"{"cmd_t":"c","pl_stop":null,"pos_t":"p","set_pos_t":"q","pos_open":0,"pos_clsd":100}"#
                ),
                (
                    "homeassistant/climate/a/config",
                    #"{"mode_cmd_t":"m","modes":["off","heat"],"temp_cmd_t":"t","min_temp":5,"temp_unit":"F"}"#
                ),
                (
                    "homeassistant/fan/n/a/config",
                    #"{"cmd_t":"f","pct_cmd_t":"s","spd_rng_max":3,"avty":[{"t":"a"}],"pr_modes":["x"]}"#
                ),
                ("homeassistant/select/a/config", #"{"cmd_t":"s","ops":["a","b"],"cmd_tpl":"{{ value | lower }}"}"#),
                ("homeassistant/number/a/config", #"{"cmd_t":"n","min":5,"max":50,"step":5,"dev":{"sa":"x"}}"#),
            ])
    }

    @Test func zigbee2MQTT_survivesWhatComes() {
        let state = #"{"name":"state","property":"state","access":7,"value_on":"ON"}"#
        func node(_ exposes: String) -> String {
            "[{\"ieee_address\":\"0x0a\",\"friendly_name\":\"l\",\"definition\":{\"exposes\":[\(exposes)]}}]"
        }
        fuzz(
            Zigbee2MQTTDiscovery(),
            [
                (
                    "zigbee2mqtt/bridge/devices",
                    node(#"{"type":"light","features":[\#(state),{"name":"brightness","access":7,"value_max":254}]}"#)
                ),
                (
                    "zigbee2mqtt/bridge/devices",
                    node(#"{"type":"climate","features":[{"name":"system_mode","access":7,"values":["off","heat"]}]}"#)
                ),
                (
                    "zigbee2mqtt/bridge/devices",
                    node(#"{"type":"binary","name":"contact","property":"contact","access":1,"value_on":false}"#)
                ),
                (
                    "zigbee2mqtt/bridge/groups",
                    #"[{"friendly_name":"g","scenes":[{"id":3,"name":"m"}],"members":[{"ieee_address":"0x0a"}]}]"#
                ),
            ])
    }

    @Test func tasmota_survivesWhatComes() {
        fuzz(
            TasmotaDiscovery(),
            [
                (
                    "tasmota/discovery/AB/config",
                    #"{"dn":"D","fn":["P"],"ft":"%prefix%/%topic%","t":"l","tp":["c","s","t"],"rl":[1,2],"lt_st":2}"#
                ),
                (
                    "tasmota/discovery/AB/sensors",
                    #"{"sn":{"DS18B20":{"Id":"01","Temperature":20.6},"TempUnit":"C"}}"#
                ),
            ])
    }

    @Test func victron_survivesWhatComes() {
        // A value that tells nothing new gives no devices; gone and back again, it does.
        fuzz(
            VictronDiscovery(),
            [
                ("N/p/tank/1/Level", #"{"value":5}"#), ("N/p/tank/1/FluidType", #"{"value":1}"#),
                ("N/p/tank/1/Capacity", #"{"value":0.09}"#), ("N/p/tank/1/CustomName", #"{"value":"Tank"}"#),
                ("N/p/system/0/Dc/Battery/Soc", #"{"value":80}"#),
                ("N/p/temperature/2/TemperatureType", #"{"value":4}"#),
                ("N/p/temperature/2/Temperature", #"{"value":4}"#),
            ])
    }
}
