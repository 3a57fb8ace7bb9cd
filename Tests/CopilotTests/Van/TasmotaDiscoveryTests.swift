@testable import Devices
import Testing

/// Tasmota's descriptions of itself.
@Suite struct TasmotaDiscoveryTests {
    private static let config = "tasmota/discovery/D83A5C000001/config"
    private static let sensors = "tasmota/discovery/D83A5C000001/sensors"
    private let bench = ConventionBench(TasmotaDiscovery())

    private func payload(
        relays: String = "[1,0,0]", names: String = "[\"Water pump\",null]", rest: String = "", full: String? = nil
    ) -> String {
        """
        {"ip":"192.168.15.10","dn":"Locker","fn":\(names),"hn":"tasmota-D83A5C-6748","mac":"D83A5C000001",\
        "md":"Sonoff","ofln":"Offline","onln":"Online","state":["OFF","ON","TOGGLE","HOLD"],"sw":"9.4.0","t":"locker",\
        "ft":"\(full ?? "%prefix%/%topic%/")","tp":["cmnd","stat","tele"],"rl":\(relays),"ver":1,\
        "so":{"4":0,"30":0,"68":0}\(rest)}
        """
    }

    @Test func aRelay_isASwitch_andAskedForItsState() throws {
        let discovery = try #require(bench.read(Self.config, payload()))
        #expect(discovery.complaints.isEmpty)
        let pump = try discovery.device("water pump")
        #expect(pump.id == "tasmota:D83A5C000001_relay_1")
        #expect(pump.kind == .switch)
        #expect(try pump.sends(.on) == ["cmnd/locker/POWER ON"])
        #expect(pump.stateTopic == "stat/locker/POWER")
        #expect(pump.hears("ON") == .on)
        #expect(pump.hears("OFF") == .off)
        #expect(discovery.requests == [BusRequest(topic: "cmnd/locker/POWER")])
        let there = try #require(pump.availability.first)
        #expect(there.topic == "tele/locker/LWT")
        #expect(there.says(Array("Online".utf8)) == true)
        #expect(there.says(Array("Offline".utf8)) == false)
        #expect(there.says(Array("online".utf8)) == nil)
    }

    @Test func severalRelays_areNumbered_evenWithGaps() throws {
        let discovery = try #require(bench.read(Self.config, payload(relays: "[0,1,1]", names: "[null,\"Tap\"]")))
        #expect(try discovery.device("tap").sends(.off) == ["cmnd/locker/POWER2 OFF"])
        #expect(try discovery.device("locker 3").stateTopic == "stat/locker/POWER3")
        #expect(discovery.requests.map(\.topic) == ["cmnd/locker/POWER2", "cmnd/locker/POWER3"])
    }

    @Test func fullTopic_mayBeInAnotherOrder() throws {
        let pump = try bench.device(Self.config, payload(full: "van/%topic%/%prefix%"))
        #expect(pump.commandTopic == "van/locker/cmnd/POWER")
        #expect(pump.availability.map(\.topic) == ["van/locker/tele/LWT"])
        let host = try bench.device(Self.config, payload(full: "%prefix%/%hostname%/%id%/"))
        #expect(host.stateTopic == "stat/tasmota-D83A5C-6748/000001/POWER")
    }

