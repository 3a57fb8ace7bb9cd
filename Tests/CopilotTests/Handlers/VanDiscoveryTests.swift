@testable import Domain
@testable import Configuration
@testable import Devices
@testable import Handlers
import CopilotTestKit
import Testing

/// Devices that describe themselves are the van's, as long as they do.
@Suite struct VanDiscoveryTests {
    private static let topic = "homeassistant/light/galley/config"
    private static let lamp = """
        {"name":"Galley lamp","unique_id":"galley","cmd_t":"galley/set","stat_t":"galley/state","pl_on":"ON"}
        """

    private func van(
        _ bus: FakeBus, owners: [Device] = [], adjustments: [DeviceAdjustment] = []
    ) -> Van {
        Van(
            VanFile(devices: owners, adjustments: adjustments),
            discovery: DiscoverySettings(
                conventions: [HomeAssistantDiscovery(), Zigbee2MQTTDiscovery(), VictronDiscovery()]),
            bus: bus, logger: .silent)
    }

    /// Lets the van follow the bus, and hands over what changes of its devices.
    private func following(
        _ van: Van, _ bus: FakeBus, _ body: (inout AsyncStream<Void>.Iterator) async throws -> Void
    ) async throws {
        let task = Task { await van.run() }
        try await bus.consumers.until("the van follows the bus") { !$0.isEmpty }
        var changes = van.deviceChanges.stream.makeAsyncIterator(), failure: (any Error)?
        do { try await body(&changes) } catch { failure = error }
        bus.close()
        await task.value
        if let failure { throw failure }
    }

    @Test func deviceThatDescribesItself_isKnown_subscribedTo_commanded_andGoneWhenItSaysSo() async throws {
        let bus = FakeBus(), van = van(bus)
        bus.answer { publication in
            guard publication.topic == "galley/set" else { return [] }
            return [BusMessage(topic: "galley/state", payload: Array(publication.payload.utf8), isRetained: false)]
        }
        try await following(van, bus) { changes in
            bus.deliver(Self.topic, Self.lamp, isRetained: true)
            _ = await changes.next()
            let lamp = try #require(van.devices.first)
            #expect(lamp.name == "galley lamp")
            #expect(lamp.origin == "home_assistant")
            #expect(bus.subscriptions.entries.contains("galley/state"))
            #expect(await van.turn(lamp, on: true) == .confirmed)
            #expect(await van.descriptions(of: lamp) == [Self.topic])
            bus.deliver(Self.topic, "")
            _ = await changes.next()
            #expect(van.devices.isEmpty)
        }
    }

    @Test func whatIsKnownOfOthers_stays_whenADeviceComes() async throws {
        let bus = FakeBus(), fridge = VanBench.device("fridge", .switch), van = van(bus, owners: [fridge])
        try await following(van, bus) { changes in
            bus.deliver("van/fridge/state", "ON")
            bus.deliver(Self.topic, Self.lamp)
            _ = await changes.next()
            #expect(van.devices.map(\.name) == ["fridge", "galley lamp"])
            #expect(await van.report(on: fridge).state == .on)
        }
    }

    @Test func brokenDescription_isSkipped_andNamedInTheDiagnostics() async throws {
        let bus = FakeBus(), van = van(bus)
        try await following(van, bus) { changes in
            bus.deliver("homeassistant/light/broken/config", "{\"name\":")
            bus.deliver(Self.topic, Self.lamp)
            _ = await changes.next()
            #expect(van.devices.count == 1)
            #expect(await van.complaints["homeassistant/light/broken/config"]?.first?.contains("JSON") == true)
        }
    }

    @Test func installationThatFallsSilent_isAskedToTell_atOnce() async throws {
        let bus = FakeBus(), van = van(bus)
        try await following(van, bus) { changes in
            bus.deliver("N/c0619ab/system/0/Dc/Battery/Soc", "{\"value\": 81}")
            _ = await changes.next()
            try await bus.journal.until("the keepalive") { $0.contains(.init("R/c0619ab/keepalive", "")) }
            let battery = try #require(van.devices.first)
            #expect(await van.report(on: battery).number == 81, "what it is discovered by is its state, too")
        }
    }

    @Test func installationThatSaysNothingAtAll_isOffline_andThereAgainWithItsNextWord() async throws {
        let bus = FakeBus(), van = van(bus)
        try await following(van, bus) { changes in
            bus.deliver("N/c0619ab/system/0/Dc/Battery/Soc", "{\"value\": 81}")
            _ = await changes.next()
            let battery = try #require(van.devices.first), start = ContinuousClock.now
            #expect(await van.report(on: battery, at: start + .seconds(60)).isKnown)
            #expect(await !van.report(on: battery, at: start + .seconds(80)).isAvailable)
            // The battery's charge stays as it is and is not told again; that the installation lives is.
            let serial = BusMessage(
                topic: "N/c0619ab/system/0/Serial", payload: Array("{\"value\":\"c\"}".utf8), isRetained: false)
            await van.receive(serial, at: start + .seconds(70))
            #expect(await van.report(on: battery, at: start + .seconds(140)).isKnown)
        }
    }

    // MARK: one device, described by several

    private func device(_ id: String, _ origin: String, command: String, state: String) -> Device {
        var device = Device(id: id, name: id, kind: .light, origin: origin)
        (device.commandTopic, device.stateTopic) = (command, state)
        return device
    }

