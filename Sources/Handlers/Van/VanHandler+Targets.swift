import Domain
import Devices

/// What a command is about.
package enum Targets {
    case one(Device)
    /// Several, and what they are called together: “lights in the kitchen”.
    case many([Device], said: String)
    /// Nothing to act on, or a question.
    case reply(Reply)
}

/// A word for devices of a kind, as the phrasebook's list has it: `one light`, `all cover blind`,
/// `all cover/binary_sensor window`.
struct KindWord {
    /// True for the singular: one of them is meant.
    let isOne: Bool
    let kinds: [Device.Kind]
    /// What it is for, where the kind alone says too little: a blind is no window.
    let purpose: String?

    init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count >= 2, parts[0] == "one" || parts[0] == "all" else { return nil }
        isOne = parts[0] == "one"
        kinds = parts[1].split(separator: "/").compactMap { Device.Kind(rawValue: String($0)) }
        purpose = parts.count > 2 ? parts[2] : nil
    }

    func holds(_ device: Device) -> Bool {
        guard kinds.contains(device.kind) else { return false }
        guard let purpose, device.kind != .lock else { return true }
        return device.purpose == purpose
    }
}

extension VanHandler {
    /// The id of a group among the names of devices.
    static func groupID(_ group: String) -> String { "group:\(group)" }

    /// The devices that a command is about. Nothing is widened: what is not found in the named area or group is said.
    /// - Parameter wish: what they shall do; of several, those that cannot are left out. Nil for questions.
    package static func targets(of command: Command, for wish: DeviceRequest?, _ context: HandlerContext) -> Targets {
        if let slot = command.slots["device"] { return targets(named: slot, command, wish, context) }
        let all = context.van.devices
        let area = command.slots["area"]?.names.first?.name
        let excepted = Set(command.slots["except"]?.names.map(\.id) ?? [])
        func inPlace(_ device: Device) -> Bool { area == nil || device.area == area }
        if let slot = command.slots["kinds"], let word = KindWord(slot.text) {
            // The owner's own name for something comes before what the words would mean: “kitchen lights”.
            let spoken = withoutArticle(slot.spoken, context)
            if let area, let named = named("\(area) \(spoken)", context) {
                return targets(named: named, command, wish, context)
            }
            let plural = word.isOne ? spoken : plural(spoken, of: word, context)
            let noun = area.map {
                context.replies("van.in_area", ["noun": plural, "area": context.spoken.the($0)])
            }
            let found = all.filter { word.holds($0) && inPlace($0) && !excepted.contains($0.id) && can($0, wish) }
            guard !found.isEmpty else {
                return .reply(.failed(context.replies("van.none_of", ["noun": noun ?? plural])))
            }
            if word.isOne { return found.count == 1 ? .one(found[0]) : choice(found, command, context) }
            // “The lights”, where several areas have some, are all of them: the plural without a place says so, and
            // asking “which?” would make the commonest evening command take two turns.
            return found.count == 1 ? .one(found[0]) : .many(found, said: noun ?? plural)
        }
        if command.slots["everything"] != nil {
            let found = switched(all.filter { inPlace($0) && !excepted.contains($0.id) && can($0, wish) }, by: wish)
            let noun = context.replies("van.devices")
            let said = area.map {
                context.replies("van.in_area", ["noun": noun, "area": context.spoken.the($0)])
            }
            guard !found.isEmpty else {
                return .reply(.failed(context.replies("van.none_of", ["noun": said ?? noun])))
            }
            return .many(found, said: said ?? noun)
        }
        if let unknown = command.text("unknown") {
            // It may be one of the many things that this van has after all.
            if let named = named(unknown, context) { return targets(named: named, command, wish, context) }
            return .reply(.failed(context.replies("van.no_device", ["name": unknown])))
        }
        return implied(by: wish, command, context)
    }

