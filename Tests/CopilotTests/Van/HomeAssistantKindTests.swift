@testable import Devices
import Testing

/// The kinds of Home Assistant's discovery: their states, and their commands to the letter.
@Suite struct HomeAssistantKindTests {
    private func device(_ component: String, _ payload: String) throws -> Device {
        let bench = ConventionBench(HomeAssistantDiscovery())
        return try bench.device("homeassistant/\(component)/thing/config", payload)
    }

    private func complaint(_ component: String, _ payload: String) throws -> String {
        let bench = ConventionBench(HomeAssistantDiscovery())
        return try #require(bench.read("homeassistant/\(component)/thing/config", payload)?.complaints.first)
    }

    @Test func aSwitch_hasStatesOfItsOwn() throws {
        let pump = try device(
            "switch", #"{"cmd_t":"p/set","stat_t":"p","pl_on":"1","pl_off":"0","stat_on":"running","dev_cla":"outlet"}"#
        )
        #expect(pump.hears("running") == .on)
        #expect(pump.hears("0") == .off)
        #expect(pump.hears("unavailable") == .invalid)
        #expect(try pump.sends(.on) == ["p/set 1"])
        #expect(pump.deviceClass == "socket")
        let plain = try device("switch", #"{"cmd_t":"p/set","cmd_tpl":"{\"s\":\"{{ value }}\"}"}"#)
        #expect(try plain.sends(.off) == [#"p/set {"s":"OFF"}"#])
        #expect(plain.stateTopic == nil)
    }

    @Test func aBinarySensor_reports() throws {
        let door = try device(
            "binary_sensor",
            #"{"stat_t":"d","dev_cla":"door","pl_on":true,"pl_off":false,"val_tpl":"{{ value_json.open }}"}"#)
        #expect(door.hears(#"{"open":true}"#) == .on)
        #expect(door.hears(#"{"open":false}"#) == .off)
        #expect(door.isOpening { $0 })
        let motion = try device("binary_sensor", #"{"stat_t":"m","off_dly":30,"exp_aft":60}"#)
        #expect(motion.offAfter == .seconds(30))
        #expect(motion.expiresAfter == .seconds(60))
        #expect(motion.refuses(.on) == .unsupported)
    }

    @Test func aLight_hasTopicsForEachQuantity() throws {
        let lamp = try device(
            "light",
            """
            {"cmd_t":"l/set","stat_t":"l","bri_cmd_t":"l/b/set","bri_stat_t":"l/b","bri_scl":100,\
            "clr_temp_cmd_t":"l/c/set","clr_temp_stat_t":"l/c"}
            """)
        #expect(try lamp.sends(.level(40)) == ["l/set ON", "l/b/set 40"])
        let isOn = DeviceReport(state: .on, isAvailable: true, isStale: false)
        #expect(try lamp.sends(.level(40), isOn) == ["l/b/set 40"])
        #expect(try lamp.sends(.colourTemperature(4_000)) == ["l/c/set 250"])
        #expect(lamp.colourTemperature?.spoken(250) == 4_000)
        #expect(lamp.hears("250", .colourTemperature) == .value("250"))
        guard case .outOfRange(let low, let high)? = lamp.refuses(.colourTemperature(9_000)) else {
            Issue.record("9000 K was not refused")
            return
        }
        #expect(low < high && low == 2_000)
    }

    @Test func aLightTurnedOnByItsBrightness_isSentNoOn() throws {
        let lamp = try device(
            "light", #"{"cmd_t":"l/set","bri_cmd_t":"l/b/set","on_command_type":"brightness"}"#)
        #expect(try lamp.sends(.on) == ["l/b/set 255"])
        #expect(try lamp.sends(.level(20)) == ["l/b/set 51"])
        #expect(try lamp.sends(.off) == ["l/set OFF"])
    }

    @Test func aJSONLight_takesKelvinOrMired() throws {
        let kelvin = try device(
            "light",
            """
            {"schema":"json","cmd_t":"l/set","stat_t":"l","sup_clrm":["color_temp"],"color_temp_kelvin":true,\
            "min_kelvin":2700,"max_kelvin":6500}
            """)
        #expect(try kelvin.sends(.colourTemperature(3_000)) == [#"l/set {"state":"ON","color_temp":3000}"#])
        #expect(kelvin.level != nil)
        #expect(kelvin.hears(#"{"state":"OFF"}"#, .level) == nil)
        let plain = try device("light", #"{"schema":"json","cmd_t":"l/set","sup_clrm":["onoff"]}"#)
        #expect(plain.level == nil)
        #expect(try complaint("light", #"{"schema":"template","cmd_t":"l"}"#).contains("schema"))
    }

    @Test func aCover_mayBeInverted_andLackWords() throws {
        let blind = try device(
            "cover",
            """
            {"cmd_t":"c/set","stat_t":"c","pl_stop":null,"pos_t":"c/pos","set_pos_t":"c/pos/set","pos_open":0,\
            "pos_clsd":100,"dev_cla":"shade"}
            """)
        #expect(blind.deviceClass == "blind")
        #expect(blind.hears("opening") == .value("opening"))
        #expect(blind.hears("closed") == .value("closed"))
        #expect(try blind.sends(.verb(.open)) == ["c/set OPEN"])
        #expect(blind.refuses(.verb(.stop)) == .unsupported)
        #expect(try blind.sends(.level(30)) == ["c/pos/set 70"])
        #expect(blind.level?.percent(raw: 70) == 30)
        let vent = try device("cover", #"{"set_pos_t":"v/set","set_pos_tpl":"{\"p\":{{ position }}}","pos_t":"v"}"#)
        #expect(try vent.sends(.verb(.close)) == [#"v/set {"p":0}"#])
        #expect(try complaint("cover", #"{"stat_t":"c"}"#).contains("takes no commands"))
    }

    @Test func aLock_speaksInCapitals() throws {
        let lock = try device(
            "lock", #"{"cmd_t":"k/set","stat_t":"k","stat_jam":"STUCK","val_tpl":"{{ value_json.bolt }}"}"#)
        #expect(lock.hears(#"{"bolt":"LOCKED"}"#) == .value("locked"))
        #expect(lock.hears(#"{"bolt":"STUCK"}"#) == .value("jammed"))
        #expect(try lock.sends(.verb(.unlock)) == ["k/set UNLOCK"])
        #expect(try lock.plan(for: .verb(.lock), .unknown).confirms(.value("locking")) == .begun)
        #expect(try complaint("lock", #"{"cmd_t":"k","stat_locked":"X","stat_unlocked":"X"}"#).contains("two meanings"))
    }

    @Test func aFan_countsItsSpeeds() throws {
        let fan = try device(
            "fan",
            """
            {"cmd_t":"f/set","stat_t":"f","pct_cmd_t":"f/speed/set","pct_stat_t":"f/speed","spd_rng_max":3,\
            "pr_mode_cmd_t":"f/mode/set","pr_mode_stat_t":"f/mode","pr_modes":["auto","Night Mode"]}
            """)
        #expect(try fan.sends(.level(100)) == ["f/set ON", "f/speed/set 3"])
        #expect(try fan.sends(.level(10)) == ["f/set ON", "f/speed/set 1"])
        #expect(try fan.sends(.level(0)) == ["f/set OFF"])
        #expect(fan.level?.percent(raw: 3) == 100)
        #expect(try fan.sends(.option("night mode")) == ["f/mode/set Night Mode"])
        #expect(fan.hears("Night Mode", .option) == .value("night mode"))
        #expect(fan.hears("None", .level) == .invalid)
    }

    @Test func aClimate_isPoweredByItsModes() throws {
        let heater = try device(
            "climate",
            """
            {"mode_cmd_t":"h/mode/set","mode_stat_t":"h/mode","modes":["off","heat","fan_only"],\
            "temp_cmd_t":"h/t/set","temp_stat_t":"h/t","curr_temp_t":"h/now","min_temp":5,"max_temp":30,\
            "temp_step":0.5}
            """)
        #expect(try heater.sends(.on) == ["h/mode/set heat"])
        #expect(try heater.sends(.off) == ["h/mode/set off"])
        #expect(heater.hears("off") == .off)
        #expect(heater.hears("fan_only") == .on)
        #expect(heater.hears("fan_only", .option) == .value("fan only"))
        #expect(try heater.sends(.option("fan only")) == ["h/mode/set fan_only"])
        #expect(try heater.sends(.temperature(20.5)) == ["h/t/set 20.5"])
        #expect(heater.refuses(.temperature(31)) == .outOfRange(5, 30))
        #expect(heater.hears("17.5", .current) == .value("17.5"))
    }

    @Test func aClimateInFahrenheit_isSpokenOfInCelsius() throws {
        let heater = try device(
            "climate",
            #"{"temp_cmd_t":"h/set","temp_unit":"F","pow_cmd_t":"h/power","pl_on":"1","pl_off":"0"}"#)
        #expect(try heater.sends(.temperature(20)) == ["h/set 68"])
        #expect(heater.target?.range == 45...95)
        #expect(try heater.sends(.on) == ["h/power 1"])
        let plain = try device("climate", #"{"mode_cmd_t":"h/mode"}"#)
        #expect(plain.options?.all.map(\.name) == ["auto", "off", "cool", "heat", "dry", "fan only"])
    }

    @Test func aSensor_expires() throws {
        let battery = try device(
            "sensor", #"{"stat_t":"b","unit_of_meas":"%","dev_cla":"battery","exp_aft":120,"name":null}"#)
        #expect(battery.hears("81.5") == .value("81.5"))
        #expect(battery.hears("lots") == .invalid)
        #expect(battery.expiresAfter == .seconds(120))
        #expect(battery.deviceClass == "battery")
        let cell = try device("sensor", #"{"stat_t":"b","dev_cla":"battery","ent_cat":"diagnostic"}"#)
        #expect(cell.deviceClass == "device_battery")
        let word = try device("sensor", #"{"stat_t":"b"}"#)
        #expect(word.hears("raining") == .value("raining"))
    }

    @Test func aNumber_keepsToItsRange() throws {
        let limit = try device(
            "number",
            #"{"cmd_t":"n/set","stat_t":"n","min":5,"max":50,"step":5,"cmd_tpl":"{{ value }} A","unit_of_meas":"A"}"#
        )
        #expect(try limit.sends(.value(20)) == ["n/set 20 A"])
        #expect(limit.refuses(.value(60)) == .outOfRange(5, 50))
        #expect(limit.hears("20") == .value("20"))
        #expect(try device("number", #"{"cmd_t":"n"}"#).value?.range == 1...100)
        #expect(try complaint("number", #"{"cmd_t":"n","min":3,"max":3}"#).contains("range is empty"))
        #expect(try complaint("number", #"{"cmd_t":"n","step":1e-30}"#).contains("range is empty"))
    }

    @Test func aSelect_aButtonAndAScene_areTold() throws {
        let select = try device(
            "select", #"{"cmd_t":"s/set","stat_t":"s","ops":["eco","Boost+","eco",7],"val_tpl":"{{ value_json.m }}"}"#)
        #expect(select.options?.all.map(\.payload) == ["eco", "Boost+", "7"])
        #expect(try select.sends(.option("boost+")) == ["s/set Boost+"])
        #expect(select.hears(#"{"m":"Boost+"}"#, .option) == .value("boost+"))
        #expect(try complaint("select", #"{"cmd_t":"s"}"#).contains("“options”"))
        #expect(try device("button", #"{"cmd_t":"b/set"}"#).sends(.verb(.press)) == ["b/set PRESS"])
        #expect(try device("button", #"{"cmd_t":"b","pl_prs":"go"}"#).sends(.verb(.press)) == ["b go"])
        #expect(try device("scene", #"{"cmd_t":"s","pl_on":"movie"}"#).sends(.verb(.press)) == ["s movie"])
    }
}
