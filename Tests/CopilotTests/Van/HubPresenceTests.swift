@testable import Domain
@testable import Devices
import CopilotTestKit
import Foundation
import Testing

/// VanOrb as Home Assistant sees it, and what it takes from there.
@Suite struct HubPresenceTests {
    private let open = HubPresence(prefix: "homeassistant", version: "1.2", takesInputs: true)
    private let shut = HubPresence(prefix: "homeassistant", version: "1.2", takesInputs: false)

    private func object(_ message: HubPresence.Message) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(message.payload.utf8)) as? [String: Any])
    }

    private func message(_ topic: String, _ text: String, isRetained: Bool = false) -> BusMessage {
        BusMessage(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
    }

    @Test func description_isOneDevice_whoseEntitiesOurOwnReaderUnderstands() throws {
        let message = open.description(currency: "GBP", modes: ["drive", "camp"])
        #expect(message.topic == "homeassistant/device/vanorb/config")
        let root = try object(message)
        #expect(root["avty_t"] as? String == "vanorb/status")
        let components = try #require(root["cmps"] as? [String: [String: Any]])
        #expect(components["mode"]?["ops"] as? [String] == ["drive", "camp"])
        #expect(Set(components.compactMap { $0.value["uniq_id"] as? String }).count == components.count)
        // Text inputs are none of a van's devices; the others are read as Home Assistant would.
        let found = HomeAssistantDiscovery().read(
            BusMessage(topic: message.topic, payload: Array(message.payload.utf8), isRetained: true))
        #expect(found?.devices.count == components.count - 1)
        #expect(found?.complaints.count == 1)
    }

    @Test func withoutInputs_nothingIsOffered_andNothingTaken() throws {
        let root = try object(shut.description(currency: "GBP", modes: ["drive"]))
        let components = try #require(root["cmps"] as? [String: [String: Any]])
        #expect(components.values.allSatisfy { $0["cmd_t"] == nil })
        #expect(shut.topics == ["homeassistant/status"])
        #expect(shut.input(message("vanorb/text/set", "open the roof vent")) == nil)
    }

    @Test func inputs_areTaken_butNotWhatTheBrokerKept_norWhatIsTooLongOrEmpty() {
        #expect(open.input(message("vanorb/text/set", " lights on ")) == .text("lights on"))
        #expect(open.input(message("vanorb/listen/set", "PRESS")) == .listen)
        #expect(open.input(message("vanorb/mode/set", "camp")) == .mode("camp"))
        #expect(open.input(message("vanorb/text/set", "lights on", isRetained: true)) == nil)
        #expect(open.input(message("vanorb/text/set", String(repeating: "x", count: 256))) == nil)
        #expect(open.input(message("vanorb/text/set", "  ")) == nil)
        #expect(open.input(message("vanorb/other/set", "x")) == nil)
        #expect(open.input(BusMessage(topic: "vanorb/text/set", payload: [0xFF, 0xFE], isRetained: false)) == nil)
    }

    @Test func state_tellsWhatIsKnown_andNullForTheRest() async throws {
        let bench = try VanBench()
        _ = try await bench.say("log 20 pounds for diesel")
        _ = try await bench.say("add a task to check the tyres")
        let facts = await HubFacts.read(state: "ready", lastCommand: "log 20 pounds", bench.context)
        let state = try object(open.state(facts))
        #expect(state["state"] as? String == "ready")
        #expect(state["last_command"] as? String == "log 20 pounds")
        #expect(state["balance"] as? Double == -20)
        #expect(state["open_tasks"] as? Int == 1)
        #expect(state["weight_margin"] is NSNull)
    }

    @Test func yesFromAnotherProgram_isNoYes_toWhatWasAskedAloud() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let talk = try await Talk(bench, hears: .patient)
            #expect(await talk.conversation.take("open the roof vent").outcome == .asked)
            _ = await talk.conversation.take("yes")
            #expect(talk.bench.commands.isEmpty)
        }
    }

    @Test func ownDescription_isNoDeviceOfTheVan() async throws {
        let bus = FakeBus()
        let van = Van(
            discovery: DiscoverySettings(conventions: [HomeAssistantDiscovery()], presence: open), bus: bus,
            logger: .silent)
        let task = Task { await van.run() }
        try await bus.consumers.until("the van follows the bus") { !$0.isEmpty }
        let own = open.description(currency: "GBP", modes: [])
        bus.deliver(own.topic, own.payload, isRetained: true)
        bus.deliver("homeassistant/switch/pump/config", #"{"name":"pump","uniq_id":"p","cmd_t":"p/set"}"#)
        var changes = van.deviceChanges.stream.makeAsyncIterator()
        _ = await changes.next()
        #expect(van.devices.map(\.name) == ["pump"])
        bus.close()
        await task.value
    }
}
