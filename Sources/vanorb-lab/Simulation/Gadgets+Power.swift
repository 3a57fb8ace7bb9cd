/// What is turned on and off by Home Assistant's convention: sockets, lamps, a fan, a heater.
extension Gadget {
    /// Long keys, and a device that it is part of.
    static let pump = plain(
        "pump",
        config(
            "switch/water_system/pump",
            """
            {"name": "Water pump", "command_topic": "van/pump/set", "state_topic": "van/pump/state", \
            "availability_topic": "van/pump/available", "unique_id": "pump01ae", "optimistic": false, "qos": 1, \
            "retain": false, "device": {"identifiers": ["pump01ae"], "manufacturer": "Shurflo", \
            "suggested_area": "Galley"}}
            """), presence: "van/pump/available",
        beginning: ["state": "OFF"], states: ["state": "van/pump/state"], commands: ["van/pump/set": "state"])

    /// The JSON schema as ESPHome writes it: abbreviated, with a base topic.
    static let ceilingLight = Gadget(
        name: "ceiling_light",
        description: .own(
            config(
                "light/ceiling",
                """
                {"~":"esp/ceiling","schema":"json","name":"Ceiling light","uniq_id":"ESPlightceiling","clrm":true,\
                "sup_clrm":["color_temp"],"brightness":true,"min_mirs":153,"max_mirs":370,"stat_t":"~/state",\
                "cmd_t":"~/command","avty_t":"~/status","dev":{"ids":"a4cf12d7","name":"","sw":"esphome v2024.6.0",\
                "mf":"espressif","sa":"Saloon"}}
                """)),
        presence: Presence(topic: "esp/ceiling/status", there: "online", away: "offline"),
        beginning: ["state": "OFF", "brightness": "128", "color_temp": "250"], commands: ["esp/ceiling/command"],
        effect: { message, _ in FlatJSON(message.payload).map { [$0.values] } },
        report: { values in
            let text = """
                {"state":"\(values["state"] ?? "")","brightness":\(values["brightness"] ?? "0"),\
                "color_mode":"color_temp","color_temp":\(values["color_temp"] ?? "0")}
                """
            return [GadgetMessage("esp/ceiling/state", text, retained: true)]
        })

    /// The default schema: brightness on separate topics, on a scale of a hundred.
    static let readingLight = plain(
        "reading_light",
        config(
            "light/reading",
            """
            {"name": "Reading light", "unique_id": "reading_light", "state_topic": "van/reading/status", \
            "command_topic": "van/reading/switch", "brightness_state_topic": "van/reading/brightness", \
            "brightness_command_topic": "van/reading/brightness/set", "brightness_scale": 100, \
            "availability": [{"topic": "van/reading/available"}], "payload_on": "ON", "payload_off": "OFF"}
            """), presence: "van/reading/available",
        beginning: ["state": "OFF", "brightness": "40"],
        states: ["state": "van/reading/status", "brightness": "van/reading/brightness"],
        commands: ["van/reading/switch": "state", "van/reading/brightness/set": "brightness"])

    /// Ten speeds.
    static let roofFan = plain(
        "roof_fan",
        config(
            "fan/roof",
            """
            {"name":"Roof fan","uniq_id":"roof_fan","stat_t":"van/fan/on/state","cmd_t":"van/fan/on/set",\
            "pct_stat_t":"van/fan/speed/state","pct_cmd_t":"van/fan/speed/set","spd_rng_min":1,"spd_rng_max":10,\
            "avty_t":"van/fan/available"}
            """), presence: "van/fan/available",
        beginning: ["state": "OFF", "speed": "3"],
        states: ["state": "van/fan/on/state", "speed": "van/fan/speed/state"],
        commands: ["van/fan/on/set": "state", "van/fan/speed/set": "speed"], lies: ["3": "9", "4": "9"])

    /// Off and heat, a target and a thermometer.
    static let heater = plain(
        "heater",
        config(
            "climate/heater",
            """
            {"name":"Heater","uniq_id":"heater_climate","modes":["off","heat"],"mode_cmd_t":"van/heater/mode/set",\
            "mode_stat_t":"van/heater/mode","temp_cmd_t":"van/heater/target/set","temp_stat_t":"van/heater/target",\
            "curr_temp_t":"van/heater/measured","min_temp":5,"max_temp":30,"temp_step":0.5,\
            "avty_t":"van/heater/available","pl_avail":"online","pl_not_avail":"offline"}
            """), presence: "van/heater/available",
        beginning: ["mode": "off", "target": "18", "measured": "16.5"],
        states: ["mode": "van/heater/mode", "target": "van/heater/target", "measured": "van/heater/measured"],
        commands: ["van/heater/mode/set": "mode", "van/heater/target/set": "target"], lies: ["21": "18"])

    /// A whole device in one message, with the keys of its entities shared at the root.
    static let galley = Gadget(
        name: "galley",
        description: .own(
            config(
                "device/galley",
                """
                {"dev":{"ids":"ea334450945afc","name":"Galley","mf":"Bla electronics","mdl":"xya","sw":"1.0",\
                "sn":"ea334450945afc","hw":"1.0rev2"},"o":{"name":"bla2mqtt","sw":"2.1","url":"https://bla2mqtt.example"},\
                "~":"bla/galley","avty_t":"~/availability","qos":2,"cmps":{\
                "socket":{"p":"switch","name":"Socket","dev_cla":"outlet","uniq_id":"galley_socket",\
                "cmd_t":"~/socket/set","stat_t":"~/state","val_tpl":"{{ value_json.socket }}",\
                "pl_on":"1","pl_off":"0","stat_on":"1","stat_off":"0"},\
                "humidity":{"p":"sensor","dev_cla":"humidity","unit_of_meas":"%","uniq_id":"galley_humidity",\
                "stat_t":"~/state","val_tpl":"{{ value_json['humidity'] | round(0) }}"},\
                "removed":{"p":"sensor"}}}
                """)),
        presence: Presence(topic: "bla/galley/availability", there: "online", away: "offline"),
        beginning: ["socket": "0", "humidity": "58.4"], commands: ["bla/galley/socket/set"],
        effect: { message, _ in [["socket": message.payload]] },
        report: { values in
            let text = "{\"socket\":\(values["socket"] ?? "0"),\"humidity\":\(values["humidity"] ?? "null")}"
            return [GadgetMessage("bla/galley/state", text, retained: true)]
        }, lies: ["0": "1", "1": "0"])
}
