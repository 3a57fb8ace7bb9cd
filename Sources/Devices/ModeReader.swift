import Configuration

/// Reads the scenes and modes of the owner's file; what they name must be there, and be able to do what is asked.
struct ModeReader {
    let devices: [Device]
    /// What they name of these is not there yet, and cannot be asked what it is able to do.
    var adjustments: [DeviceAdjustment] = []

    func scenes(_ section: ConfigurationNode?) throws -> [Scene] {
        var names = Set<String>()
        return try (section?.elements() ?? []).map { node in
            let entry = try node.entries(allowed: ["name", "aliases", "actions"])
            let (name, aliases) = try self.names(node, entry, taken: &names)
            guard let actions = entry["actions"] else { throw node.error("“actions” is missing") }
            let scene = Scene(name: name, aliases: aliases, actions: try self.actions(actions))
            guard !scene.actions.isEmpty else { throw actions.error("the list is empty") }
            return scene
        }
    }

    /// - Parameter standard: the modes that every van has; one of them in the file is given its contents.
    func modes(_ section: ConfigurationNode?, standard: [Mode]) throws -> [Mode] {
        var modes = standard, names = Set<String>()
        for node in try section?.elements() ?? [] {
            let entry = try node.entries(allowed: ["name", "aliases", "checks", "actions", "settings"])
            let (name, aliases) = try self.names(node, entry, taken: &names)
            let mode = Mode(
                name: name, aliases: aliases,
                checks: try entry["checks"]?.elements().map(check) ?? [],
                actions: try entry["actions"].map(actions) ?? [],
                settings: try entry["settings"].map(ModeSettings.init) ?? ModeSettings())
            if let index = modes.firstIndex(where: { $0.name == name }) {
                modes[index] = mode
            } else {
                modes.append(mode)
            }
        }
        return modes
    }

    private func names(
        _ node: ConfigurationNode, _ entry: [String: ConfigurationNode], taken: inout Set<String>
    ) throws -> (String, [String]) {
        guard let name = try entry["name"]?.string().lowercased(), !name.isEmpty else {
            throw node.error("“name” is missing")
        }
        let aliases = try entry["aliases"]?.strings().map { $0.lowercased() } ?? []
        for name in [name] + aliases {
            guard taken.insert(name).inserted else {
                throw node.error("“\(name)” is already the name of another mode or scene")
            }
        }
        return (name, aliases)
    }

    // MARK: actions

    private func actions(_ node: ConfigurationNode) throws -> [DeviceAction] {
        try node.elements().map(action)
    }

    private func device(_ node: ConfigurationNode, _ entry: [String: ConfigurationNode]) throws -> Device {
        guard let nameNode = entry["device"] else { throw node.error("“device” is missing") }
        let name = try nameNode.string().lowercased()
        if let device = devices.first(where: { $0.id.lowercased() == name }) { return device }
        if let adjustment = adjustments.first(where: { $0.names.map { $0.lowercased() }.contains(name) }) {
            return .missing(adjustment.reference, name: adjustment.name ?? adjustment.device)
        }
        let named = devices.filter { $0.name == name || $0.aliases.contains(name) }
        guard let device = named.first else { throw nameNode.error("there is no device called “\(name)”") }
        guard named.count == 1 else { throw nameNode.error("several devices are called “\(name)”; write the id") }
        return device
    }

    private func action(_ node: ConfigurationNode) throws -> DeviceAction {
        let entry = try node.entries(
            allowed: ["device", "do", "level", "colour_temperature", "temperature", "option", "value"])
        let device = try device(node, entry)
        let rest = entry.keys.filter { $0 != "device" }
        guard rest.count == 1, let key = rest.first, let value = entry[key] else {
            throw node.error(
                "expected {device: …} and one of: do, level, colour_temperature, temperature, option, value")
        }
        let command: DeviceCommand =
            switch key {
            case "do": try command(value)
            case "level": .level(try value.double())
            case "colour_temperature": .colourTemperature(try value.double())
            case "temperature": .temperature(try value.double())
            case "option": .option(try value.string().lowercased())
            default: .value(try value.double())
            }
        guard !device.isMissing else { return DeviceAction(device: device.id, command: command) }
        // A mode that cannot be carried out is found when the file is read, not on the evening it is needed.
        do {
            _ = try device.plan(
                for: command, DeviceReport(state: .unknown, isAvailable: true, isStale: false))
        } catch {
            switch error.outcome {
            case .outOfRange(let low, let high):
                throw value.error("out of range; “\(device.name)” takes \(Scale.text(low)) to \(Scale.text(high))")
            case .noOption(let names):
                throw value.error(
                    "“\(device.name)” has no such option; expected one of: \(names.joined(separator: ", "))")
            default: throw value.error("“\(device.name)”, a \(device.kind.rawValue), cannot do that")
            }
        }
        return DeviceAction(device: device.id, command: command)
    }

    private func command(_ node: ConfigurationNode) throws -> DeviceCommand {
        // YAML reads on and off as truth values; the text is what was written.
        let word = try node.string().lowercased()
        switch word {
        case "on", "true", "yes": return .on
        case "off", "false", "no": return .off
        default:
            guard let verb = Device.Verb(rawValue: word) else {
                let verbs = Device.Verb.allCases.map(\.rawValue).joined(separator: ", ")
                throw node.error("expected one of: on, off, \(verbs)")
            }
            return .verb(verb)
        }
    }

    // MARK: checks

    private func check(_ node: ConfigurationNode) throws -> Check {
        let entry = try node.entries(allowed: ["device", "is", "option", "above", "below"])
        let device = try device(node, entry)
        let rest = entry.keys.filter { $0 != "device" }
        guard rest.count == 1, let key = rest.first, let value = entry[key] else {
            throw node.error("expected {device: …} and one of: is, option, above, below")
        }
        guard device.isMissing || !device.sources.isEmpty else {
            throw node.error("“\(device.name)” never reports its state; it cannot be checked")
        }
        switch key {
        case "above": return Check(device: device.id, expectation: .above(try value.double()))
        case "below": return Check(device: device.id, expectation: .below(try value.double()))
        case "option":
            let name = try value.string().lowercased()
            if device.isMissing { return Check(device: device.id, expectation: .option(name)) }
            guard let option = device.options?.option(name) else {
                let names = device.options?.all.map(\.name).joined(separator: ", ") ?? ""
                throw value.error("“\(device.name)” has no option “\(name)”; it has: \(names)")
            }
            return Check(device: device.id, expectation: .option(option.name))
        default: return Check(device: device.id, expectation: try expectation(value))
        }
    }

    private func expectation(_ node: ConfigurationNode) throws -> Check.Expectation {
        switch try node.string().lowercased() {
        case "on", "true", "yes": return .on
        case "off", "false", "no": return .off
        case "open": return .open
        case "closed": return .closed
        case "locked": return .locked
        case "unlocked": return .unlocked
        default: throw node.error("expected one of: on, off, open, closed, locked, unlocked")
        }
    }
}
