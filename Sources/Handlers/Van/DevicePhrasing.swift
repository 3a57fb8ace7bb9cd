import Devices
import Domain
import Language

/// A part of the van's handler, which speaks of devices.
package protocol DevicePart: Sendable {
    /// Texts, calendar, currency and time.
    var environment: HandlerEnvironment { get }
}

extension DevicePart {
    package var replies: Replies { environment.replies }
    package var spoken: SpokenForms { environment.spoken }
    /// How devices are put into words.
    package var phrasing: DevicePhrasing { DevicePhrasing(environment: environment) }
}

/// How commands and their outcomes are put into words.
package struct DevicePhrasing: DevicePart {
    package let environment: HandlerEnvironment

    /// A device's name in the forms that replies need.
    package func names(_ device: Device) -> [String: any Worded] {
        let name = spoken.the(device.name)
        let be = spoken.be(device.name)
        let forms = replies(be == replies("verb.are").spoken ? "van.plural" : "van.singular")
        let words = forms.spoken.split(separator: " ").map(String.init)
        var values: [String: any Worded] = ["name": name, "Name": name.capitalisedFirst, "be": be]
        for (key, word) in zip(["it", "them", "has", "does", "was"], words) { values[key] = word }
        return values
    }

    /// The part of the reply keys that belongs to a command.
    package func key(of order: DeviceCommand) -> String {
        switch order {
        case .on: "on"
        case .off: "off"
        case .verb(let verb): verb.rawValue
        case .level, .colourTemperature, .colour, .tilt, .oscillation, .temperature, .option, .value: "set"
        }
    }

    /// What the device is then: “on”, “open”, “at 30 percent”, “set to gas”.
    package func phrase(for order: DeviceCommand, _ device: Device) -> Wording {
        switch order {
        case .on: return word("on", device)
        case .off: return word("off", device)
        case .verb(let verb):
            let position: Device.Position? =
                switch verb {
                case .open: .open
                case .close: .closed
                case .lock: .locked
                case .unlock: .unlocked
                case .stop: .stopped
                case .press: nil
                }
            return replies(position.map { "van.\($0)" } ?? "van.pressed_word")
        case .level(let percent): return replies("van.at", ["value": quantity(percent, "%")])
        case .colourTemperature(let kelvin):
            return replies("van.at", ["value": quantity(kelvin, "K")])
        case .colour(let colour): return colour.name.isEmpty ? replies("van.coloured") : Wording(colour.name)
        case .tilt(let percent): return replies("van.tilted", ["value": quantity(percent, "%")])
        case .oscillation(let isOn): return replies(isOn ? "van.swinging" : "van.still")
        case .temperature(let degrees):
            return replies("van.set_to", ["value": quantity(degrees, "°C")])
        case .option(let name):
            return replies("van.set_to", ["value": device.options?.option(name)?.name ?? name])
        case .value(let value):
            return replies("van.set_to", ["value": quantity(value, device.unit)])
        }
    }

    /// What being on or off is called of a device: a step is out.
    func word(_ state: String, _ device: Device) -> Wording {
        let own = "van.\(state)_\(environment.books.words.singular(device.noun))"
        if replies.has(own) { return replies(own) }
        // “The leak sensor is off” is no answer.
        let ofClass = device.kind == .binarySensor ? device.deviceClass.map { "van.class_\(state)_\($0)" } : nil
        return replies(ofClass.flatMap { replies.has($0) ? $0 : nil } ?? "van.\(state)")
    }

    /// “Put the step in”, of one that is switched: what is out and in is on and off.
    func moving(_ request: DeviceRequest, _ device: Device) -> DeviceRequest {
        guard device.canSwitch, replies.has("van.on_\(environment.books.words.singular(device.noun))") else {
            return request
        }
        return switch request {
        case .verb(.open): .turn(true)
        case .verb(.close): .turn(false)
        default: request
        }
    }

    /// Why a request cannot be made into a command.
    func refusal(_ refusal: DeviceRequestRefusal, _ device: Device) -> Wording {
        var values = names(device)
        switch refusal {
        case .unknown: return replies("van.unknown_before", values)
        case .atEnd(let setting):
            values["state"] = phrase(for: setting, device)
            return replies(setting == .off ? "van.already" : "van.at_end", values)
        case .noSteps: return replies("van.no_steps", values)
        case .steps(let count):
            values["low"] = "1"
            values["high"] = "\(count)"
            return replies("van.out_of_range", values)
        }
    }

    /// How a command to one device went, as a sentence.
    package func sentence(_ result: CommandResult) -> Wording {
        let device = result.device
        var values = names(device)
        values["state"] = phrase(for: result.command, device)
        switch result.outcome {
        case .confirmed where result.command == .verb(.stop): return replies("van.stopped_it", values)
        case .confirmed: return replies("van.confirmed", values)
        case .begun:
            if let position = result.after.position, [.opening, .closing, .locking, .unlocking].contains(position) {
                values["state"] = replies("van.\(position)")
            } else {
                values["state"] = replies("van.\(motion(of: result.command))")
            }
            return replies("van.confirmed", values)
        case .sent where result.command == .verb(.press): return replies("van.pressed", values)
        case .sent: return replies("van.told", values)
        case .unconfirmed: return replies("van.unconfirmed", values)
        case .already: return replies("van.already", values)
        case .offline: return replies("van.offline", values)
        case .unsupported:
            if case .colour = result.command { return replies("van.no_colours", values) }
            let isSwitching = result.command == .on || result.command == .off
            return replies(isSwitching ? "van.unsupported" : "van.cannot_\(key(of: result.command))", values)
        case .outOfRange(let low, let high):
            let unit = self.unit(of: result.command, device)
            values["low"] = Self.figure(low)
            values["high"] = quantity(high, unit)
            return replies("van.out_of_range", values)
        case .noOption(let options):
            values["list"] = spoken.choice(options)
            return replies("van.no_option", values)
        case .unreachable: return replies("van.unreachable")
        }
    }

    /// What a device does that has begun to obey and reports no more than that.
    private func motion(of order: DeviceCommand) -> String {
        switch order {
        case .verb(.open): "opening"
        case .verb(.close): "closing"
        case .verb(.lock): "locking"
        case .verb(.unlock): "unlocking"
        default: "moving"
        }
    }

    private func unit(of order: DeviceCommand, _ device: Device) -> String? {
        switch order {
        case .temperature: "°C"
        case .colourTemperature: "K"
        case .value: device.unit
        default: "%"
        }
    }

    /// How a command to several devices went: all of them, or how many, and what became of each of the others.
    package func summary(_ results: [CommandResult], _ said: String) -> Wording {
        guard let first = results.first else { return "" }
        // Of several, the others may have been left out.
        if results.count == 1 { return sentence(first) }
        if results.allSatisfy({ if case .unreachable = $0.outcome { true } else { false } }) {
            return replies("van.unreachable")
        }
        // Each may have gone another way: of four lights that were dimmed, all are at what they are at.
        let phrases = results.map { phrase(for: $0.command, $0.device).spoken }
        if Set(phrases).count > 1, results.allSatisfy({ [.confirmed, .already].contains($0.outcome) }) {
            return differing(results, said)
        }
        let good = results.filter { [.confirmed, .already].contains($0.outcome) }
        var values: [String: any Worded] = [
            "count": "\(results.count)", "done": "\(good.count)", "noun": said,
            "state": phrase(for: first.command, first.device),
        ]
        if good.count == results.count {
            let key = results.allSatisfy { $0.outcome == .already } ? "van.all_already" : "van.all_done"
            return all(key, results.count, values)
        }
        let rest = results.filter { ![.confirmed, .already].contains($0.outcome) }
        if rest.count == results.count, rest.allSatisfy({ $0.outcome == rest[0].outcome }) {
            switch rest[0].outcome {
            case .sent: return all("van.all_told", results.count, values)
            case .unconfirmed: return all("van.all_unconfirmed", results.count, values)
            case .offline: return all("van.all_offline", results.count, values)
            default: break
            }
        }
        values["rest"] = spoken.list(rest.map { left($0) })
        return replies(good.isEmpty ? "van.none_done" : "van.some_done", values).capitalisedFirst
    }

    /// All of so many; of two, both.
    func all(_ key: String, _ count: Int, _ values: [String: any Worded]) -> Wording {
        let both = "\(key)_both"
        return replies(count == 2 && replies.has(both) ? both : key, values)
    }

    /// So many groups are named; of more it is said only that they were set.
    private static let mostGroups = 3

    private func differing(_ results: [CommandResult], _ said: String) -> Wording {
        var groups: [(state: Wording, names: [String])] = []
        for result in results {
            let state = phrase(for: result.command, result.device), name = spoken.the(result.device.name)
            if let index = groups.firstIndex(where: { $0.state == state }) {
                groups[index].names.append(name)
            } else {
                groups.append((state, [name]))
            }
        }
        guard groups.count <= Self.mostGroups else {
            return replies("van.all_set", ["count": "\(results.count)", "noun": said])
        }
        return parts(groups)
    }

    /// Several devices, those of each state together: “the kettle is on, and the pump and the fridge are off”.
    func parts(_ groups: [(state: Wording, names: [String])]) -> Wording {
        let parts = groups.map { group in
            let be = group.names.count == 1 ? spoken.be(group.names[0]).wording : replies("verb.are")
            return replies("van.part", ["list": spoken.list(group.names), "be": be, "state": group.state])
        }
        return replies("van.parts", ["list": spoken.list(parts)]).capitalisedFirst
    }

    /// What became of one device among several, as a part of a sentence.
    package func left(_ result: CommandResult) -> Wording {
        var values = names(result.device)
        values["has"] = replies(
            spoken.be(result.device.name) == replies("verb.are").spoken ? "van.have" : "van.has")
        switch result.outcome {
        case .unconfirmed: return replies("van.left_unconfirmed", values)
        case .offline: return replies("van.left_offline", values)
        case .sent: return replies("van.left_told", values)
        case .unreachable: return replies("van.left_unreachable", values)
        default:
            return sentence(result).withoutFullStop.loweredFirst
        }
    }
}
