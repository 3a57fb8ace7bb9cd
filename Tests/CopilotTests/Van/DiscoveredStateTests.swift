@testable import Domain
@testable import Devices
import CopilotTestKit
import Testing

/// States of devices that described themselves, as the van keeps them.
@Suite struct DiscoveredStateTests {
    private func van(_ component: String, _ payload: String) throws -> VanBench {
        let device = try ConventionBench(HomeAssistantDiscovery()).device(
            "homeassistant/\(component)/thing/config", payload)
        return try VanBench(devices: [device])
    }

    private func report(_ van: VanBench, _ messages: (topic: String, payload: String)...) async throws -> DeviceReport {
        for message in messages { van.bus.deliver(message.topic, message.payload) }
        try await van.heard()
        return await van.van.report(on: van.van.devices[0])
    }

    @Test func aLampThatCountsInMired_isReportedInKelvin() async throws {
        let van = try van("light", #"{"cmd_t":"l/set","clr_temp_cmd_t":"c/set","clr_temp_stat_t":"c"}"#)
        try await van.run { () async throws in
            #expect(try await report(van, ("c", "250")).colourTemperature == 4_000)
        }
    }

    @Test func aMotionThatNobodyTakesBack_isOverAfterItsTime() async throws {
        let van = try van("binary_sensor", #"{"stat_t":"m","off_dly":1e-9}"#)
        try await van.run { () async throws in
            #expect(try await report(van, ("m", "ON")).state == .off)
        }
    }

    @Test func theKindsOfAbsence_areKeptApart() async throws {
        let van = try van(
            "sensor", #"{"stat_t":"s","unit_of_meas":"V","avty_t":"a","exp_aft":1e-9,"val_tpl":"{{ value_json.v }}"}"#)
        try await van.run { () async throws in
            #expect(try await report(van).state == .unknown)
            #expect(try await report(van, ("s", #"{"v":null}"#)).state == .invalid)
            #expect(try await report(van, ("s", #"{"v":12}"#), ("s", #"{"other":1}"#)).state == .value("12"))
            let stale = try await report(van)
            #expect(stale.isStale && stale.isAvailable)
            #expect(try await !report(van, ("a", "offline")).isAvailable)
        }
    }

    @Test func aLightInOneObject_isDimmed_andConfirms() async throws {
        let van = try van(
            "light", #"{"name":"Lamp","schema":"json","cmd_t":"l/set","stat_t":"l","brightness":true}"#)
        van.bus.answer { [BusMessage(topic: "l", payload: Array($0.payload.utf8), isRetained: false)] }
        try await van.run { () async throws in
            #expect(try await van.say("set the lamp to forty percent").text == "The lamp is at 40%.")
            #expect(try await van.say("turn the lamp off").text == "The lamp is off.")
            #expect(van.sent == [#"l/set {"state":"ON","brightness":102}"#, #"l/set {"state":"OFF"}"#])
        }
    }

    @Test func aHeaterInFahrenheit_isSpokenOfInCelsius() async throws {
        let van = try van(
            "climate",
            #"{"name":"Heater","temp_unit":"F","temp_cmd_t":"t/set","temp_stat_t":"t","curr_temp_t":"now"}"#)
        van.bus.answer { [BusMessage(topic: "t", payload: Array($0.payload.utf8), isRetained: false)] }
        try await van.run { () async throws in
            #expect(try await report(van, ("now", "59")).current == 15)
            #expect(try await van.say("set the heater to twenty degrees").text.contains("20 °C"))
            #expect(van.sent == ["t/set 68"])
        }
    }
}
