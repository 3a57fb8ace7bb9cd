@testable import Devices
import CopilotTestKit
import Testing

/// Why a device does not hear, or is not heard.
@Suite struct VanDiagnosticsTests {
    @Test func commandThatTheBrokerKeeps_isNamed_andAnEmptyOneIsNot() async throws {
        let bench = try VanBench()
        try await bench.run {
            bench.bus.deliver("van/fridge/set", "ON", isRetained: true)
            bench.bus.deliver("van/water_pump/set", "", isRetained: true)
            bench.bus.deliver("van/roof_fan/set", "ON")
            try await bench.heard()
            let kept = await bench.van.problems.filter { if case .keptCommand = $0 { true } else { false } }
            #expect(kept == [.keptCommand(device: "fridge", topic: "van/fridge/set")])
        }
    }

    @Test func topicOnWhichNothingCame_andDeviceThatIsAway_areNamed() async throws {
        let fridge = VanBench.device("fridge", .switch), bench = try VanBench(devices: [fridge])
        try await bench.run {
            #expect(await bench.van.problems == [.silent(device: "fridge", topic: "van/fridge/state")])
            try await bench.report(("fridge", "ON"))
            #expect(await bench.van.problems.isEmpty)
            try await bench.isThere("fridge", false)
            #expect(await bench.van.problems == [.offline(device: "fridge")])
            #expect(
                await bench.van.topics(of: fridge).map(\.payload) == [nil, "ON", "offline"],
                "command, state, availability")
        }
    }

    @Test func descriptionOfADeviceThatIsGone_isOrphaned_andRemovedOnRequest() async throws {
        let bus = FakeBus()
        let van = Van(
            discovery: DiscoverySettings(conventions: [HomeAssistantDiscovery()]), bus: bus, logger: .silent)
        let task = Task { await van.run() }
        try await bus.consumers.until("the van follows the bus") { !$0.isEmpty }
        for id in ["gone", "here"] {
            bus.deliver(
                "homeassistant/switch/\(id)/config",
                #"{"name":"\#(id)","uniq_id":"\#(id)","cmd_t":"\#(id)/set","stat_t":"\#(id)/state","avty_t":"\#(id)/there"}"#,
                isRetained: true)
        }
        var changes = van.deviceChanges.stream.makeAsyncIterator()
        _ = await changes.next()
        bus.deliver("here/state", "ON", isRetained: true)
        bus.deliver("here/there", "online", isRetained: true)
        bus.deliver("gone/there", "offline", isRetained: true)
        bus.deliver("homeassistant/switch/gone2/config", #"{"name":"x","uniq_id":"x","cmd_t":"x/set"}"#)
        _ = await changes.next()
        #expect(await van.orphaned == ["homeassistant/switch/gone/config"])
        try await van.removeDescriptions(await van.orphaned)
        #expect(bus.journal.entries.contains(.init("homeassistant/switch/gone/config", "", retain: true)))
        bus.close()
        await task.value
    }
}
