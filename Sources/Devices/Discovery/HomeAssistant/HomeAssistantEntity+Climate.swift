/// Heaters and air conditioners of Home Assistant's discovery.
extension HomeAssistantEntity {
    private static let usualModes = ["auto", "off", "cool", "heat", "dry", "fan_only"]
    /// Home Assistant's range for a device without one, °C; in Fahrenheit to the degree, as it is set.
    private static let usualRange = (7.0, 35.0)
    /// What a thermometer may say.
    private static let measured = (-50.0, 100.0)

    func fillClimate(_ device: inout Device) throws(DiscoveryError) {
        let isFahrenheit = try text("temperature_unit", "C").uppercased() == "F", unit = isFahrenheit ? "°F" : "°C"
        func own(_ celsius: Double) -> Double { isFahrenheit ? (celsius * 9 / 5 + 32).rounded() : celsius }
        if let topic = try topic("temperature_command_topic") {
            let limits = (
                try number("min_temp", own(Self.usualRange.0)), try number("max_temp", own(Self.usualRange.1)),
                try number("temp_step", 1)
            )
            guard limits.0 < limits.1 else { throw DiscoveryError(detail: "“min_temp” is not below “max_temp”") }
            device.target = try scale(
                topic, try self.topic("temperature_state_topic"),
                try template("temperature_state_template", "value_template"),
                try command("temperature_command_template"), limits, unit: unit)
        }
        if let topic = try topic("current_temperature_topic") {
            device.current = try scale(
                nil, topic, try template("current_temperature_template", "value_template"), .plain,
                (own(Self.measured.0), own(Self.measured.1), 0.1), unit: unit)
        }
        try fillModes(&device)
        if let topic = try topic("power_command_topic") {
            device.commandTopic = topic
            let template = try command("power_command_template")
            device.payloadOn = template.filled(try text("payload_on", "ON"))
            device.payloadOff = template.filled(try text("payload_off", "OFF"))
        }
    }

    /// The modes; one of them means off, and so the others mean on.
    private func fillModes(_ device: inout Device) throws(DiscoveryError) {
        let topic = try topic("mode_command_topic"), stateTopic = try self.topic("mode_state_topic")
        guard topic != nil || stateTopic != nil else { return }
        let modes = try texts("modes") ?? Self.usualModes
        let payload = try command("mode_command_template")
        device.options = Options(
            commandTopic: topic, stateTopic: stateTopic,
            template: try template("mode_state_template", "value_template"),
            payload: payload, all: Options.named(modes))
        guard let power = Device.power(ofModes: modes) else { return }
        device.commandTopic = topic
        device.stateTopic = stateTopic
        device.valueTemplate = device.options?.template
        device.stateOn = power.on
        device.stateOff = power.off
        device.payloadOn = payload.filled(power.on)
        device.payloadOff = payload.filled(power.off)
    }
}
