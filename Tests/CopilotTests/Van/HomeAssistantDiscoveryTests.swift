@testable import Domain
@testable import Devices
import Testing

/// The messages of Home Assistant's discovery: what they describe, change and remove.
@Suite struct HomeAssistantDiscoveryTests {
    private let bench = ConventionBench(HomeAssistantDiscovery())

    @Test func aDeviceDescription_describesItsEntities() throws {
        let payload = """
            {"dev":{"ids":"ea334450945afc","name":"Kitchen"},"o":{"name":"bla2mqtt"},"cmps":{"id1":{"p":"sensor",\
            "device_class":"temperature","unit_of_measurement":"°C","value_template":"{{ value_json.temperature}}",\
            "unique_id":"temp01ae_t"}},"state_topic":"sensorBedroom/state","qos":2}
            """
        let device = try bench.device("homeassistant/device/0AFFD2/config", payload)
        #expect(device.id == "home_assistant:temp01ae_t")
        #expect(device.name == "kitchen temperature")
        #expect(device.kind == .sensor)
        #expect(device.origin == "home_assistant")
        #expect(device.stateTopic == "sensorBedroom/state")
        #expect(device.unit == "°C")
        #expect(device.hears(#"{"temperature":21.5,"humidity":40}"#) == .value("21.5"))
        #expect(device.hears(#"{"humidity":40}"#) == nil)
        #expect(device.hears(#"{"temperature":null}"#) == .invalid)
    }

    @Test func anAbbreviatedLight_isALight() throws {
        let payload = """
            {"~":"homeassistant/light/kitchen","name":"Kitchen","unique_id":"kitchen_light","cmd_t":"~/set",\
            "stat_t":"~/state","schema":"json","brightness":true}
            """
        let device = try bench.device("homeassistant/light/kitchen/config", payload)
        #expect(device.name == "kitchen")
        #expect(device.hears(#"{"state":"ON","brightness":255}"#) == .on)
        #expect(device.hears(#"{"state":"ON","brightness":255}"#, .level) == .value("255"))
        #expect(try device.sends(.on) == [#"homeassistant/light/kitchen/set {"state":"ON"}"#])
        #expect(try device.sends(.off) == [#"homeassistant/light/kitchen/set {"state":"OFF"}"#])
        #expect(try device.sends(.level(100)) == [#"homeassistant/light/kitchen/set {"state":"ON","brightness":255}"#])
    }

    @Test func aSensorOfESPHome_isRead() throws {
        let payload = """
            {"dev_cla":"temperature","unit_of_meas":"°C","stat_cla":"measurement","name":"Cabin temperature",\
            "stat_t":"galley/sensor/cabin_temperature/state","avty_t":"galley/status",\
            "uniq_id":"ESPsensorcabin_temperature","dev":{"ids":"a4cf12","name":"galley","sw":"esphome v2026.1",\
            "mdl":"esp32dev","mf":"Espressif","cns":[["mac","a4:cf:12"]]}}
            """
        let sensor = try bench.device("homeassistant/sensor/galley/cabin_temperature/config", payload)
        #expect(sensor.name == "galley cabin temperature")
        #expect(sensor.aliases == ["cabin temperature"])
        #expect(sensor.hears("17.5") == .value("17.5"))
        #expect(sensor.availability == [Device.Availability(topic: "galley/status")])
        #expect(sensor.manufacturer == "Espressif")
    }

    @Test func anEmptyPayload_removes_andSoDoesTheHandOver() throws {
        let topic = "homeassistant/switch/pump/config"
        #expect(try bench.device(topic, #"{"cmd_t":"a/set"}"#).name == "pump")
        #expect(bench.read(topic, "") == Discovery(source: topic))
        #expect(bench.read(topic, #"{"migrate_discovery": true}"#) == Discovery(source: topic))
    }

    @Test func anEntityThatHoldsOnlyItsPlatform_isGone() throws {
        let payload = """
            {"dev":{"ids":"1"},"o":{"name":"x"},"cmps":{"a":{"p":"switch"},\
            "b":{"p":"switch","cmd_t":"b/set","uniq_id":"b"}}}
            """
        #expect(try bench.device("homeassistant/device/1/config", payload).id == "home_assistant:b")
    }

