/// What moves, locks, is set or pressed by Home Assistant's convention.
extension Gadget {
    /// A cover that reports state and position.
    static let awning = plain(
        "awning",
        config(
            "cover/awning",
            """
            {"name":"Awning","uniq_id":"awning","dev_cla":"awning","cmd_t":"van/awning/set",\
            "stat_t":"van/awning/state","pos_t":"van/awning/position","set_pos_t":"van/awning/position/set",\
            "avty_t":"van/awning/available","pl_open":"OPEN","pl_cls":"CLOSE","pl_stop":"STOP"}
            """), presence: "van/awning/available",
        beginning: ["state": "closed", "position": "0"],
        states: ["state": "van/awning/state", "position": "van/awning/position"],
        commands: ["van/awning/set": "state", "van/awning/position/set": "position"],
        reads: [
            "OPEN": [["state": "opening"], ["state": "open", "position": "100"]],
            "CLOSE": [["state": "closing"], ["state": "closed", "position": "0"]],
            "STOP": [["state": "stopped"]],
        ], lies: ["0": "100", "100": "0", "30": "90"])

    /// A cover with inverted positions, which takes positions only. It cannot be stopped, as null says.
    static let blind = plain(
        "blind",
        config(
            "cover/blind",
            """
            {"name":"Bedroom blind","uniq_id":"blind_bed","dev_cla":"blind","cmd_t":"van/blind/set","pl_stop":null,\
            "pos_t":"van/blind/position","set_pos_t":"van/blind/position/set","pos_open":0,"pos_clsd":100,\
            "avty_t":"van/blind/available"}
            """), presence: "van/blind/available",
        beginning: ["position": "0"], states: ["position": "van/blind/position"],
        commands: ["van/blind/set": "position", "van/blind/position/set": "position"],
        reads: ["OPEN": [["position": "0"]], "CLOSE": [["position": "100"]]],
        lies: ["0": "100", "100": "0", "30": "90", "70": "20"])

    /// A lock that reports when it turns.
    static let sideDoor = plain(
        "side_door",
        config(
            "lock/side_door",
            """
            {"name": "Side door", "unique_id": "side_door_lock", "command_topic": "van/lock/set", \
            "state_topic": "van/lock/state", "payload_lock": "LOCK", "payload_unlock": "UNLOCK", \
            "state_locked": "LOCKED", "state_unlocked": "UNLOCKED", "state_locking": "LOCKING", \
            "state_unlocking": "UNLOCKING", "state_jammed": "JAMMED", "availability_topic": "van/lock/available"}
            """), presence: "van/lock/available",
        beginning: ["state": "LOCKED"], states: ["state": "van/lock/state"], commands: ["van/lock/set": "state"],
        reads: ["LOCK": [["state": "LOCKED"]], "UNLOCK": [["state": "UNLOCKED"]]])

    static let chargeLimit = plain(
        "charge_limit",
        config(
            "number/charger/limit",
            """
            {"name":"Charge limit","uniq_id":"charge_limit","cmd_t":"van/charger/limit/set",\
            "stat_t":"van/charger/limit","min":50,"max":100,"step":5,"unit_of_meas":"%","avty_t":"van/charger/available"}
            """), presence: "van/charger/available",
        beginning: ["limit": "90"], states: ["limit": "van/charger/limit"],
        commands: ["van/charger/limit/set": "limit"], lies: ["80": "100"])

    static let inverterMode = plain(
        "inverter_mode",
        config(
            "select/inverter/mode",
            """
            {"name":"Inverter mode","uniq_id":"inverter_mode","cmd_t":"van/inverter/mode/set",\
            "stat_t":"van/inverter/mode","ops":["Off","Eco","Normal"],"avty_t":"van/inverter/available"}
            """), presence: "van/inverter/available",
        beginning: ["mode": "Normal"], states: ["mode": "van/inverter/mode"],
        commands: ["van/inverter/mode/set": "mode"], lies: ["Eco": "Off", "Normal": "Off"])

    static let routerRestart = plain(
        "router_restart",
        config(
            "button/router/restart",
            """
            {"name":"Router restart","uniq_id":"router_restart","cmd_t":"van/router/restart","pl_prs":"PRESS",\
            "dev_cla":"restart","ent_cat":"config","avty_t":"van/router/available"}
            """), presence: "van/router/available",
        beginning: [:], states: [:], commands: ["van/router/restart": "pressed"])

    static let filmNight = plain(
        "film_night",
        config(
            "scene/film_night",
            "{\"name\":\"Film night\",\"uniq_id\":\"film_night\",\"cmd_t\":\"van/scene/set\",\"pl_on\":\"film_night\"}"),
        beginning: [:], states: [:], commands: ["van/scene/set": "scene"])
}