    /// “Make it warmer”, “I'm cold”: the one device that it can be about, else a question.
    private static func implied(by wish: DeviceRequest?, _ command: Command, _ context: HandlerContext) -> Targets {
        let area = command.slots["area"]?.names.first?.name
        let kinds: [Device.Kind] =
            switch wish {
            case .temperature, .adjustTemperature: [.heater, .climate]
            default: []
            }
        // “Lock up” is for all that has a lock.
        if wish == .verb(.lock) || wish == .verb(.unlock) {
            let locks = context.van.devices.filter { $0.kind == .lock }
            if locks.count == 1 { return .one(locks[0]) }
            if !locks.isEmpty { return .many(locks, said: context.replies("van.locks")) }
        }
        // “Make it brighter in the lounge” is about the light there.
        if case .adjust = wish, let area {
            let lights = context.van.devices.filter { $0.kind == .light && $0.area == area && can($0, wish) }
            let noun = context.replies(
                "van.in_area", ["noun": context.replies("van.lights"), "area": context.spoken.the(area)])
            guard !lights.isEmpty else { return .reply(.failed(context.replies("van.none_of", ["noun": noun]))) }
            return lights.count == 1 ? .one(lights[0]) : .many(lights, said: noun)
        }
        let found = context.van.devices.filter {
            kinds.contains($0.kind) && $0.target?.commandTopic != nil && (area == nil || $0.area == area)
        }
        // The air's temperature is what is felt; a boiler's is not.
        let felt = found.filter { $0.current != nil }
        if let only = felt.count == 1 ? felt.first : found.count == 1 ? found.first : nil { return .one(only) }
        if found.count > 1 { return choice(felt.isEmpty ? found : felt, command, context) }
        return .reply(Reply(context.replies("van.ask_device"), question: .slot("device", of: command)))
    }

    private static func targets(
        named slot: SlotValue, _ command: Command, _ wish: DeviceRequest?, _ context: HandlerContext
    ) -> Targets {
        var devices = context.van.devices.filter { device in slot.names.contains { $0.id == device.id } }
        let groups = slot.names.filter { $0.id.hasPrefix(groupID("")) }
        if let group = groups.first, devices.isEmpty, groups.count == 1 {
            let name = String(group.id.dropFirst(groupID("").count))
            let members = switched(context.van.devices.filter { $0.groups.contains(name) && can($0, wish) }, by: wish)
            guard !members.isEmpty else {
                return .reply(.failed(context.replies("van.none_of", ["noun": context.spoken.the(name)])))
            }
            return members.count == 1 ? .one(members[0]) : .many(members, said: name)
        }
        if let area = command.slots["area"]?.names.first?.name, devices.count > 1 {
            devices = devices.filter { $0.area == area }
        }
        if devices.count > 1 {
            // “Open the garage door”: of two of one name, the one that can is meant.
            let able = devices.filter { can($0, wish) }
            if able.count == 1 { return .one(able[0]) }
            return choice(devices, command, context)
        }
        guard let device = devices.first else {
            return .reply(.failed(context.replies("van.no_device", ["name": slot.text])))
        }
        return .one(device)
    }

    private static func choice(_ devices: [Device], _ command: Command, _ context: HandlerContext) -> Targets {
        let isOneName = Set(devices.map(\.name)).count < devices.count
        let names = devices.map {
            isOneName
                ? context.choice($0.name, in: $0.area, id: $0.id)
                : OwnerName(name: $0.name, aliases: $0.aliases, id: $0.id)
        }
        return .reply(
            Reply(
                context.replies("van.which", ["list": context.spoken.choice(names.map(\.name))]),
                question: .choice(slot: "device", among: names, of: command)))
    }

    /// A device or group that is called exactly so: “the lights in the kitchen” are not the one kitchen light.
    private static func named(_ said: String, _ context: HandlerContext) -> SlotValue? {
        let names = deviceNames(context).filter { $0.name == said || $0.aliases.contains(said) }
        return names.isEmpty ? nil : SlotValue(text: said, content: .names(names))
    }

