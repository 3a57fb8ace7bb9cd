/// A Victron installation. Nothing is retained, and values are published only while a client sends keep-alives.
enum VenusOS {
    static let portal = "d41243d2ea56"
    /// The topic of keep-alives, and how long one is valid, seconds.
    static let keepalive = "\(requests)/keepalive", patience = 60.0
    /// The prefix of its request topics.
    static let requests = "R/\(portal)"
    /// The topic of a value.
    static func topic(_ path: String) -> String { "N/\(portal)/\(path)" }
    /// Its heartbeat, every three seconds.
    static func heartbeat(at time: Int) -> GadgetMessage {
        GadgetMessage(topic("heartbeat"), "{\"value\":\(time)}")
    }
    /// The end of a full publication.
    static func completed(at time: Int) -> GadgetMessage {
        GadgetMessage(topic("full_publish_completed"), "{\"value\":\(time)}")
    }
}

extension Gadget {
    /// The system as a whole; without solar panels, whose power is null.
    static let battery = venus(
        "battery",
        [
            "system/0/Serial": "\"\(VenusOS.portal)\"", "system/0/Dc/Battery/Soc": "82",
            "system/0/Dc/Battery/Voltage": "13.1", "system/0/Dc/Battery/Power": "-46",
            "system/0/Dc/Pv/Power": "null", "system/0/Dc/Battery/TimeToGo": "null",
        ])
    static let freshTank = venus(
        "fresh_tank",
        [
            "tank/3/FluidType": "1", "tank/3/Capacity": "0.1", "tank/3/Level": "64", "tank/3/Remaining": "0.064",
            "tank/3/Status": "0", "tank/3/CustomName": "\"\"",
        ])
    static let greyTank = venus(
        "grey_tank",
        [
            "tank/4/FluidType": "2", "tank/4/Capacity": "0.06", "tank/4/Level": "35", "tank/4/Remaining": "0.021",
            "tank/4/Status": "0", "tank/4/CustomName": "\"\"",
        ])

    private static func venus(_ name: String, _ values: Values) -> Gadget {
        Gadget(
            name: name, description: .values, beginning: values, commands: [], effect: { _, _ in nil },
            report: { values in
                values.sorted { $0.key < $1.key }.map {
                    GadgetMessage(VenusOS.topic($0.key), $0.value.isEmpty ? "" : "{\"value\":\($0.value)}")
                }
            })
    }

    /// All that there is.
    static let all: [Gadget] = [
        pump, ceilingLight, readingLight, roofFan, heater, galley, awning, blind, sideDoor, chargeLimit, inverterMode,
        routerRestart, filmNight, fridgeTemperature, rearDoor, smokeAlarm, gasAlarm, bedLamp, motion, thermometer,
        socket,
        battery, freshTank, greyTank,
    ]
}
