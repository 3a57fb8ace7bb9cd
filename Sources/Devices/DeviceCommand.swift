/// What a device can be told. Always the state to reach, never a toggle: a message may be delivered twice.
public enum DeviceCommand: Sendable, Equatable {
    /// On or off.
    case on, off
    /// A single word.
    case verb(Device.Verb)
    /// Brightness, speed or position, percent.
    case level(Double)
    /// Kelvin.
    case colourTemperature(Double)
    /// Degrees Celsius.
    case temperature(Double)
    /// An option by its name.
    case option(String)
    /// A number in its own unit.
    case value(Double)
}

/// How well a state answers a command.
package enum Confirmation: Sendable {
    case no, begun, done
}

/// A command in the device's own terms.
package struct DeviceOrder: Sendable {
    /// What is sent, in order.
    package var messages: [(topic: String, payload: String)]
    /// Which of the device's states answers it; nil when none will.
    package var aspect: Aspect?
    /// Whether a state answers it.
    package var confirms: @Sendable (DeviceReport.State) -> Confirmation
    /// True when the state it leads to needs no sending again.
    package var isState = true
    /// True when the state counts only while the device is on: lamps and fans keep a level while they are off, and
    /// tell it again.
    var isWhileOn = false
}

/// Why a command cannot be made into an order.
package struct OrderRefusal: Error {
    package let outcome: CommandOutcome
}

extension Device {
    /// The command in the device's own terms.
    /// - Parameter report: what is known of it now; a lamp that is off is turned on before it is dimmed.
    package func order(for command: DeviceCommand, _ report: DeviceReport) throws(OrderRefusal) -> DeviceOrder {
        switch command {
        case .on, .off: try power(command == .on)
        case .verb(let verb): try order(verb, report)
        case .level(let percent): try order(level: percent, report)
        case .colourTemperature(let kelvin): try order(colourTemperature, kelvin, .colourTemperature)
        case .temperature(let degrees): try order(target, degrees, .target)
        case .value(let value): try order(self.value, value, .main)
        case .option(let name): try order(option: name)
        }
    }

    private var unsupported: OrderRefusal { OrderRefusal(outcome: .unsupported) }

    private func power(_ isOn: Bool) throws(OrderRefusal) -> DeviceOrder {
        guard canSwitch, let topic = commandTopic else { throw unsupported }
        if isOn, turnsOnByLevel, let level { return onByLevel(level) }
        let wanted: DeviceReport.State = isOn ? .on : .off
        return DeviceOrder(
            messages: [(topic, isOn ? payloadOn : payloadOff)], aspect: stateTopic == nil ? nil : .main
        ) { $0 == wanted ? .done : .no }
    }

    /// A lamp that any brightness turns on: as bright as it goes, since what it was is not known.
    private func onByLevel(_ level: Scale) -> DeviceOrder {
        let messages = level.commandTopic.map { [($0, level.payload(level.maximum))] } ?? []
        return DeviceOrder(messages: messages, aspect: stateTopic == nil ? nil : .main) { $0 == .on ? .done : .no }
    }

    private func order(_ verb: Verb, _ report: DeviceReport) throws(OrderRefusal) -> DeviceOrder {
        guard let topic = commandTopic, let payload = verbs[verb] else {
            // A cover that takes positions only is open at a hundred.
            if verb == .open, kind == .cover { return try order(level: 100, nil) }
            if verb == .close, kind == .cover { return try order(level: 0, nil) }
            throw unsupported
        }
        let message = [(topic, payload)]
        // Half open is not as open as it goes.
        let isHalfOpen = verb == .open && kind == .cover && (report.level ?? 100) < 99
        let hasEnd = verb != .stop && verb != .press
        if stateTopic == nil, kind == .cover, hasEnd, let level, level.stateTopic != nil {
            return DeviceOrder(messages: message, aspect: .level, confirms: Self.travels(verb, level, report.level))
        }
        let ends = Self.ends[verb]
        return DeviceOrder(
            messages: message, aspect: ends == nil || stateTopic == nil ? nil : .main,
            confirms: { state in
                guard case .value(let text) = state, let position = Position(rawValue: text), let ends else {
                    return .no
                }
                return ends.done.contains(position) ? .done : ends.begun.contains(position) ? .begun : .no
            }, isState: hasEnd && !isHalfOpen)
    }

