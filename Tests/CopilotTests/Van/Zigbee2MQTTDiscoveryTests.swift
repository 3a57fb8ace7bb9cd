@testable import Domain
@testable import Devices
import CopilotTestKit
import Testing

/// Zigbee2MQTT's lists of devices and groups.
@Suite struct Zigbee2MQTTDiscoveryTests {
    private static let devices = "zigbee2mqtt/bridge/devices", groups = "zigbee2mqtt/bridge/groups"
    private let bench = ConventionBench(Zigbee2MQTTDiscovery())

    private func node(_ exposes: String, name: String = "kitchen/lamp", rest: String = "") -> String {
        """
        {"ieee_address":"0x0a","type":"Router","friendly_name":"\(name)",\(rest)"definition":{"model":"LED1",\
        "vendor":"IKEA","description":"Bulb E27","exposes":[\(exposes)]}}
        """
    }

    private func device(_ exposes: String, name: String = "kitchen/lamp") throws -> Device {
        try bench.device(Self.devices, "[\(node(exposes, name: name))]")
    }

    private static let light = """
        {"type":"light","features":[\
        {"type":"binary","name":"state","property":"state","access":7,"value_on":"ON","value_off":"OFF",\
        "value_toggle":"TOGGLE"},\
        {"type":"numeric","name":"brightness","property":"brightness","access":7,"value_min":0,"value_max":254},\
        {"type":"numeric","name":"color_temp","property":"color_temp","access":7,"unit":"mired","value_min":250,\
        "value_max":454}]}
        """

    @Test func aLight_isDimmedAndWarmed() throws {
        let lamp = try device(Self.light)
        #expect(lamp.id == "zigbee2mqtt:0x0a_light")
        #expect(lamp.name == "kitchen lamp")
        #expect(lamp.manufacturer == "IKEA")
        #expect(lamp.model == "LED1")
        #expect(try lamp.sends(.on) == [#"zigbee2mqtt/kitchen/lamp/set {"state":"ON"}"#])
        #expect(try lamp.sends(.level(100)).last == #"zigbee2mqtt/kitchen/lamp/set {"brightness":254}"#)
        #expect(try lamp.sends(.colourTemperature(4_000)) == [#"zigbee2mqtt/kitchen/lamp/set {"color_temp":250}"#])
        let payload = #"{"state":"ON","brightness":127,"color_temp":400,"linkquality":80}"#
        #expect(lamp.hears(payload) == .on)
        #expect(lamp.hears(payload, .level) == .value("127"))
        #expect(lamp.colourTemperature?.spoken(400) == 2_500)
        #expect(lamp.hears(#"{"linkquality":80}"#) == nil)
    }

