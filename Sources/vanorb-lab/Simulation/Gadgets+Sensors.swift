/// What only reports, by Home Assistant's convention.
extension Gadget {
    /// It is not there any more after ten minutes without a word.
    static let fridgeTemperature = Gadget(
        name: "fridge_temperature",
        description: .own(
            config(
                "sensor/fridge/temperature",
                """
                {"name":"Fridge temperature","uniq_id":"fridge_t","dev_cla":"temperature","stat_cla":"measurement",\
                "unit_of_meas":"°C","stat_t":"van/fridge/tele","val_tpl":"{{ value_json.inside.temperature | float | round(1) }}",\
                "exp_aft":600,"avty_t":"van/fridge/available"}
                """)),
        presence: Presence(topic: "van/fridge/available", there: "online", away: "offline"),
        beginning: ["temperature": "4.26"], commands: [], effect: { _, _ in nil },
        report: { values in
            [
                GadgetMessage(
                    "van/fridge/tele", "{\"inside\":{\"temperature\":\(values["temperature"] ?? "null")}}",
                    retained: true)
            ]
        })

    static let rearDoor = alarm("rear_door", "Rear door", "door", "van/rear_door/contact")
    static let smokeAlarm = alarm("smoke_alarm", "Smoke alarm", "smoke", "van/alarm/smoke")
    static let gasAlarm = alarm("gas_alarm", "Gas alarm", "gas", "van/alarm/gas")

    /// A binary sensor: its class defines what ON means.
    private static func alarm(_ name: String, _ title: String, _ deviceClass: String, _ topic: String) -> Gadget {
        plain(
            name,
            config(
                "binary_sensor/\(name)",
                """
                {"name":"\(title)","uniq_id":"\(name)","dev_cla":"\(deviceClass)","stat_t":"\(topic)",\
                "avty_t":"\(topic)/available","pl_on":"ON","pl_off":"OFF"}
                """), presence: "\(topic)/available",
            beginning: ["state": "OFF"], states: ["state": topic])
    }
}