    /// The states that answer a verb; a button's press has none.
    private static let ends: [Verb: (done: [Position], begun: [Position])] = [
        .open: ([.open], [.opening]), .close: ([.closed], [.closing]), .stop: ([.stopped, .open, .closed], []),
        .lock: ([.locked], [.locking]), .unlock: ([.unlocked], [.unlocking]),
    ]

    /// A cover that tells nothing but its position: it obeys when that goes the right way.
    private static func travels(
        _ verb: Verb, _ scale: Scale, _ before: Double?
    ) -> @Sendable (DeviceReport.State) -> Confirmation {
        { state in
            guard case .value(let text) = state, let percent = Double(text).flatMap({ scale.percent(raw: $0) }) else {
                return .no
            }
            if verb == .open { return percent > 99 ? .done : percent > (before ?? 100) + 0.5 ? .begun : .no }
            return percent < 1 ? .done : percent < (before ?? 0) - 0.5 ? .begun : .no
        }
    }

    private func order(level percent: Double, _ report: DeviceReport?) throws(OrderRefusal) -> DeviceOrder {
        guard let scale = level, let topic = scale.commandTopic else { throw unsupported }
        guard (0...100).contains(percent) else { throw OrderRefusal(outcome: .outOfRange(0, 100)) }
        if percent == 0, canSwitch { return try power(false) }
        var wanted = scale.raw(percent: percent)
        // A little is not nothing: of a fan with three speeds, ten percent is the first.
        if percent > 0, canSwitch, wanted == scale.rounded(scale.minimum) {
            wanted = scale.rounded(scale.minimum + (scale.maximum > scale.minimum ? scale.step : -scale.step))
        }
        let target = wanted
        var messages = [(topic, scale.payload(wanted))]
        if canSwitch, let commandTopic, commandTopic != topic, report?.state != .on, !turnsOnByLevel {
            messages.insert((commandTopic, payloadOn), at: 0)
        }
        return DeviceOrder(
            messages: messages, aspect: scale.stateTopic == nil ? nil : .level,
            confirms: { Self.is($0, near: target, scale) }, isWhileOn: canSwitch)
    }

    private func order(
        _ scale: Scale?, _ value: Double, _ aspect: Aspect
    ) throws(OrderRefusal) -> DeviceOrder {
        guard let scale, let topic = scale.commandTopic else { throw unsupported }
        let own = scale.own(value)
        guard scale.range.contains(own) else {
            let ends = [scale.spoken(scale.range.lowerBound), scale.spoken(scale.range.upperBound)]
            throw OrderRefusal(outcome: .outOfRange(min(ends[0], ends[1]), max(ends[0], ends[1])))
        }
        let wanted = scale.rounded(own)
        return DeviceOrder(
            messages: [(topic, scale.payload(wanted))], aspect: scale.stateTopic == nil ? nil : aspect
        ) { Self.is($0, near: wanted, scale) }
    }

    private func order(option name: String) throws(OrderRefusal) -> DeviceOrder {
        guard let options, let topic = options.commandTopic else { throw unsupported }
        guard let option = options.option(name) else {
            throw OrderRefusal(outcome: .noOption(options.all.map(\.name)))
        }
        return DeviceOrder(
            messages: [(topic, options.payload.filled(option.payload))],
            aspect: options.stateTopic == nil ? nil : .option
        ) { $0 == .value(option.name) ? .done : .no }
    }

    private static func `is`(_ state: DeviceReport.State, near wanted: Double, _ scale: Scale) -> Confirmation {
        guard case .value(let text) = state, let number = Double(text) else { return .no }
        return abs(number - wanted) <= scale.tolerance ? .done : .no
    }
}
