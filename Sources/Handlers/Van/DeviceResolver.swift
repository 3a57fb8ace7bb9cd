import Domain
import Devices

/// The devices that a command is about.
enum Targets {
    case one(Device)
    /// Several, and what they are called together: “lights in the kitchen”.
    case many([Device], said: String)
    /// Nothing to act on, or a question.
    case reply(Reply)
}

/// Finds the devices that a command is about, by name, kind, area and what they can do.
package struct DeviceResolver: DevicePart {
    let van: Van
    package let environment: HandlerEnvironment

    /// The id of a group among the names of devices.
    static func groupID(_ group: String) -> String { "group:\(group)" }

    /// The devices that a command is about. The search is never widened: what is not in the named area or group is
    /// reported as missing.
    /// - Parameter request: what they are to do; of several, those that cannot are left out. Nil for questions.
    func targets(
        _ reference: VanIntent.TargetReference, for request: DeviceRequest?, _ command: Command
    ) -> Targets {
        if let name = reference.device { return targets(named: name, reference, request, command) }
        let all = van.devices, area = reference.area
        func inPlace(_ device: Device) -> Bool { area == nil || device.area == area }
        if let kind = reference.kind {
            let word = kind.word
            // The owner's own name for something comes before what the words would mean: “kitchen lights”.
            let said = environment.withoutArticle(kind.spoken)
            if let area, let named = named("\(area) \(said)") {
                return targets(named: named, reference, request, command)
            }
            let plural = word.isOne ? said : plural(said, of: word)
            let noun = area.map {
                replies("van.in_area", ["noun": plural, "area": spoken.the($0)]).spoken
            }
            let found = all.filter {
                word.includes($0, environment.books.words) && inPlace($0) && !reference.leavesOut($0)
                    && can($0, request)
            }
            guard !found.isEmpty else {
                // A question asks for no ability; and of what is in the air, only a sensor knows.
                let isSensed = word.kinds == [.binarySensor]
                let key = request != nil ? "van.none_of" : isSensed ? "van.no_sensor" : "van.none_known"
                return .reply(.failed(replies(key, ["noun": noun ?? plural])))
            }
            // “The kitchen light” is the light there, of however many lamps.
            let isRoomsLight = area != nil && word.kinds == [.light]
            if word.isOne, !isRoomsLight { return found.count == 1 ? .one(found[0]) : choice(found, command) }
            // “The lights”, where several areas have some, are all of them: the plural without a place says so, and
            // asking “which?” would make the commonest evening command take two turns.
            return found.count == 1 ? .one(found[0]) : .many(found, said: noun ?? plural)
        }
        if reference.isRest { return rest(reference, request) }
        if reference.isEverything {
            let found = switched(
                all.filter { inPlace($0) && !reference.leavesOut($0) && can($0, request) }, by: request)
            let noun = replies("van.devices").spoken
            let said = area.map {
                replies("van.in_area", ["noun": noun, "area": spoken.the($0)]).spoken
            }
            guard !found.isEmpty else {
                return .reply(.failed(replies("van.none_of", ["noun": said ?? noun])))
            }
            return .many(found, said: said ?? noun)
        }
        if let unknown = reference.unknown {
            // It may be one of the many things that this van has after all.
            if let named = named(unknown) { return targets(named: named, reference, request, command) }
            return .reply(.failed(replies("van.no_device", ["name": environment.withoutArticle(unknown)])))
        }
        return implied(by: request, in: area, command)
    }

    /// “Leave the awning light on but turn off the rest”: the other lights, since a light is left on; else the others
    /// of everything.
    private func rest(_ reference: VanIntent.TargetReference, _ request: DeviceRequest?) -> Targets {
        let left = van.devices.filter { reference.leavesOut($0) && $0.canSwitch }
        let isLight = reference.exceptedArea != nil || !left.isEmpty && left.allSatisfy { $0.kind == .light }
        let found = van.devices.filter {
            (isLight ? $0.kind == .light : $0.canSwitch) && !reference.leavesOut($0) && can($0, request)
        }
        let noun = replies(isLight ? "van.other_lights" : "van.other_devices").spoken
        guard !found.isEmpty else { return .reply(.failed(replies("van.none_of", ["noun": noun]))) }
        return found.count == 1 ? .one(found[0]) : .many(found, said: noun)
    }

    /// “Make it warmer”, “I'm cold”: the one device that it can be about, else a question.
    private func implied(by request: DeviceRequest?, in area: String?, _ command: Command) -> Targets {
        let kinds: [Device.Kind] =
            switch request {
            case .temperature, .adjustTemperature: [.heater, .climate]
            default: []
            }
        // “Lock up” is for all that has a lock.
        if request == .verb(.lock) || request == .verb(.unlock) {
            let locks = van.devices.filter { $0.kind == .lock }
            if locks.count == 1 { return .one(locks[0]) }
            if !locks.isEmpty { return .many(locks, said: replies("van.locks").spoken) }
        }
        // “Make it brighter in the lounge” and “bedroom to fifty percent” are about the light there.
        if let area, isOfLight(request) { return lights(in: area, request) }
        let found = van.devices.filter {
            kinds.contains($0.kind) && $0.target?.commandTopic != nil && (area == nil || $0.area == area)
        }
        // The air's temperature is what is felt; a boiler's is not.
        let felt = found.filter { $0.current != nil }
        if let only = felt.count == 1 ? felt.first : found.count == 1 ? found.first : nil { return .one(only) }
        if found.count > 1 { return choice(felt.isEmpty ? found : felt, command) }
        return .reply(Reply(replies("van.ask_device"), question: VanIntent.question(for: .device, of: command)))
    }

    /// True for what is said of the light of a place.
    private func isOfLight(_ request: DeviceRequest?) -> Bool {
        switch request {
        case .adjust, .set, .bare, .extreme, .colour, .white, .turn, .toggle: true
        default: false
        }
    }

    private func lights(in area: String, _ request: DeviceRequest?) -> Targets {
        let lights = van.devices.filter { $0.kind == .light && $0.area == area && can($0, request) }
        let noun = replies("van.in_area", ["noun": replies("van.lights"), "area": spoken.the(area)]).spoken
        guard !lights.isEmpty else { return .reply(.failed(replies("van.none_of", ["noun": noun]))) }
        return lights.count == 1 ? .one(lights[0]) : .many(lights, said: noun)
    }

    /// “The living room lights”, where they are several and none is called so: not the one lamp that is called “living
    /// room lamp”.
    private func area(ofLights name: SpokenName) -> String? {
        let said = environment.withoutArticle(name.spoken),
            nouns = replies("van.kind_light").spoken.split(separator: " ")
        guard let noun = said.split(separator: " ").last, nouns.contains(noun) else { return nil }
        let place = said.dropLast(noun.count + 1)
        let lights = van.devices.filter { $0.kind == .light && $0.area ?? "" == place }
        let isName = van.devices.contains { ([$0.name] + $0.aliases).contains(said) }
        return lights.count > 1 && !isName ? String(place) : nil
    }

    /// The devices of this name; those that are called exactly so, where there are any.
    func devices(named name: SpokenName) -> [Device] {
        let named = van.devices.filter { name.ids.contains($0.id) }
        let said = environment.withoutArticle(name.spoken),
            exact = named.filter { [said, name.spoken].contains($0.name) }
        return exact.isEmpty ? named : exact
    }

    private func targets(
        named name: SpokenName, _ reference: VanIntent.TargetReference, _ request: DeviceRequest?, _ command: Command
    ) -> Targets {
        if let area = area(ofLights: name) { return lights(in: area, request) }
        let ids = name.ids
        var devices = van.devices.filter { ids.contains($0.id) }
        // “The sliding door” is not the sliding doors, where it is there.
        let said = environment.withoutArticle(name.spoken), exact = devices.filter { $0.name == said }
        if !exact.isEmpty, exact.contains(where: { can($0, request) }) { devices = exact }
        let groups = name.things.filter { $0.id.hasPrefix(Self.groupID("")) }
        if let group = groups.first, devices.isEmpty, groups.count == 1 {
            let group = String(group.id.dropFirst(Self.groupID("").count))
            let members = switched(van.devices.filter { $0.groups.contains(group) && can($0, request) }, by: request)
            guard !members.isEmpty else {
                return .reply(.failed(replies("van.none_of", ["noun": spoken.the(group)])))
            }
            return members.count == 1 ? .one(members[0]) : .many(members, said: group)
        }
        if let area = reference.area, devices.count > 1, devices.contains(where: { $0.area == area }) {
            devices = devices.filter { $0.area == area }
        }
        if let area = reference.area, let elsewhere = outside(area, name, devices, request) { return elsewhere }
        if devices.count > 1 {
            // “Open the garage door”: of two of one name, the one that can is meant.
            let able = devices.filter { can($0, request) }
            if able.count == 1 { return .one(able[0]) }
            return choice(devices, command)
        }
        guard let device = devices.first else {
            return .reply(.failed(replies("van.no_device", ["name": name.text])))
        }
        return .one(device)
    }

    /// “Party mode in the kitchen” is the kitchen's own, where it has one; “the reading light in the kitchen” is none
    /// where that light is known to be in the bedroom.
    private func outside(
        _ area: String, _ name: SpokenName, _ devices: [Device], _ request: DeviceRequest?
    ) -> Targets? {
        let own = van.devices.filter { $0.name == "\(area) \(name.ownName)" && can($0, request) }
        if own.count == 1 { return .one(own[0]) }
        guard let device = devices.first, devices.count == 1, let place = device.area, place != area else { return nil }
        return .reply(.failed(replies("van.no_device", ["name": "\(device.name) \(spoken.inside(area))"])))
    }

    func choice(_ devices: [Device], _ command: Command) -> Targets {
        let isOneName = Set(devices.map(\.name)).count < devices.count
        let names = devices.map { device in
            if let own = className(of: device) { return OwnerName(name: own, id: device.id) }
            return isOneName
                ? environment.choice(device.name, in: device.area, id: device.id)
                : OwnerName(name: device.name, aliases: device.aliases, id: device.id)
        }
        return .reply(
            Reply(
                replies("van.which", ["list": spoken.choice(names.map(\.name))]),
                question: VanIntent.question(.device, among: names, of: command)))
    }

    /// A device or group that is called exactly so: “the lights in the kitchen” are not the one kitchen light.
    private func named(_ said: String) -> SpokenName? {
        let names = deviceNames().filter { $0.name == said || $0.aliases.contains(said) }
        return names.isEmpty ? nil : SpokenName(SlotValue(text: said, content: .names(names)))
    }

    /// What several are called: “lights”, where “every light” was said, or “the brightness” of an area.
    private func plural(_ said: String, of word: KindWord) -> String {
        var words = said.split(separator: " ").map(String.init)
        guard let first = words.first, let last = words.last else { return said }
        if replies("van.every").spoken.split(separator: " ").contains(Substring(first)) {
            words[words.count - 1] = environment.books.words.plural(last)
            return words.dropFirst().joined(separator: " ")
        }
        // What has no plural names the light by what it does.
        return word.kinds == [.light] && !environment.books.words.isPlural(last) ? replies("van.lights").spoken : said
    }

    /// “Everything off” is for what is on or off: no cover is stopped by it, no scene begun, no button pressed. Where
    /// nothing can be switched, all that can do something with it is meant.
    private func switched(_ devices: [Device], by request: DeviceRequest?) -> [Device] {
        guard case .turn = request else { return devices }
        let able = devices.filter(\.canSwitch)
        return able.isEmpty ? devices : able
    }

    /// Whether a device can do it at all, whatever its state.
    private func can(_ device: Device, _ request: DeviceRequest?) -> Bool {
        guard let request else { return true }
        // Sensors are asked, and never told.
        if device.kind == .sensor || device.kind == .binarySensor { return false }
        if request == .toggle { return device.canSwitch || device.kind == .cover || device.kind == .lock }
        // A state in which nothing is at its end.
        let report = DeviceReport(state: .value("50"), isAvailable: true, isStale: false, level: 50, target: 20)
        if case .adjust = request, device.isHeating { return device.target != nil }
        guard let command = try? phrasing.moving(request, device).command(for: device, report) else { return true }
        do {
            _ = try device.plan(for: command, report)
            return true
        } catch { return error.outcome != .unsupported }
    }
}
