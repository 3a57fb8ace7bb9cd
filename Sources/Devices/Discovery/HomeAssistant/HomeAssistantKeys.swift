/// The short forms of Home Assistant's keys. Only those that are read here; the others may stay short.
enum HomeAssistantKeys {
    /// In an entity's or a device's description.
    static let entity = table(
        """
        act_t action_topic|avty availability|avty_mode availability_mode|avty_t availability_topic
        avty_tpl availability_template|bri_cmd_t brightness_command_topic|bri_cmd_tpl brightness_command_template
        bri_scl brightness_scale|bri_stat_t brightness_state_topic|bri_val_tpl brightness_value_template
        clr_temp_cmd_t color_temp_command_topic|clr_temp_cmd_tpl color_temp_command_template
        clr_temp_k color_temp_kelvin|clr_temp_stat_t color_temp_state_topic
        clr_temp_val_tpl color_temp_value_template|cmd_t command_topic|cmd_tpl command_template|cmps components
        curr_temp_t current_temperature_topic|curr_temp_tpl current_temperature_template|dev device
        dev_cla device_class|en enabled_by_default|ent_cat entity_category|exp_aft expire_after
        fan_mode_cmd_t fan_mode_command_topic|fx_list effect_list|max_k max_kelvin|max_mirs max_mireds
        min_k min_kelvin|min_mirs min_mireds|mode_cmd_t mode_command_topic|mode_cmd_tpl mode_command_template
        mode_stat_t mode_state_topic|mode_stat_tpl mode_state_template|o origin|obj_id object_id|off_dly off_delay
        on_cmd_type on_command_type|ops options|opt optimistic|hs_cmd_t hs_command_topic|hs_stat_t hs_state_topic|osc_cmd_t oscillation_command_topic
        osc_cmd_tpl oscillation_command_template|osc_stat_t oscillation_state_topic
        osc_val_tpl oscillation_value_template|pl_osc_off payload_oscillation_off
        pl_osc_on payload_oscillation_on|p platform
        pct_cmd_t percentage_command_topic|pct_cmd_tpl percentage_command_template
        pct_stat_t percentage_state_topic|pct_val_tpl percentage_value_template|pl_avail payload_available
        pl_cls payload_close|pl_lock payload_lock|pl_not_avail payload_not_available|pl_off payload_off
        pl_on payload_on|pl_open payload_open|pl_prs payload_press|pl_stop payload_stop|pl_unlk payload_unlock
        pos_clsd position_closed|pos_open position_open|pos_t position_topic|pos_tpl position_template
        pow_cmd_t power_command_topic|pow_cmd_tpl power_command_template
        pr_mode_cmd_t preset_mode_command_topic|pr_mode_cmd_tpl preset_mode_command_template
        pr_mode_stat_t preset_mode_state_topic|pr_mode_val_tpl preset_mode_value_template|pr_modes preset_modes
        ret retain|rgb_cmd_t rgb_command_topic|rgb_cmd_tpl rgb_command_template
        rgb_stat_t rgb_state_topic|xy_cmd_t xy_command_topic|xy_stat_t xy_state_topic|sa suggested_area|set_pos_t set_position_topic
        set_pos_tpl set_position_template|spd_rng_max speed_range_max|spd_rng_min speed_range_min
        stat_cla state_class|stat_closing state_closing|stat_clsd state_closed|stat_jam state_jammed
        stat_locked state_locked|stat_locking state_locking|stat_off state_off|stat_on state_on
        stat_open state_open|stat_opening state_opening|stat_stopped state_stopped|stat_t state_topic
        stat_unlocked state_unlocked|stat_unlocking state_unlocking|stat_val_tpl state_value_template
        sup_clrm supported_color_modes|t topic|temp_cmd_t temperature_command_topic
        temp_cmd_tpl temperature_command_template|temp_stat_t temperature_state_topic
        temp_stat_tpl temperature_state_template|temp_unit temperature_unit|uniq_id unique_id
        tilt_clsd_val tilt_closed_value|tilt_cmd_t tilt_command_topic|tilt_max tilt_max|tilt_min tilt_min
        tilt_opnd_val tilt_opened_value|tilt_status_t tilt_status_topic|tilt_status_tpl tilt_status_template
        unit_of_meas unit_of_measurement|val_tpl value_template
        """)

    /// In `device`.
    static let device = table(
        "cns connections|cu configuration_url|hw hw_version|ids identifiers|mdl model|mdl_id model_id"
            + "|mf manufacturer|sa suggested_area|sn serial_number|sw sw_version")

    private static func table(_ text: String) -> [String: String] {
        var table: [String: String] = [:]
        for pair in text.split(whereSeparator: { $0 == "|" || $0 == "\n" }) {
            let words = pair.split(separator: " ")
            if words.count == 2 { table[String(words[0])] = String(words[1]) }
        }
        return table
    }

    /// The entries with long keys; where both forms occur, the long one takes precedence.
    static func expanded(
        _ entries: [String: JSONValue], _ table: [String: String] = entity
    ) -> [String: JSONValue] {
        var long: [String: JSONValue] = [:]
        for (key, value) in entries {
            guard let name = table[key] else {
                long[key] = value
                continue
            }
            if entries[name] == nil { long[name] = value }
        }
        return long
    }

    /// Puts the base topic, `~`, where the values of topic keys begin or end with it.
    static func withBase(_ entries: [String: JSONValue]) -> [String: JSONValue] {
        guard let base = entries["~"]?.string else { return entries }
        var full = entries
        for (key, value) in entries where key == "topic" || key.hasSuffix("_topic") {
            if let topic = value.string { full[key] = .text(placed(base, in: topic)) }
        }
        if let list = entries["availability"]?.list {
            full["availability"] = .list(
                list.map { element in
                    guard var entry = element.object.map({ expanded($0) }), let topic = entry["topic"]?.string
                    else { return element }
                    entry["topic"] = .text(placed(base, in: topic))
                    return .object(entry)
                })
        }
        return full
    }

    private static func placed(_ base: String, in topic: String) -> String {
        if topic.hasPrefix("~") { return base + topic.dropFirst() }
        return topic.hasSuffix("~") ? topic.dropLast() + base : topic
    }
}