    @Test func aDevice_isThere_inBothForms() throws {
        let lamp = try device(Self.light)
        #expect(
            lamp.availability.map(\.topic) == ["zigbee2mqtt/bridge/state", "zigbee2mqtt/kitchen/lamp/availability"])
        #expect(lamp.availabilityMode == .all)
        for source in lamp.availability {
            #expect(source.says(Array("online".utf8)) == true)
            #expect(source.says(Array(#"{"state":"offline"}"#.utf8)) == false)
        }
    }

    @Test func aStateThatCanBeAskedFor_isAskedFor_onceForEachList() throws {
        let list = "[\(node(Self.light))]"
        let question = BusRequest(topic: "zigbee2mqtt/kitchen/lamp/get", payload: #"{"state":""}"#)
        #expect(bench.read(Self.devices, list)?.requests == [question])
        #expect(bench.read(Self.groups, "[]")?.requests == [])
    }

    @Test func twoSwitches_areTwoDevices_whoseAccessIsRespected() throws {
        func feature(_ end: String, _ access: Int) -> String {
            """
            {"type":"switch","endpoint":"\(end)","features":[{"type":"binary","name":"state","property":"state_\(end)",\
            "access":\(access),"value_on":"ON","value_off":"OFF"}]}
            """
        }
        let list = "[\(node("\(feature("left", 7)),\(feature("right", 1)),\(feature("mid", 2))", name: "wall"))]"
        let discovery = try #require(bench.read(Self.devices, list))
        let left = try discovery.device("wall left"), right = try discovery.device("wall right")
        #expect(try left.sends(.on) == [#"zigbee2mqtt/wall/set {"state_left":"ON"}"#])
        #expect(right.kind == .binarySensor)
        #expect(right.refuses(.on) == .unsupported)
        #expect(try discovery.device("wall mid").stateTopic == nil)
        #expect(left.hears(#"{"state_left":"OFF","state_right":"ON"}"#) == .off)
    }

    @Test func aCover_opensClosesStops_andGoesToAPosition() throws {
        let blind = try device(
            """
            {"type":"cover","features":[{"type":"enum","name":"state","property":"state","access":3,\
            "values":["OPEN","CLOSE","STOP"]},{"type":"numeric","name":"position","property":"position","access":7,\
            "value_min":0,"value_max":100}]}
            """, name: "blind")
        #expect(try blind.sends(.verb(.stop)) == [#"zigbee2mqtt/blind/set {"state":"STOP"}"#])
        #expect(try blind.sends(.level(35)) == [#"zigbee2mqtt/blind/set {"position":35}"#])
        #expect(blind.hears(#"{"state":"CLOSE","position":0}"#) == .value("closed"))
        #expect(blind.hears(#"{"state":"OPEN","position":60}"#, .level) == .value("60"))
    }

    @Test func aLock_tellsItsBolt() throws {
        let lock = try device(
            """
            {"type":"lock","features":[{"type":"binary","name":"state","property":"state","access":7,\
            "value_on":"LOCK","value_off":"UNLOCK"},{"type":"enum","name":"lock_state","property":"lock_state",\
            "access":1,"values":["not_fully_locked","locked","unlocked"]}]}
            """, name: "door")
        #expect(try lock.sends(.verb(.lock)) == [#"zigbee2mqtt/door/set {"state":"LOCK"}"#])
        #expect(lock.hears(#"{"state":"LOCK","lock_state":"not_fully_locked"}"#) == .value("unlocked"))
        #expect(lock.hears(#"{"lock_state":"locked"}"#) == .value("locked"))
        let plain = try device(
            #"{"type":"lock","features":[{"name":"state","property":"state","access":7}]}"#, name: "door")
        #expect(plain.hears(#"{"state":"UNLOCK"}"#) == .value("unlocked"))
    }

    @Test(arguments: ["occupied_heating_setpoint", "current_heating_setpoint"])
    func aClimate_hasASetpoint_andModes(setpoint: String) throws {
        let valve = try device(
            """
            {"type":"climate","features":[{"type":"numeric","name":"\(setpoint)","property":"\(setpoint)","access":7,\
            "value_min":5,"value_max":30,"value_step":0.5,"unit":"°C"},{"type":"numeric","name":"local_temperature",\
            "property":"local_temperature","access":5,"unit":"°C"},{"type":"enum","name":"system_mode",\
            "property":"system_mode","access":7,"values":["off","auto","heat"]}]}
            """, name: "radiator")
        #expect(try valve.sends(.temperature(19.5)) == ["zigbee2mqtt/radiator/set {\"\(setpoint)\":19.5}"])
        #expect(try valve.sends(.on) == [#"zigbee2mqtt/radiator/set {"system_mode":"heat"}"#])
        #expect(try valve.sends(.option("auto")) == [#"zigbee2mqtt/radiator/set {"system_mode":"auto"}"#])
        #expect(valve.hears(#"{"system_mode":"auto"}"#) == .on)
        #expect(valve.hears(#"{"local_temperature":17}"#, .current) == .value("17"))
    }

    @Test func aFan_isDrivenByItsModes() throws {
        let fan = try device(
            """
            {"type":"fan","features":[{"type":"enum","name":"mode","property":"fan_mode","access":7,\
            "values":["off","low","high","on"]}]}
            """, name: "roof fan")
        #expect(try fan.sends(.on) == [#"zigbee2mqtt/roof fan/set {"fan_mode":"on"}"#])
        #expect(fan.hears(#"{"fan_mode":"low"}"#) == .on)
        #expect(fan.hears(#"{"fan_mode":"off"}"#) == .off)
    }

    @Test func sensors_areWhatIsPublishedAndNotSet() throws {
        let list = node(
            """
            {"type":"numeric","name":"temperature","label":"Temperature","property":"temperature","access":1,\
            "unit":"°C"},\
            {"type":"numeric","name":"battery","property":"battery","access":1,"unit":"%","category":"diagnostic"},\
            {"type":"binary","name":"contact","property":"contact","access":1,"value_on":false,"value_off":true},\
            {"type":"binary","name":"occupancy","property":"occupancy","access":1,"value_on":true,"value_off":false},\
            {"type":"numeric","name":"calibration","property":"calibration","access":2},\
            {"type":"numeric","name":"linkquality","property":"linkquality","access":1},\
            {"type":"enum","name":"action","property":"action","access":1,"values":["single"]}
            """, name: "Rear window")
        let discovery = try #require(bench.read(Self.devices, "[\(list)]"))
        #expect(discovery.complaints.isEmpty)
        #expect(discovery.devices.count == 4)
        let contact = try discovery.device("rear window")
        #expect(contact.isOpening { $0 })
        #expect(contact.deviceClass == "window")
        #expect(contact.hears(#"{"contact":false}"#) == .on)
        #expect(contact.hears(#"{"contact":true}"#) == .off)
        let temperature = try discovery.device("rear window temperature")
        #expect(temperature.unit == "°C")
        #expect(temperature.hears(#"{"temperature":null}"#) == .invalid)
        #expect(try discovery.device("rear window battery").deviceClass == "device_battery")
        #expect(try discovery.device("rear window occupancy").hears(#"{"occupancy":true}"#) == .on)
    }

    @Test func groups_areTheMembers_andKeepScenes() throws {
        let groups = """
            [{"id":1,"friendly_name":"Mood_lights","scenes":[{"id":3,"name":"Movie night"}],\
            "members":[{"ieee_address":"0x0a","endpoint":1}]}]
            """
        // Either list may come first.
        _ = bench.read(Self.groups, groups)
        let discovery = try #require(bench.read(Self.devices, "[\(node(Self.light))]"))
        #expect(try discovery.device("kitchen lamp").groups == ["mood lights"])
        let scene = try discovery.device("movie night")
        #expect(try scene.sends(.verb(.press)) == [#"zigbee2mqtt/Mood_lights/set {"scene_recall":3}"#])
        let without = try #require(bench.read(Self.groups, "[]"))
        #expect(without.source == Self.devices)
        #expect(without.devices.map(\.groups) == [[]])
    }

    @Test func whatIsNoDeviceOfTheOwners_isLeftOut() throws {
        let list = """
            [{"ieee_address":"0x00","type":"Coordinator","friendly_name":"Coordinator","definition":null},\
            \(node(Self.light, rest: "\"disabled\":true,"))]
            """
        #expect(bench.read(Self.devices, list) == Discovery(source: Self.devices))
        #expect(bench.read(Self.devices, "") == Discovery(source: Self.devices))
    }

    @Test func anAddress_isNoName() throws {
        #expect(try device(Self.light, name: "0x0a").name == "bulb e27")
    }

    @Test func aBrokenDevice_isSkipped_andNamed() throws {
        let list = """
            [7,{"type":"Router"},{"ieee_address":"0x01","friendly_name":"a/+","definition":{"exposes":[]}},\
            {"ieee_address":"0x02","friendly_name":"b","definition":null},\
            {"ieee_address":"0x03","friendly_name":"c","definition":{"exposes":[{"type":"light"},\
            {"type":"rocket"},{}]}},\
            \(node(Self.light))]
            """
        let discovery = try #require(bench.read(Self.devices, list))
        #expect(discovery.devices.map(\.name) == ["kitchen lamp"])
        #expect(discovery.complaints.count == 7)
        for word in ["not a JSON object", "ieee_address", "a/+", "not supported", "without “state”", "“rocket”"] {
            #expect(discovery.complaints.contains { $0.contains(word) }, "\(word)")
        }
        #expect(bench.read(Self.devices, "{}")?.complaints.count == 1)
        #expect(bench.read(Self.groups, "[{}]")?.complaints.count == 2)
    }

    @Test func anotherBase_isListenedTo() {
        let bench = ConventionBench(Zigbee2MQTTDiscovery(base: "van/zigbee"))
        #expect(bench.convention.filters == ["van/zigbee/bridge/devices", "van/zigbee/bridge/groups", "van/zigbee/+"])
        #expect(bench.read("zigbee2mqtt/bridge/devices", "[]") == nil)
        #expect(bench.read("van/zigbee/kitchen", "{}") == nil)
    }

    @Test func aDiscoveredLight_doesAsItIsTold() async throws {
        let van = try VanBench(devices: [try device(Self.light)])
        van.bus.answer { publication in
            let state = Array(publication.payload.utf8)
            return [BusMessage(topic: "zigbee2mqtt/kitchen/lamp", payload: state, isRetained: false)]
        }
        try await van.run { () async throws in
            #expect(try await van.say("turn on the kitchen lamp").text == "The kitchen lamp is on.")
            #expect(
                try await van.say("set the kitchen lamp to fifty percent").text
                    == "The kitchen lamp is at 50%.")
            van.bus.deliver("zigbee2mqtt/bridge/state", #"{"state":"offline"}"#)
            try await van.heard()
            #expect(try await van.say("turn off the kitchen lamp").text.contains("is offline"))
        }
    }
}
