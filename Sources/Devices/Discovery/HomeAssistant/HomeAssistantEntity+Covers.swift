/// Covers and locks of Home Assistant's discovery, whose states are words.
extension HomeAssistantEntity {
    func fillCover(_ device: inout Device) throws(DiscoveryError) {
        device.commandTopic = try topic("command_topic")
        device.stateTopic = try topic("state_topic")
        device.valueTemplate = try template("value_template")
        if device.commandTopic != nil {
            try addVerbs(
                [
                    (.open, "payload_open", "OPEN"), (.close, "payload_close", "CLOSE"),
                    (.stop, "payload_stop", "STOP"),
                ], to: &device)
        }
        try addWords([.open, .closed, .opening, .closing, .stopped], to: &device) { $0.rawValue }
        let set = try topic("set_position_topic"), reported = try topic("position_topic")
        if set != nil || reported != nil {
            device.level = try scale(
                set, reported, try template("position_template", "value_template"),
                try command("set_position_template", name: "position"),
                (try number("position_closed", 0), try number("position_open", 100), 1))
        }
        if let topic = try topic("tilt_command_topic") {
            let low = try number("tilt_min", 0), high = try number("tilt_max", 100)
            let shut = try number("tilt_closed_value", low), open = try number("tilt_opened_value", high)
            device.tilt = try scale(
                topic, try self.topic("tilt_status_topic"), try template("tilt_status_template"),
                try command("tilt_command_template", name: "tilt_position"), (shut, open, 1))
        }
        guard device.commandTopic != nil || set != nil else { throw DiscoveryError(detail: "it takes no commands") }
    }

    func fillLock(_ device: inout Device) throws(DiscoveryError) {
        device.commandTopic = try required("command_topic")
        device.stateTopic = try topic("state_topic")
        device.valueTemplate = try template("value_template")
        try addVerbs([(.lock, "payload_lock", "LOCK"), (.unlock, "payload_unlock", "UNLOCK")], to: &device)
        try addWords([.locked, .unlocked, .locking, .unlocking, .jammed], to: &device) { $0.rawValue.uppercased() }
    }

    /// The payloads of verbs, of which null says that the device does not know it.
    private func addVerbs(
        _ verbs: [(verb: Device.Verb, key: String, standard: String)], to device: inout Device
    ) throws(DiscoveryError) {
        let template = try command("command_template")
        for (verb, key, standard) in verbs where !isRefused(key) {
            device.verbs[verb] = template.filled(try text(key, standard))
        }
    }

    private func addWords(
        _ positions: [Device.Position], to device: inout Device, standard: (Device.Position) -> String
    ) throws(DiscoveryError) {
        for position in positions {
            let payload = try text("state_\(position.rawValue)", standard(position))
            guard device.stateWords[payload] == nil else {
                throw DiscoveryError(detail: "the state “\(payload)” has two meanings")
            }
            device.stateWords[payload] = position
        }
    }
}