    /// What several are called: “lights”, where “every light” was said, or “the brightness” of an area.
    private static func plural(_ said: String, of word: KindWord, _ context: HandlerContext) -> String {
        var words = said.split(separator: " ").map(String.init)
        guard let first = words.first, let last = words.last else { return said }
        if context.replies("van.every").split(separator: " ").contains(Substring(first)) {
            words[words.count - 1] = WordForms.plural(last)
            return words.dropFirst().joined(separator: " ")
        }
        // What has no plural names the light by what it does.
        return word.kinds == [.light] && WordForms.stem(last) == last ? context.replies("van.lights") : said
    }

    static func withoutArticle(_ said: String, _ context: HandlerContext) -> String {
        let words = said.split(separator: " ")
        guard words.count > 1, let first = words.first, context.books.rules.articles.contains(String(first)) else {
            return said
        }
        return words.dropFirst().joined(separator: " ")
    }

    /// What devices are called, groups among them.
    package static func deviceNames(_ context: HandlerContext) -> [OwnerName] {
        let devices = context.van.devices, taken = Set(devices.flatMap { [$0.name] + $0.aliases })
        let groups = Set(devices.flatMap(\.groups)).sorted().map { OwnerName(name: $0, id: groupID($0)) }
        return devices.map { device in
            let others = [wholeName(of: device, context), lampName(of: device, context)].compactMap { $0 }
            return OwnerName(
                name: device.name, aliases: device.aliases + others.filter { !taken.contains($0) }, id: device.id)
        } + groups
    }

    /// A light is a lamp, and the other way round: “the reading lamp”.
    private static func lampName(of device: Device, _ context: HandlerContext) -> String? {
        guard device.kind == .light else { return nil }
        var words = device.name.split(separator: " ").map(String.init)
        let pairs = context.replies("van.lamp_nouns").split(separator: " ").map {
            $0.split(separator: "=").map(String.init)
        }
        guard words.count > 1, let last = words.last, let pair = pairs.first(where: { $0.contains(last) }),
            let other = pair.first(where: { $0 != last })
        else { return nil }
        words[words.count - 1] = other
        return words.joined(separator: " ")
    }

    /// “The kitchen light” is what people call a lamp that describes itself as “kitchen”.
    private static func wholeName(of device: Device, _ context: HandlerContext) -> String? {
        let kinds: [Device.Kind: String] = [
            .light: "light", .fan: "fan", .lock: "lock", .heater: "heater", .climate: "heating",
        ]
        guard let kind = kinds[device.kind] else { return nil }
        // The noun, and words that say the same.
        let words = context.replies("van.kind_\(kind)").split(separator: " ")
        let named = device.name.split(separator: " ")
        guard let noun = words.first, !named.contains(where: words.contains) else { return nil }
        return "\(device.name) \(noun)"
    }

    /// “Everything off” is for what is on or off: no cover is stopped by it, no scene begun, no button pressed. Where
    /// nothing can be switched, all that can do something with it is meant.
    private static func switched(_ devices: [Device], by wish: DeviceRequest?) -> [Device] {
        guard case .turn = wish else { return devices }
        let able = devices.filter(\.canSwitch)
        return able.isEmpty ? devices : able
    }

    /// Whether a device can do it at all, whatever its state.
    private static func can(_ device: Device, _ wish: DeviceRequest?) -> Bool {
        guard let wish else { return true }
        // The state's part is played by one in which nothing is at its end.
        let report = DeviceReport(
            state: .value("50"), isAvailable: true, isStale: false, level: 50, target: 20, option: nil)
        if case .adjust = wish, device.isHeating { return device.target != nil }
        guard let command = try? wish.command(for: device, report) else { return true }
        do {
            _ = try device.order(for: command, report)
            return true
        } catch { return error.outcome != .unsupported }
    }
}
