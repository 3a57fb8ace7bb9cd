/// Lights and fans of Home Assistant's discovery: on, off, and how much.
extension HomeAssistantEntity {
    /// Kelvin of the usual lamps, where a lamp says nothing: 500 and 153 mired.
    private static let usualMireds = (153.0, 500.0), usualKelvin = (2_000.0, 6_535.0)

    func fillLight(_ device: inout Device) throws(DiscoveryError) {
        switch try text("schema", "basic") {
        case "basic", "default": try fillPlainLight(&device)
        case "json": try fillJSONLight(&device)
        case let schema: throw DiscoveryError(detail: "the schema “\(schema)” is not supported")
        }
    }

    /// The default schema: every quantity has topics of its own.
    private func fillPlainLight(_ device: inout Device) throws(DiscoveryError) {
        try fillPower(&device)
        device.valueTemplate = try template("state_value_template", "value_template")
        if let topic = try topic("brightness_command_topic") {
            let stateTopic = try self.topic("brightness_state_topic")
            device.level = try scale(
                topic, stateTopic, try template("brightness_value_template"),
                try command("brightness_command_template"), (0, try number("brightness_scale", 255), 1))
            device.turnsOnByLevel = try text("on_command_type") == "brightness"
        }
        if let topic = try topic("color_temp_command_topic") {
            device.colourTemperature = try colour(
                topic, try self.topic("color_temp_state_topic"), try template("color_temp_value_template"),
                try command("color_temp_command_template"))
        }
        try fillPlainColour(&device)
    }

    /// Red, green and blue as `255,0,127`, or hue and saturation, or x and y. A template for three numbers is beyond
    /// what is read here; without it the lamp would get what it does not know.
    private func fillPlainColour(_ device: inout Device) throws(DiscoveryError) {
        let models: [(name: String, model: ColourControl.Model)] = [
            ("rgb", .rgb), ("hs", .hueSaturation), ("xy", .chromaticity),
        ]
        for (name, model) in models where device.colour == nil {
            guard let topic = try topic("\(name)_command_topic"), try text("\(name)_command_template") == nil,
                try text("\(name)_value_template") == nil
            else { continue }
            let layout = ColourControl.Layout(model: model)
            device.colour = ColourControl(
                commandTopic: topic, stateTopic: try self.topic("\(name)_state_topic"), command: layout, state: layout)
        }
    }

    /// The JSON schema: all stands in one object.
    private func fillJSONLight(_ device: inout Device) throws(DiscoveryError) {
        device.commandTopic = try required("command_topic")
        device.stateTopic = try topic("state_topic")
        device.payloadOn = "{\"state\":\"ON\"}"
        device.payloadOff = "{\"state\":\"OFF\"}"
        device.valueTemplate = ValueTemplate(path: ["state"])
        let modes = try texts("supported_color_modes") ?? []
        let isDimmable = modes.contains { $0 != "onoff" }
        if try flag("brightness") || isDimmable {
            device.level = try scale(
                device.commandTopic, device.stateTopic, ValueTemplate(path: ["brightness"]),
                CommandTemplate(key: "brightness", rest: "\"state\":\"ON\","),
                (0, try number("brightness_scale", 255), 1))
        }
        if modes.contains("color_temp") {
            device.colourTemperature = try colour(
                device.commandTopic, device.stateTopic, ValueTemplate(path: ["color_temp"]),
                CommandTemplate(key: "color_temp", rest: "\"state\":\"ON\","))
        }
        fillJSONColour(&device, modes)
    }

    private func fillJSONColour(_ device: inout Device, _ modes: [String]) {
        let layouts: [(modes: Set<String>, model: ColourControl.Model, keys: [String])] = [
            (["rgb", "rgbw", "rgbww"], .rgb, ["r", "g", "b"]), (["hs"], .hueSaturation, ["h", "s"]),
            (["xy"], .chromaticity, ["x", "y"]),
        ]
        guard let topic = device.commandTopic,
            let layout = layouts.first(where: { !$0.modes.isDisjoint(with: modes) })
        else { return }
        let form = ColourControl.Layout(model: layout.model, keys: layout.keys, path: ["color"])
        device.colour = ColourControl(
            commandTopic: topic, stateTopic: device.stateTopic, command: form, state: form,
            rest: "\"state\":\"ON\",", modeWords: layout.modes)
    }

    private func colour(
        _ commandTopic: String?, _ stateTopic: String?, _ template: ValueTemplate?, _ payload: CommandTemplate
    ) throws(DiscoveryError) -> Scale {
        let isKelvin = try flag("color_temp_kelvin")
        let usual = isKelvin ? Self.usualKelvin : Self.usualMireds
        let ends =
            isKelvin
            ? (try number("min_kelvin", usual.0), try number("max_kelvin", usual.1))
            : (try number("min_mireds", usual.0), try number("max_mireds", usual.1))
        guard ends.0 > 0, ends.1 > ends.0 else {
            throw DiscoveryError(detail: "its colour temperatures are not a range")
        }
        return try scale(
            commandTopic, stateTopic, template, payload, (ends.0, ends.1, 1), unit: isKelvin ? "K" : Scale.mired)
    }

    func fillFan(_ device: inout Device) throws(DiscoveryError) {
        try fillPower(&device)
        device.valueTemplate = try template("state_value_template", "value_template")
        if let topic = try topic("percentage_command_topic") {
            let low = try number("speed_range_min", 1), high = try number("speed_range_max", 100)
            guard low >= 0, high >= low else { throw DiscoveryError(detail: "its speeds are not a range") }
            // The lowest speed is one step above standing still.
            device.level = try scale(
                topic, try self.topic("percentage_state_topic"), try template("percentage_value_template"),
                try command("percentage_command_template"), (low - 1, high, 1))
        }
        if let topic = try topic("oscillation_command_topic") {
            let template = try command("oscillation_command_template")
            let on = try text("payload_oscillation_on", "oscillate_on")
            let off = try text("payload_oscillation_off", "oscillate_off")
            device.oscillation = Device.Oscillation(
                commandTopic: topic, stateTopic: try self.topic("oscillation_state_topic"),
                template: try self.template("oscillation_value_template"), payloadOn: template.filled(on),
                payloadOff: template.filled(off), stateOn: on, stateOff: off)
        }
        if let topic = try topic("preset_mode_command_topic") {
            let all = Options.named(try texts("preset_modes") ?? [])
            guard !all.isEmpty else { throw DiscoveryError(detail: "“preset_modes” is missing or empty") }
            device.options = Options(
                commandTopic: topic, stateTopic: try self.topic("preset_mode_state_topic"),
                template: try template("preset_mode_value_template"),
                payload: try command("preset_mode_command_template"), all: all)
        }
    }
}
