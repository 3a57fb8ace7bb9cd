@testable import Devices
import CopilotTestKit
import Testing

/// Venus OS, which describes nothing and is known by what it publishes.
@Suite struct VictronDiscoveryTests {
    private let bench = ConventionBench(VictronDiscovery())

    /// What the messages describe together, the last word of each part.
    private func devices(_ messages: (path: String, payload: String)...) -> [Device] {
        var parts: [String: [Device]] = [:]
        for message in messages {
            guard let discovery = bench.read("N/c0619ab1/\(message.path)", message.payload) else { continue }
            #expect(discovery.complaints.isEmpty)
            parts[discovery.source] = discovery.devices
        }
        return parts.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    @Test func theFirstWordOfAnInstallation_isAnsweredByAKeepalive() {
        let first = bench.read("N/c0619ab1/system/0/Serial", #"{"value":"c0619ab1"}"#)
        #expect(first?.requests == [BusRequest(topic: "R/c0619ab1/keepalive", payload: "")])
        #expect(first?.devices == [])
        #expect(bench.read("N/c0619ab1/heartbeat", #"{"value":1}"#) == nil)
        #expect(
            bench.convention.keepalive(isFirst: false) == [
                BusRequest(
                    topic: "R/c0619ab1/keepalive", payload: #"{"keepalive-options":["suppress-republish"]}"#),
                // Asked for, since nothing that stays as it is would be told.
                BusRequest(topic: "R/c0619ab1/system/0/Serial", payload: ""),
            ])
        #expect(bench.convention.keepalive(isFirst: true).map(\.payload) == [""])
        #expect(VictronDiscovery.keepaliveInterval == .seconds(30))
    }

    @Test func aKnownInstallation_isAloneListenedTo() {
        let convention = VictronDiscovery(portal: "c0619ab1")
        #expect(convention.keepalive(isFirst: true) == [BusRequest(topic: "R/c0619ab1/keepalive", payload: "")])
        #expect(convention.filters.allSatisfy { $0.hasPrefix("N/c0619ab1/") })
        #expect(VictronDiscovery(portal: "a/+").filters.allSatisfy { $0.hasPrefix("N/+/") })
    }

    @Test func batteryAndSolar_haveTheClassesThatAreAskedFor() throws {
        let found = devices(
            ("system/0/Dc/Battery/Soc", #"{"value":82.5}"#), ("system/0/Dc/Battery/Voltage", #"{"value":13.1}"#),
            ("system/0/Dc/Battery/Power", #"{"value": 936}"#), ("system/0/Dc/Battery/Current", #"{"value":-3}"#),
            ("system/0/Dc/Pv/Power", #"{"value":120}"#))
        #expect(
            found.compactMap(\.deviceClass) == ["battery", "voltage", "battery_power", "battery_current", "solar"])
        let battery = try #require(found.first)
        #expect(battery.id == "victron:c0619ab1_system_0_Dc_Battery_Soc")
        #expect(battery.name == "leisure battery")
        #expect(battery.unit == "%")
        #expect(battery.hears(#"{"value": 936}"#) == .value("936"))
        #expect(battery.hears(#"{"value": null}"#) == .invalid)
    }

    @Test func aTank_isKnownByWhatIsInIt() throws {
        #expect(devices(("tank/20/Level", #"{"value":64}"#), ("tank/20/Capacity", #"{"value":0.09}"#)).isEmpty)
        let tank = try #require(devices(("tank/20/FluidType", #"{"value":2}"#)).first)
        #expect(tank.deviceClass == "grey_water")
        #expect(tank.name == "grey water tank")
        #expect(tank.capacity == Device.Capacity(amount: 90, unit: .litres))
        #expect(tank.stateTopic == "N/c0619ab1/tank/20/Level")
        #expect(tank.hears(#"{"value":35.5}"#) == .value("35.5"))
    }

    @Test func aValueThatCameTooEarly_isAskedForOnce() {
        _ = bench.read("N/p/tank/20/Level", #"{"value":64}"#)
        let question = BusRequest(topic: "R/p/tank/20/Level")
        #expect(bench.read("N/p/tank/20/FluidType", #"{"value":2}"#)?.requests == [question])
        #expect(bench.read("N/p/tank/20/Capacity", #"{"value":0.09}"#)?.requests == [])
    }

    @Test(arguments: [
        (0, "fuel"), (1, "fresh_water"), (2, "grey_water"), (3, "live_well"), (4, "oil"), (5, "black_water"),
        (6, "fuel"), (7, "diesel"), (8, "gas"), (9, "lng"), (10, "hydraulic_oil"), (11, "raw_water"),
    ])
    func aFluid_hasItsClass(number: Int, deviceClass: String) {
        let found = devices(("tank/1/Level", #"{"value":1}"#), ("tank/1/FluidType", "{\"value\":\(number)}"))
        #expect(found.map(\.deviceClass) == [deviceClass])
        #expect(found.first?.name.contains("_") == false)
    }

    @Test func theOwnersName_comesFirst() {
        let found = devices(
            ("tank/1/Level", #"{"value":null}"#), ("tank/1/FluidType", #"{"value":1}"#),
            ("tank/1/CustomName", #"{"value":"Shower tank"}"#))
        #expect(found.map(\.name) == ["shower tank"])
    }

    @Test func aThermometer_isInsideUnlessItSaysOtherwise() {
        let found = devices(
            ("temperature/21/Temperature", #"{"value":17.5}"#), ("temperature/22/Temperature", #"{"value":9}"#),
            ("temperature/22/TemperatureType", #"{"value":4}"#))
        #expect(found.map(\.deviceClass) == ["temperature", "temperature_outside"])
        #expect(found.map(\.unit) == ["°C", "°C"])
    }

    @Test func whatWasNeverValid_isNoDevice_butWhatWasStays() {
        #expect(devices(("system/0/Dc/Pv/Power", #"{"value":null}"#)).isEmpty)
        #expect(devices(("system/0/Dc/Pv/Power", #"{"value":5}"#)).count == 1)
        // Nothing new about the device: its state is invalid now.
        #expect(bench.read("N/c0619ab1/system/0/Dc/Pv/Power", #"{"value":null}"#) == nil)
    }

    @Test func noPayload_isGone() throws {
        #expect(devices(("tank/1/Level", #"{"value":5}"#), ("tank/1/FluidType", #"{"value":1}"#)).count == 1)
        let gone = try #require(bench.read("N/c0619ab1/tank/1/Level", ""))
        #expect(gone == Discovery(source: "N/c0619ab1/tank/1"))
        #expect(bench.read("N/c0619ab1/tank/1/FluidType", "") == nil)
    }

    @Test func aStateThatTellsNothingNew_isNone() {
        #expect(devices(("system/0/Dc/Battery/Soc", #"{"value":80}"#)).count == 1)
        #expect(bench.read("N/c0619ab1/system/0/Dc/Battery/Soc", #"{"value":81}"#) == nil)
        #expect(bench.read("N/c0619ab1/full_publish_completed", #"{"value":1}"#) == nil)
    }

    @Test func aBrokenValue_isNamed_andTheDeviceStays() throws {
        #expect(devices(("tank/1/Level", #"{"value":5}"#), ("tank/1/FluidType", #"{"value":1}"#)).count == 1)
        let discovery = try #require(bench.read("N/c0619ab1/tank/1/Level", "oops"))
        #expect(discovery.devices.count == 1)
        #expect(discovery.complaints.first?.contains("not JSON") == true)
        #expect(devices(("tank/1/FluidType", #"{"value":99}"#)).isEmpty)
    }

    @Test(arguments: ["N/c0619ab1", "W/c0619ab1/system/0/Serial", "N/a b/system/0/Serial", "N//a/b", "other"])
    func anotherTopic_isNoneOfIt(topic: String) { #expect(bench.read(topic, "{}") == nil) }

    @Test func whatPeopleAsk_isAnsweredFromIt() async throws {
        let found = devices(
            ("system/0/Dc/Battery/Soc", #"{"value":82}"#), ("tank/1/Level", #"{"value":50}"#),
            ("tank/1/FluidType", #"{"value":2}"#), ("tank/1/Capacity", #"{"value":0.09}"#))
        let van = try VanBench(devices: found)
        try await van.run { () async throws in
            try await van.tell(
                ("N/c0619ab1/system/0/Dc/Battery/Soc", #"{"value":82}"#), ("N/c0619ab1/tank/1/Level", #"{"value":50}"#))
            #expect(try await van.say("what's the battery at").text == "The leisure battery is at 82%.")
            #expect(
                try await van.say("how full is the grey water").text
                    == "The grey water tank is at 50%, about 45 litres.")
            try await van.tell(("N/c0619ab1/system/0/Dc/Battery/Soc", #"{"value":null}"#))
            #expect(
                try await van.say("what's the battery at").text == "The leisure battery reports no valid state.")
        }
    }
}
