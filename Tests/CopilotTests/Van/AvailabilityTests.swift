@testable import Devices
import CopilotTestKit
import Testing

/// Devices that hang on more than one availability.
@Suite struct AvailabilityTests {
    private func bench(_ mode: Device.Availability.Mode) throws -> VanBench {
        var pump = VanBench.device("water pump", .switch)
        pump.availability = [
            Device.Availability(topic: "bridge/state"),
            Device.Availability(topic: "pump/state", payloadAvailable: "Online", payloadNotAvailable: "Offline"),
        ]
        pump.availabilityMode = mode
        return try VanBench(devices: [pump])
    }

    private func isThere(_ bench: VanBench, _ messages: (topic: String, payload: String)...) async throws -> Bool {
        for message in messages { bench.bus.deliver(message.topic, message.payload) }
        try await bench.heard()
        return await bench.van.report(on: bench.van.devices[0]).isAvailable
    }

    @Test(arguments: [
        (Device.Availability.Mode.latest, false, true, true), (.all, false, false, true), (.any, true, true, true),
    ])
    func aMode_makesOneAnswerOfAll(
        mode: Device.Availability.Mode, afterBridge: Bool, afterDevice: Bool, afterBoth: Bool
    ) async throws {
        let bench = try bench(mode)
        try await bench.run { () async throws in
            #expect(try await isThere(bench))
            #expect(try await isThere(bench, ("bridge/state", "offline")) == afterBridge)
            #expect(try await isThere(bench, ("pump/state", "Online")) == afterDevice)
            #expect(try await isThere(bench, ("bridge/state", "online")) == afterBoth)
        }
    }

    @Test func anyMode_isOffline_whenAllSayso() async throws {
        let bench = try bench(.any)
        try await bench.run { () async throws in
            #expect(try await !isThere(bench, ("bridge/state", "offline"), ("pump/state", "Offline")))
        }
    }

    @Test func bothForms_areUnderstood_andAnotherCaseIsNot() {
        let source = Device.Availability(topic: "a")
        #expect(source.says(Array("online".utf8)) == true)
        #expect(source.says(Array(#"{"state":"offline"}"#.utf8)) == false)
        #expect(source.says(Array("Online".utf8)) == nil)
        #expect(source.says([0xFF]) == nil)
    }

    @Test func aTemplate_saysWhereItStands() throws {
        let source = Device.Availability(
            topic: "a", payloadAvailable: "up", payloadNotAvailable: "down",
            template: try ValueTemplate("{{ value_json.link }}"))
        #expect(source.says(Array(#"{"link":"up"}"#.utf8)) == true)
        #expect(source.says(Array(#"{"link":"down"}"#.utf8)) == false)
        #expect(source.says(Array("{}".utf8)) == nil)
    }
}
