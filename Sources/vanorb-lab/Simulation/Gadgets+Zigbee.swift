/// Devices of a Zigbee2MQTT network. Their states are not retained; `…/get` requests them.
extension Gadget {
    static let bedLamp = zigbee(
        "bed_lamp", "bed lamp", "0x00158d0001d82999", "LED1545G12", "TRADFRI bulb E26/E27, white spectrum", "IKEA",
        """
        {"type":"light","features":[\
        {"access":7,"name":"state","label":"State","property":"state","type":"binary","value_off":"OFF","value_on":"ON",\
        "value_toggle":"TOGGLE"},\
        {"access":7,"name":"brightness","label":"Brightness","property":"brightness","type":"numeric","value_max":254,\
        "value_min":0},\
        {"access":7,"name":"color_temp","label":"Color temp","property":"color_temp","type":"numeric","unit":"mired",\
        "value_max":454,"value_min":250,"presets":[{"name":"coolest","value":250}]}]},\
        {"access":2,"name":"effect","label":"Effect","property":"effect","type":"enum","values":["blink","okay"]}
        """, ["state": "OFF", "brightness": "127", "color_temp": "370"])

    static let motion = zigbee(
        "motion", "step motion", "0x00158d00022da2b4", "RTCGQ11LM", "Motion sensor", "Aqara",
        """
        {"access":1,"name":"battery","label":"Battery","property":"battery","type":"numeric","unit":"%",\
        "value_max":100,"value_min":0,"category":"diagnostic"},\
        {"access":1,"name":"occupancy","label":"Occupancy","property":"occupancy","type":"binary","value_off":false,\
        "value_on":true},\
        {"access":1,"name":"illuminance","label":"Illuminance","property":"illuminance","type":"numeric","unit":"lx"}
        """, ["occupancy": "false", "illuminance": "23", "battery": "91"])

    static let thermometer = zigbee(
        "thermometer", "outside", "0x00158d0003a1b2c3", "WSDCGQ11LM", "Temperature and humidity sensor", "Aqara",
        """
        {"access":1,"name":"temperature","label":"Temperature","property":"temperature","type":"numeric","unit":"°C"},\
        {"access":1,"name":"humidity","label":"Humidity","property":"humidity","type":"numeric","unit":"%"}
        """, ["temperature": "9.31", "humidity": "71.2"])

    private static func zigbee(
        _ name: String, _ friendlyName: String, _ address: String, _ model: String, _ what: String, _ vendor: String,
        _ exposes: String, _ beginning: Values
    ) -> Gadget {
        let element = """
            {"ieee_address":"\(address)","type":"Router","network_address":29159,"supported":true,"disabled":false,\
            "friendly_name":"\(friendlyName)","endpoints":{"1":{"bindings":[],"clusters":{"input":[],"output":[]}}},\
            "definition":{"model":"\(model)","vendor":"\(vendor)","description":"\(what)","options":[],\
            "exposes":[\(exposes),{"access":1,"category":"diagnostic","name":"linkquality","label":"Linkquality",\
            "property":"linkquality","type":"numeric","unit":"lqi","value_max":255,"value_min":0}]},\
            "power_source":"Battery","date_code":"20170403","interview_completed":true,"interviewing":false}
            """
        let topic = "zigbee2mqtt/\(friendlyName)"
        return Gadget(
            name: name, description: .zigbee(element),
            presence: Presence(
                topic: "\(topic)/availability", there: "{\"state\":\"online\"}", away: "{\"state\":\"offline\"}"),
            beginning: beginning, commands: ["\(topic)/set", "\(topic)/get"],
            effect: { message, values in
                if message.topic.hasSuffix("/get") { return [] }
                guard var change = FlatJSON(message.payload)?.values else { return nil }
                // Setting the brightness turns a lamp on.
                if change["brightness"] != nil, values["state"] != nil { change["state"] = change["state"] ?? "ON" }
                return [change.filter { values[$0.key] != nil }]
            },
            report: { values in
                let fields = values.sorted { $0.key < $1.key }.map { key, value in
                    let isText = Double(value) == nil && value != "true" && value != "false" && value != "null"
                    return "\"\(key)\":" + (isText ? "\"\(value)\"" : value)
                }
                return [GadgetMessage(topic, "{\(fields.joined(separator: ",")),\"linkquality\":105}")]
            })
    }
}

/// The bridge's own messages.
enum ZigbeeBridge {
    static let state = GadgetMessage("zigbee2mqtt/bridge/state", "{\"state\":\"online\"}", retained: true)

    /// The list of all devices of the network, the coordinator among them.
    static func devices(_ elements: [String]) -> GadgetMessage {
        let coordinator = """
            {"ieee_address":"0x00124b00120144ae","type":"Coordinator","network_address":0,"supported":false,\
            "disabled":false,"friendly_name":"Coordinator","endpoints":{},"definition":null,"power_source":null,\
            "date_code":null,"interviewing":false,"interview_completed":true}
            """
        let list = ([coordinator] + elements).joined(separator: ",")
        return GadgetMessage("zigbee2mqtt/bridge/devices", "[\(list)]", retained: true)
    }
}