    @Test func whatTheDeviceShares_isItsEntitiesUnlessTheySayOtherwise() throws {
        let payload = """
            {"~":"van","dev":{"ids":["1"],"name":"Box","mf":"Acme","mdl":"Two","sa":"Rear Lounge"},"o":{"name":"x"},\
            "avty_t":"~/there","pl_avail":"yes","cmd_t":"~/all","cmps":{\
            "a":{"p":"switch","name":"One","uniq_id":"a","~":"else","stat_t":"~/a"},\
            "b":{"p":"switch","name":"Two","uniq_id":"b","cmd_t":"own/~","avty":[{"t":"~/b"},{"t":"c","pl_avail":"1"}],\
            "avty_mode":"all"}}}
            """
        let discovery = try #require(bench.read("homeassistant/device/1/config", payload))
        let one = try discovery.device("box one"), two = try discovery.device("box two")
        #expect(one.commandTopic == "van/all")
        #expect(one.stateTopic == "else/a")
        #expect(one.availability == [Device.Availability(topic: "van/there", payloadAvailable: "yes")])
        #expect(two.commandTopic == "own/van")
        #expect(two.availability.map(\.topic) == ["van/b", "c"])
        #expect(two.availability.map(\.payloadAvailable) == ["online", "1"])
        #expect(two.availabilityMode == .all)
        #expect(one.area == "rear lounge")
        #expect(one.manufacturer == "Acme")
        #expect(one.model == "Two")
    }