    @Test func deviceOfTwoConventions_isOne_andTheFirstConventionsCounts() {
        var registry = DeviceRegistry(owners: [])
        let bridge = [
            device("a", "zigbee2mqtt", command: "z/a/set", state: "z/a"),
            device("b", "zigbee2mqtt", command: "z/b/set", state: "z/b"),
        ]
        let isNew = registry.take(Discovery(source: "z/bridge/devices", devices: bridge), of: 1)
        #expect(isNew)
        let announced = [device("lamp", "home_assistant", command: "z/a/set", state: "z/a")]
        let topic = "homeassistant/light/lamp/config"
        let isTaken = registry.take(Discovery(source: topic, devices: announced), of: 0)
        #expect(isTaken)
        #expect(registry.devices.map(\.id) == ["lamp", "b"])
        let isTakenAgain = registry.take(Discovery(source: topic, devices: announced), of: 0)
        #expect(!isTakenAgain)
        _ = registry.take(Discovery(source: topic), of: 0)
        #expect(registry.devices.map(\.id) == ["a", "b"])
    }

    @Test func ownersDevice_countsBeforeTheDescribedOne() {
        var registry = DeviceRegistry(owners: [device("mine", "owner", command: "z/a/set", state: "z/a")])
        _ = registry.take(
            Discovery(source: "x", devices: [device("a", "home_assistant", command: "z/a/set", state: "z/a")]), of: 0)
        #expect(registry.devices.map(\.id) == ["mine"])
    }

    @Test func twoDevicesOfOneId_areBothThere() {
        var registry = DeviceRegistry(owners: [])
        _ = registry.take(Discovery(source: "x", devices: [device("a", "h", command: "1/set", state: "1")]), of: 0)
        _ = registry.take(Discovery(source: "y", devices: [device("a", "h", command: "2/set", state: "2")]), of: 0)
        #expect(registry.devices.map(\.id) == ["a", "a-2"])
    }

    @Test func moreDevicesThanAnyVanHas_areNotTaken_andSaidSo() {
        var registry = DeviceRegistry(owners: [])
        for number in 0...DeviceRegistry.limit {
            let one = device("\(number)", "h", command: "\(number)/set", state: "\(number)")
            _ = registry.take(Discovery(source: "s\(number)", devices: [one]), of: 0)
        }
        #expect(registry.devices.count == DeviceRegistry.limit)
        #expect(registry.complaints.count == 1)
    }

    // MARK: names

    @Test(arguments: [
        (Device.Kind.light, "kitchen", ["kitchen light"]), (.light, "reading lamp", ["reading light"]),
        (.fan, "bathroom", ["bathroom fan"]),
        (.switch, "water pump", []), (.light, "galley led strip", []),
    ])
    func deviceThatIsCalledByItsPlaceAlone_isAlsoCalledByItsKind(
        _ kind: Device.Kind, _ name: String, _ aliases: [String]
    ) throws {
        let bench = try VanBench(devices: [VanBench.device(name, kind)])
        #expect(VanHandler(bench.context).resolver.deviceNames().first?.aliases == aliases)
    }

    @Test func nameThatAnotherDeviceHas_isNotTaken() throws {
        let bench = try VanBench(devices: [
            VanBench.device("kitchen", .light), VanBench.device("kitchen light", .light),
        ])
        #expect(VanHandler(bench.context).resolver.deviceNames().map(\.aliases) == [[], ["kitchen lamp"]])
    }

    // MARK: the owner's word

    private func file(_ text: String) throws -> VanFile {
        try DeviceFile.read(ConfigurationNode(parsing: text, file: "devices.yaml"))
    }

    @Test func owner_names_places_marks_andHidesWhatIsDiscovered() throws {
        let file = try file(
            """
            discovered:
              - device: 0x0A
                id: bunk
                name: Bunk Light
                aliases: [night light]
                area: bedroom
                risk: true
              - {device: junk, hidden: true}
            modes:
              - name: night
                checks: [{device: bunk light, is: off}]
                actions: [{device: bunk, do: off}]
            """)
        var registry = DeviceRegistry(owners: [], adjustments: file.adjustments)
        let found = [
            device("0x0A", "zigbee2mqtt", command: "1/set", state: "1"),
            device("junk", "zigbee2mqtt", command: "2/set", state: "2"),
        ]
        _ = registry.take(Discovery(source: "x", devices: found), of: 0)
        let bunk = try #require(registry.devices.first)
        #expect(registry.devices.count == 1)
        #expect(bunk.id == "bunk" && bunk.name == "bunk light" && bunk.aliases == ["night light"])
        #expect(bunk.area == "bedroom" && bunk.isRisky)
        #expect(file.modes.first { $0.name == "night" }?.actions.map(\.device) == ["bunk"])
    }

    @Test func modeOfADeviceThatIsNotThere_saysSo() async throws {
        let file = try file(
            """
            discovered: [{device: bunk light}]
            modes: [{name: night, actions: [{device: bunk light, do: off}]}]
            """)
        let bench = try VanBench(devices: [], modes: file.modes)
        try await bench.run {
            let reply = try await bench.say("night mode")
            #expect(reply.outcome == .failed)
            #expect(reply.text.lowercased().contains("bunk light"))
        }
    }
}
