import Domain
import Devices

/// What sensors measure, and how long the battery will last.
extension DeviceQuestions {
    func value(_ measurement: VanIntent.Measurement, _ command: Command) async -> Reply {
        let reference = measurement.target
        if let device = reference.device, !device.things.isEmpty {
            if let one = measured(device, measurement.classes) { return await value(one) }
            switch resolver.targets(reference, for: nil, command) {
            case .one(let device): return await value(device)
            case .reply(let reply): return reply
            case .many(let devices, let said): return await states(devices, said)
            }
        }
        guard let classes = measurement.classes else {
            return Reply(replies("van.ask_device"), question: VanIntent.question(for: .device, of: command))
        }
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var found: [Device] = []
        for deviceClass in classes where found.isEmpty { found = measuring(deviceClass, in: reference.area) }
        guard !found.isEmpty else { return .failed(replies("van.no_sensor")) }
        var texts: [Wording] = []
        for device in found.prefix(4) { texts.append(await value(device).wording) }
        return Reply(texts.joined(separator: " "))
    }

    /// Of several of one name, the one that measures what was asked for, or the only one that measures anything.
    private func measured(_ name: SpokenName, _ classes: [String]?) -> Device? {
        let named = resolver.devices(named: name)
        guard named.count > 1 else { return nil }
        let asked = named.filter { device in
            classes?.contains(device.deviceClass ?? "") == true && device.kind == .sensor
        }
        if asked.count == 1 { return asked[0] }
        let measuring = named.filter { $0.kind == .sensor || $0.kind == .number || $0.current != nil }
        return measuring.count == 1 ? measuring[0] : nil
    }

    /// The sensors of a class. `temperature_inside` and `temperature_outside` are those whose area or name says so, and
    /// inside is also what heaters measure.
    private func measuring(_ deviceClass: String, in area: String?) -> [Device] {
        let devices = van.devices.filter { area == nil || $0.area == area }
        let exact = devices.filter {
            [.sensor, .binarySensor, .number].contains($0.kind) && $0.deviceClass == deviceClass
        }
        guard deviceClass == "temperature" else { return exact }
        // Inside is what is called so; else what a heater feels; else what is not called outside.
        func isCalled(_ device: Device, _ key: String) -> Bool {
            let words = replies(key).spoken.split(separator: " ")
            return device.name == replies("van.class_temperature").spoken
                || device.name.split(separator: " ").contains(where: words.contains)
        }
        let inside = exact.filter { isCalled($0, "van.indoors") }
        let feeling = devices.filter { $0.current != nil }
        if !inside.isEmpty { return inside }
        if area != nil || feeling.isEmpty {
            let others = exact.filter { !isCalled($0, "van.outdoors") }
            if !exact.isEmpty { return others.isEmpty ? exact : others }
        }
        // Two that feel the same air say the same.
        let hasRooms = Set(feeling.compactMap(\.area)).count > 1
        return area == nil && !hasRooms ? Array(feeling.prefix(1)) : feeling
    }

    func value(_ device: Device) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let report = await van.report(on: device)
        var values = phrasing.names(device)
        guard report.isAvailable else { return Reply(replies("van.is_offline", values)) }
        let value: Wording?
        if let current = report.current {
            value = phrasing.quantity(current, "°C")
        } else if let number = report.number {
            value = phrasing.quantity(number, device.unit)
        } else if let level = report.level, report.state != .off {
            value = phrasing.quantity(level, "%")
        } else {
            return await state(device)
        }
        guard let value else { return Reply(replies("van.unknown", values)) }
        values["value"] = value
        values["minutes"] = "\(Int((report.age ?? .zero).seconds / 60))"
        if report.isStale { return Reply(replies("van.value_stale", values)) }
        // The sign says which way it goes.
        if [Self.batteryPower, Self.batteryCurrent].contains(device.deviceClass), let number = report.number,
            number != 0
        {
            values["value"] = phrasing.quantity(abs(number), device.unit)
            return Reply(replies(number < 0 ? "van.drawn" : "van.charged", values))
        }
        // A tank's litres say more than its percentage, where the owner wrote down what it holds.
        if let capacity = device.capacity, capacity.unit == .litres, device.unit == "%", let share = report.number {
            values["amount"] = phrasing.quantity((share / 100 * capacity.amount).rounded(), "L")
            return Reply(replies("van.value_litres", values))
        }
        return Reply(measured(device, values))
    }

    /// “It's 17.5 degrees inside”, “the battery voltage is 13.1 volts”; what is no quantity by its name is at a value.
    private func measured(_ device: Device, _ values: [String: any Worded]) -> Wording {
        let words = device.name.split(separator: " ")
        func isOne(_ word: Substring, of key: String) -> Bool {
            replies(key).spoken.split(separator: " ").contains(word)
        }
        guard let last = words.last, isOne(last, of: "van.quantities") else { return replies("van.value", values) }
        guard words.count == 2, isOne(words[0], of: "van.sides"), isOne(last, of: "van.felt") else {
            return replies("van.value_of", values)
        }
        return replies("van.felt_at", values.merging(["side": String(words[0])]) { $1 })
    }
}
