import Devices
import Domain

/// What devices are called.
extension DeviceResolver {
    /// What devices are called, groups among them.
    package func deviceNames() -> [OwnerName] {
        let devices = van.devices, taken = Set(devices.flatMap { [$0.name] + $0.aliases })
        let groups = Set(devices.flatMap(\.groups)).sorted().map { OwnerName(name: $0, id: Self.groupID($0)) }
        let areas = Set(devices.compactMap(\.area))
        return devices.map { device in
            // “The bedroom light” is the light of the bedroom, and not the one of its lamps that is called so.
            let lamp = lampName(of: device).flatMap { name in
                areas.contains {
                    name.hasPrefix("\($0) ") && name.split(separator: " ").count == $0.split(separator: " ").count + 1
                }
                    && devices.filter { $0.kind == .light && $0.area == device.area }.count > 1 ? nil : name
            }
            let others = [wholeName(of: device), lamp, className(of: device), optionName(of: device)].compactMap { $0 }
            return OwnerName(
                name: name(of: device), aliases: device.aliases + others.filter { !taken.contains($0) }, id: device.id)
        } + groups
    }

    /// A sensor that is called “light” is not what is meant by “the light”.
    private func name(of device: Device) -> String {
        guard device.kind == .sensor || device.kind == .binarySensor else { return device.name }
        let nouns = Device.Kind.allCases.map { "van.kind_\($0)" }.filter(replies.has).flatMap {
            replies($0).spoken.split(separator: " ")
        }
        return nouns.contains(Substring(device.name))
            ? replies("van.sensor_of", ["name": device.name]).spoken : device.name
    }

    /// Told apart by what it measures, of several that have one name: “phone battery”, “phone update”. Nil for a name
    /// that is its own.
    func className(of device: Device) -> String? {
        guard let deviceClass = device.deviceClass, replies.has("van.class_\(deviceClass)"),
            van.devices.contains(where: { $0.name == device.name && $0.id != device.id })
        else { return nil }
        return "\(device.name) \(replies("van.class_\(deviceClass)"))"
    }

    /// As it is spoken of: where several have one name, those whose state alone would not say which is meant have their
    /// class with it.
    func spokenName(of device: Device) -> String {
        let classes = replies("van.named_by_class").spoken.split(separator: " ").map(String.init)
        guard let deviceClass = device.deviceClass, classes.contains(deviceClass) else { return device.name }
        return className(of: device) ?? device.name
    }

    /// A light is a lamp, and the other way round: “the reading lamp”.
    private func lampName(of device: Device) -> String? {
        guard device.kind == .light else { return nil }
        var words = device.name.split(separator: " ").map(String.init)
        let pairs = replies("van.lamp_nouns").spoken.split(separator: " ").map {
            $0.split(separator: "=").map(String.init)
        }
        guard words.count > 1, let last = words.last, let pair = pairs.first(where: { $0.contains(last) }),
            let other = pair.first(where: { $0 != last })
        else { return nil }
        words[words.count - 1] = other
        return words.joined(separator: " ")
    }

    /// “The kitchen light” is what people call a lamp that describes itself as “kitchen”.
    private func wholeName(of device: Device) -> String? {
        let kinds: [Device.Kind: String] = [
            .light: "light", .fan: "fan", .lock: "lock", .heater: "heater", .climate: "heating",
        ]
        guard let kind = kinds[device.kind] else { return nil }
        // The noun, and words that say the same.
        let words = replies("van.kind_\(kind)").spoken.split(separator: " ")
        let named = device.name.split(separator: " ")
        guard let noun = words.first, !named.contains(where: words.contains) else { return nil }
        return "\(device.name) \(noun)"
    }

    /// “The charger” is what people call what describes itself as “charger mode”, where there is no other.
    private func optionName(of device: Device) -> String? {
        guard device.kind == .select, replies.has("van.option_nouns") else { return nil }
        let nouns = replies("van.option_nouns").spoken.split(separator: " ")
        guard let last = device.name.split(separator: " ").last, nouns.contains(last) else { return nil }
        let name = device.name.dropLast(last.count + 1)
        return name.isEmpty || van.devices.filter { $0.name.hasPrefix(name) }.count > 1 ? nil : String(name)
    }

    /// What scenes are called: the owner's, and those that other programs carry out.
    package func sceneNames() -> [OwnerName] {
        van.scenes.map { OwnerName(name: $0.name, aliases: $0.aliases) }
            + van.devices.filter { $0.kind == .scene }.map {
                OwnerName(name: $0.name, aliases: $0.aliases, id: $0.id)
            }
    }

    /// What devices may be set to, each name once.
    package func optionNames() -> [OwnerName] {
        var seen = Set<String>()
        return van.devices.flatMap { $0.options?.all ?? [] }.flatMap { [$0.name] + $0.aliases }
            .filter { seen.insert($0).inserted }.map { OwnerName(name: $0) }
    }
}