    @Test func aLight_isDimmedByItsResult() throws {
        let discovery = try #require(
            bench.read(Self.config, payload(relays: "[2]", names: "[\"Lamp\"]", rest: ",\"lt_st\":2")))
        let lamp = try discovery.device("lamp")
        #expect(lamp.kind == .light)
        #expect(try lamp.sends(.level(56)) == ["cmnd/locker/POWER ON", "cmnd/locker/Dimmer 56"])
        #expect(lamp.level?.stateTopic == "stat/locker/RESULT")
        #expect(lamp.hears(#"{"POWER":"ON","Dimmer":56}"#, .level) == .value("56"))
        #expect(lamp.hears(#"{"POWER":"ON"}"#, .level) == nil)
        #expect(try lamp.sends(.colourTemperature(2_500)) == ["cmnd/locker/CT 400"])
        #expect(discovery.requests.map(\.topic) == ["cmnd/locker/POWER", "cmnd/locker/Dimmer"])
        let plain = try bench.device(Self.config, payload(relays: "[2]", rest: ",\"lt_st\":1"))
        #expect(plain.colourTemperature == nil)
    }

    @Test func sensors_areReadFromTheRegularReport() throws {
        _ = bench.read(Self.config, payload())
        let discovery = try #require(
            bench.read(
                Self.sensors,
                #"{"sn":{"Time":"…","DS18B20":{"Id":"01","Temperature":20.6},"TempUnit":"C"},"ver":1}"#
            ))
        #expect(discovery.source == Self.config)
        #expect(discovery.devices.count == 2)
        let sensor = try discovery.device("locker temperature")
        #expect(sensor.stateTopic == "tele/locker/SENSOR")
        #expect(sensor.unit == "°C")
        #expect(sensor.deviceClass == "temperature")
        #expect(sensor.hears(#"{"Time":"…","DS18B20":{"Temperature":20.6}}"#) == .value("20.6"))
        #expect(sensor.hears(#"{"DS18B20":{"Temperature":null}}"#) == .invalid)
        #expect(discovery.requests.last == BusRequest(topic: "cmnd/locker/TelePeriod"))
    }

    @Test func sensorsThatComeFirst_waitForTheDevice() throws {
        let report = #"{"sn":{"A":{"Temperature":70},"B-1":{"Temperature":null},"TempUnit":"F"}}"#
        #expect(bench.read(Self.sensors, report) == Discovery(source: Self.config))
        let discovery = try #require(bench.read(Self.config, payload()))
        #expect(discovery.devices.map(\.name) == ["water pump", "locker a temperature", "locker b 1 temperature"])
        #expect(discovery.devices.last?.unit == "°F")
        #expect(discovery.devices.last?.hears(#"{"B-1":{"Temperature":50}}"#) == .value("50"))
    }

    @Test func aPlugsVoltage_isNotTheBatterys() throws {
        _ = bench.read(Self.config, payload())
        let report = #"{"sn":{"ENERGY":{"Total":1.5,"Power":40,"Voltage":230,"Power2":[1]}}}"#
        let discovery = try #require(bench.read(Self.sensors, report))
        #expect(try discovery.device("locker mains voltage").deviceClass == "mains_voltage")
        #expect(discovery.devices.count == 4)
    }

    @Test func anEmptyDescription_removes() throws {
        _ = bench.read(Self.config, payload())
        #expect(bench.read(Self.config, "") == Discovery(source: Self.config))
    }

    @Test func theShortKeys_areUnderstood() throws {
        let payload = """
            {"dn":"Box","t":"box","ft":"%prefix%/%topic%/","tp":["c","s","t"],"rl":[1],"on":"Up","of":"Down",\
            "st":["AUS","AN"]}
            """
        let box = try bench.device(Self.config, payload)
        #expect(box.hears("AN") == .on)
        #expect(
            box.availability == [
                Device.Availability(topic: "t/box/LWT", payloadAvailable: "Up", payloadNotAvailable: "Down")
            ])
    }

    @Test(arguments: [
        ("{", "not JSON"), ("{}", "“t”, “ft” or “tp”"), (#"{"t":"a","ft":"%prefix%","tp":["a"]}"#, "“t”, “ft” or “tp”"),
        (#"{"t":"a","ft":"%topic%/","tp":["a","b","c"]}"#, "does not distinguish"),
        (#"{"t":"a","ft":"%prefix%/%zone%/","tp":["a","b","c"]}"#, "not supported"),
        (#"{"t":"+","ft":"%prefix%/%topic%/","tp":["a","b","c"]}"#, "not the topic of one device"),
        (#"{"t":"_","ft":"%prefix%/%topic%/","tp":["a","b","c"]}"#, "no name"),
    ])
    func aBrokenDescription_isSkipped_andNamed(payload: String, complaint: String) throws {
        let discovery = try #require(bench.read(Self.config, payload))
        #expect(discovery.devices.isEmpty)
        #expect(discovery.complaints.first?.contains(complaint) == true, "\(discovery.complaints)")
    }

    @Test func aShutter_andBrokenSensors_leaveTheRest() throws {
        let discovery = try #require(bench.read(Self.config, payload(relays: "[3,3,1]")))
        #expect(discovery.devices.map(\.name) == ["locker 3"])
        #expect(discovery.complaints.count == 2)
        #expect(bench.read(Self.sensors, "{}")?.devices.count == 1)
        #expect(bench.read(Self.sensors, "{}")?.complaints.count == 3)
    }

    @Test func anotherTopic_isNoneOfIt() {
        #expect(bench.read("tasmota/discovery/config", "{}") == nil)
        #expect(bench.read("tasmota/discovery/AB/state", "{}") == nil)
        #expect(bench.read("stat/locker/POWER", "ON") == nil)
        #expect(bench.read("tasmota/discovery/A B/config", "{}")?.complaints.count == 1)
    }
}
