import Foundation

/// Devices of another maker's: the Python library ha-mqtt-discoverable, which describes and publishes them by itself.
enum Publisher {
    /// The interpreter of the environment that deploy/test makes; nil where it was not made.
    static let python: String? = {
        let folder = ProcessInfo.processInfo.environment["VANORB_PUBLISHER"] ?? "\(Workshop.root)/.build/publisher"
        let python = "\(folder)/bin/python3"
        return FileManager.default.isExecutableFile(atPath: python) ? python : nil
    }()

    /// A device of each kind that the library has and VanOrb takes. Every callback prints what it received, and says
    /// that it was done.
    static let script = """
        import json, sys, threading
        from ha_mqtt_discoverable import DeviceInfo, Settings
        from ha_mqtt_discoverable.sensors import (
            BinarySensor, BinarySensorInfo, Button, ButtonInfo, Cover, CoverInfo, Light, LightInfo, Number, NumberInfo,
            Select, SelectInfo, Sensor, SensorInfo, Switch, SwitchInfo)

        mqtt = Settings.MQTT(host="127.0.0.1", port=int(sys.argv[1]))
        bench = DeviceInfo(name="Workbench", identifiers="workbench-7", manufacturer="Somebody", model="Bench 2")

        def settings(info):
            return Settings(mqtt=mqtt, entity=info)

        def received(message, act):
            text = message.payload.decode()
            print("received", message.topic.split("/")[-2], text, flush=True)
            act(text)

        def subscriber(kind, info, act):
            return kind(settings(info), lambda client, data, message: received(message, act), retain=True)

        pump = subscriber(
            Switch, SwitchInfo(name="Bilge pump", unique_id="bilge", device=bench),
            lambda text: pump.on() if text == "ON" else pump.off())

        def shine(text):
            wanted = json.loads(text)
            if "brightness" in wanted:
                lamp.brightness(wanted["brightness"])
            elif wanted["state"] == "ON":
                lamp.on()
            else:
                lamp.off()

        lamp = subscriber(Light, LightInfo(name="Vice lamp", unique_id="vice_lamp", brightness=True), shine)
        hatch = subscriber(
            Cover, CoverInfo(name="Roof hatch", unique_id="hatch"),
            lambda text: {"OPEN": lambda: hatch.open(), "CLOSE": lambda: hatch.closed()}.get(text, lambda: None)())
        limit = subscriber(
            Number, NumberInfo(name="Current limit", unique_id="limit", min=5, max=30, unit_of_measurement="A"),
            lambda text: limit.set_value(float(text)))
        profile = subscriber(
            Select, SelectInfo(name="Pump profile", unique_id="profile", options=["Gentle", "Strong"]),
            lambda text: profile.select_option(text))
        bell = subscriber(
            Button, ButtonInfo(name="Bench bell", unique_id="bell"), lambda text: None)
        bell.write_config()
        pump.off()
        lamp.off()
        hatch.closed()
        limit.set_value(10)
        profile.select_option("Gentle")

        heat = Sensor(settings(SensorInfo(
            name="Oven temperature", unique_id="oven", device_class="temperature", unit_of_measurement="°C")))
        leak = BinarySensor(settings(BinarySensorInfo(name="Bilge leak", unique_id="leak", device_class="moisture")))
        print("published", flush=True)
        # Sensors are not retained: they say it again, as sensors do.
        while not threading.Event().wait(0.5):
            heat.set_state(81.5)
            leak.off()

        """
}