    @Test(arguments: [
        (#""name":"Light","dev":{"name":"Kitchen"}"#, "kitchen light"),
        (#""name":"Light","dev":{"name":"Kitchen Light"}"#, "kitchen light"),
        (#""name":"Kitchen light","dev":{"name":"Kitchen"}"#, "kitchen light"),
        (#""name":null,"dev":{"name":"Kitchen_light"}"#, "kitchen light"),
        (#""name":"Sink  Light""#, "sink light"), (#""dev":{"name":"Sink"}"#, "sink"), (#""qos":0"#, "lamp 1"),
        (#""name":"","dev":{}"#, "lamp 1"),
    ])
    func aName_isAsPeopleSayIt(entry: String, name: String) throws {
        let payload = "{\"cmd_t\":\"a\",\(entry)}"
        #expect(try bench.device("homeassistant/light/lamp_1/config", payload).name == name)
    }

    @Test func aNameOfTwoWords_isEnoughWithoutTheDevice() throws {
        let payload = #"{"cmd_t":"a","name":"Water pump","dev":{"name":"van-box"}}"#
        let device = try bench.device("homeassistant/switch/node_1/pump/config", payload)
        #expect(device.name == "van box water pump")
        #expect(device.aliases == ["water pump"])
        #expect(device.id == "home_assistant:node_1_pump")
    }

    @Test(arguments: [
        "homeassistant/status", "homeassistant/switch/config", "homeassistant/a/b/c/d/config", "other/switch/a/config",
        "homeassistant/switch/a/state",
    ])
    func anotherTopic_isNoneOfIt(topic: String) { #expect(bench.read(topic, "{}") == nil) }

    @Test(arguments: [
        ("switch/a", "{", "not a JSON object"), ("switch/a", "[]", "not a JSON object"), ("switch/a b", "{}", "an id"),
        ("switch/a", "{}", "“command_topic” is missing"), ("siren/a", "{}", "“siren” is not supported"),
        ("switch/a", #"{"cmd_t":"a/+"}"#, "not the topic of one device"),
        ("switch/a", #"{"cmd_t":""}"#, "not the topic"),
        ("switch/a", #"{"cmd_t":{}}"#, "“command_topic” has an invalid value"),
        ("sensor/a", #"{"stat_t":"a","val_tpl":"{{ a }}"}"#, "value_template: “a”"),
        ("sensor/a", #"{"stat_t":"a","en":false}"#, "disabled"), ("device/a", "{}", "is missing"),
        ("device/a", #"{"dev":{},"o":{}}"#, "is missing"),
        ("switch/a", #"{"cmd_t":"a","avty_mode":"some"}"#, "“availability_mode”"),
        ("switch/a", #"{"cmd_t":"a","avty":[1]}"#, "“availability”"),
        ("switch/a", #"{"cmd_t":"a","uniq_id":""}"#, "“unique_id”"), ("switch/_", #"{"cmd_t":"a"}"#, "no name"),
    ])
    func aBrokenDescription_isSkipped_andNamed(place: String, payload: String, complaint: String) throws {
        let topic = "homeassistant/\(place)/config"
        let discovery = try #require(bench.read(topic, payload))
        #expect(discovery.devices.isEmpty)
        #expect(discovery.complaints.count == 1)
        #expect(discovery.complaints.first?.contains(complaint) == true, "\(discovery.complaints)")
        #expect(discovery.complaints.first?.hasPrefix(topic) == true)
    }

    @Test func oneEntityThatIsBroken_leavesTheOthers() throws {
        let payload = """
            {"dev":{"ids":"1"},"o":{"name":"x"},"cmps":{"a":{"p":"switch","cmd_t":"a","name":"A"},\
            "b":{"p":"sensor","stat_t":"b","val_tpl":"{% x %}"},"c":7,"d":{"p":"text","cmd_t":"d"},\
            "e":{"p":"switch","cmd_t":"e","uniq_id":"1_a"}}}
            """
        let discovery = try #require(bench.read("homeassistant/device/1/config", payload))
        #expect(discovery.devices.map(\.name) == ["a"])
        #expect(discovery.complaints.count == 4)
    }

    @Test func whatIsTooLong_isNotRead() throws {
        let payload = "{\"name\":\"" + String(repeating: "a", count: 262_144) + "\",\"cmd_t\":\"a\"}"
        let discovery = try #require(bench.read("homeassistant/switch/a/config", payload))
        #expect(discovery.devices.isEmpty)
        #expect(discovery.complaints.first?.contains("longer than") == true)
    }

    /// The abbreviations of the documentation that are needed here.
    private static let short = """
        stat_t cmd_t val_tpl cmd_tpl avty avty_t avty_mode avty_tpl pl_avail pl_not_avail pl_on pl_off stat_on stat_off \
        pl_open pl_cls pl_stop pl_lock pl_unlk stat_open stat_clsd stat_opening stat_closing stat_stopped stat_locked \
        stat_unlocked stat_jam pos_t set_pos_t pos_open pos_clsd bri_cmd_t bri_stat_t bri_scl bri_val_tpl \
        clr_temp_cmd_t rgb_cmd_t fx_list pct_cmd_t pct_stat_t pct_val_tpl spd_rng_min spd_rng_max pr_mode_cmd_t \
        pr_modes osc_cmd_t mode_cmd_t mode_stat_t modes temp_cmd_t temp_stat_t curr_temp_t min_temp max_temp temp_unit \
        fan_mode_cmd_t dev_cla unit_of_meas stat_cla uniq_id obj_id exp_aft off_dly ret opt p cmps o dev t name ops step
        """

    @Test func everyAbbreviation_hasItsFullKey() {
        let keys = Self.short.split(separator: " ").map(String.init)
        let long = keys.filter { HomeAssistantKeys.entity[$0] == nil }
        #expect(Set(long) == ["modes", "min_temp", "max_temp", "name", "step"])
        let ofDevice = ["ids", "cns", "mf", "mdl", "mdl_id", "hw", "sw", "sa", "sn", "cu"]
        #expect(ofDevice.allSatisfy { HomeAssistantKeys.device[$0] != nil })
        // No two short keys mean the same.
        #expect(Set(HomeAssistantKeys.entity.values).count == HomeAssistantKeys.entity.count)
        #expect(
            HomeAssistantKeys.expanded(["cmd_t": .text("a"), "command_topic": .text("b")]) == [
                "command_topic": .text("b")
            ])
    }

    @Test func whatItDescribesItself_isNotRead() {
        let bench = ConventionBench(HomeAssistantDiscovery(ignoring: ["vanorb"]))
        #expect(bench.read("homeassistant/device/vanorb/config", "{}") == nil)
        #expect(bench.read("homeassistant/device/other/config", "{}") != nil)
    }

    @Test func anotherPrefix_isListenedTo() {
        let convention = HomeAssistantDiscovery(prefix: "ha")
        #expect(convention.filters == ["ha/+/+/config", "ha/+/+/+/config"])
        #expect(convention.read(BusMessage(topic: "ha/switch/a/config", payload: [], isRetained: true)) != nil)
    }
}
