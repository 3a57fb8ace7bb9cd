/// A command to a device: always the state to reach, never a toggle, because a message may be delivered twice.
public enum DeviceCommand: Sendable, Equatable {
    /// On or off.
    case on, off
    /// A single word.
    case verb(Device.Verb)
    /// Brightness, speed or position, percent.
    case level(Double)
    /// Kelvin.
    case colourTemperature(Double)
    /// The colour of a lamp.
    case colour(Colour)
    /// The slant of a blind's slats, percent.
    case tilt(Double)
    /// Whether a fan swings.
    case oscillation(Bool)
    /// Degrees Celsius.
    case temperature(Double)
    /// An option by its name.
    case option(String)
    /// A number in its own unit.
    case value(Double)
}

/// Whether a state confirms a command: not, its beginning, or its end.
package enum Confirmation: Sendable {
    case no, begun, done
}

/// What is published for a command, and which state confirms it.
package struct CommandPlan: Sendable {
    /// The messages to publish, in order.
    package var messages: [(topic: String, payload: String)]
    /// Which of the device's states confirms it; nil where none does.
    package var aspect: Aspect?
    /// Whether a state confirms it.
    package var confirms: @Sendable (DeviceReport.State) -> Confirmation
    /// True where nothing has to be sent when the device is in that state already.
    package var isState = true
    /// True where the state confirms it only while the device is on: lamps and fans keep a level while they are off,
    /// and report it again.
    var isWhileOn = false
}

/// Why a device cannot carry out a command.
package struct CommandRejection: Error {
    package let outcome: CommandOutcome
}

extension Device {
    /// What is published for a command.
    /// - Parameter report: what is known of it now; a lamp that is off is turned on before it is dimmed.
    package func plan(for command: DeviceCommand, _ report: DeviceReport) throws(CommandRejection) -> CommandPlan {
        switch command {
        case .on, .off: try power(command == .on)
        case .verb(let verb): try plan(verb, report)
        case .level(let percent): try plan(level: percent, report)
        case .colourTemperature(let kelvin): try plan(colourTemperature, kelvin, .colourTemperature)
        case .colour(let colour): try plan(colour)
        case .tilt(let percent): try plan(tilt: percent)
        case .oscillation(let isOn): try plan(oscillation: isOn)
        case .temperature(let degrees): try plan(target, degrees, .target)
        case .value(let value): try plan(self.value, value, .main)
        case .option(let name): try plan(option: name)
        }
    }

    private var unsupported: CommandRejection { CommandRejection(outcome: .unsupported) }

    private func power(_ isOn: Bool) throws(CommandRejection) -> CommandPlan {
        guard canSwitch, let topic = commandTopic else { throw unsupported }
        if isOn, turnsOnByLevel, let level { return onByLevel(level) }
        let wanted: DeviceReport.State = isOn ? .on : .off
        return CommandPlan(
            messages: [(topic, isOn ? payloadOn : payloadOff)], aspect: stateTopic == nil ? nil : .main
        ) { $0 == wanted ? .done : .no }
    }

    /// A lamp that any brightness turns on: as bright as it goes, since what it was is not known.
    private func onByLevel(_ level: Scale) -> CommandPlan {
        let messages = level.commandTopic.map { [($0, level.payload(level.maximum))] } ?? []
        return CommandPlan(messages: messages, aspect: stateTopic == nil ? nil : .main) { $0 == .on ? .done : .no }
    }

    private func plan(_ verb: Verb, _ report: DeviceReport) throws(CommandRejection) -> CommandPlan {
        guard let topic = commandTopic, let payload = verbs[verb] else {
            // A cover that takes positions only is open at a hundred.
            if verb == .open, kind == .cover { return try plan(level: 100, nil) }
            if verb == .close, kind == .cover { return try plan(level: 0, nil) }
            throw unsupported
        }
        let message = [(topic, payload)]
        // Half open is not as open as it goes.
        let isHalfOpen = verb == .open && kind == .cover && (report.level ?? 100) < 99
        let hasEnd = verb != .stop && verb != .press
        if stateTopic == nil, kind == .cover, hasEnd, let level, level.stateTopic != nil {
            return CommandPlan(messages: message, aspect: .level, confirms: Self.travels(verb, level, report.level))
        }
        let ends = Self.ends[verb]
        return CommandPlan(
            messages: message, aspect: ends == nil || stateTopic == nil ? nil : .main,
            confirms: { state in
                guard case .value(let text) = state, let position = Position(rawValue: text), let ends else {
                    return .no
                }
                return ends.done.contains(position) ? .done : ends.begun.contains(position) ? .begun : .no
            }, isState: hasEnd && !isHalfOpen)
    }

    /// The states that confirm a verb; a button's press has none.
    private static let ends: [Verb: (done: [Position], begun: [Position])] = [
        .open: ([.open], [.opening]), .close: ([.closed], [.closing]), .stop: ([.stopped, .open, .closed], []),
        .lock: ([.locked], [.locking]), .unlock: ([.unlocked], [.unlocking]),
    ]

    /// For a cover that reports only its position: the command has begun when that moves in the right direction.
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

    private func plan(level percent: Double, _ report: DeviceReport?) throws(CommandRejection) -> CommandPlan {
        guard let scale = level, let topic = scale.commandTopic else { throw unsupported }
        guard (0...100).contains(percent) else { throw CommandRejection(outcome: .outOfRange(0, 100)) }
        if percent == 0, canSwitch { return try power(false) }
        var wanted = scale.raw(percent: percent)
        // A small level is not off: for a fan with three speeds, ten percent is the first.
        if percent > 0, canSwitch, wanted == scale.rounded(scale.minimum) {
            wanted = scale.rounded(scale.minimum + (scale.maximum > scale.minimum ? scale.step : -scale.step))
        }
        let target = wanted
        var messages = [(topic, scale.payload(wanted))]
        if canSwitch, let commandTopic, commandTopic != topic, report?.state != .on, !turnsOnByLevel {
            messages.insert((commandTopic, payloadOn), at: 0)
        }
        return CommandPlan(
            messages: messages, aspect: scale.stateTopic == nil ? nil : .level,
            confirms: { Self.is($0, near: target, scale) }, isWhileOn: canSwitch)
    }

    private func plan(
        _ scale: Scale?, _ value: Double, _ aspect: Aspect
    ) throws(CommandRejection) -> CommandPlan {
        guard let scale, let topic = scale.commandTopic else { throw unsupported }
        let own = scale.own(value)
        guard scale.range.contains(own) else {
            let ends = [scale.spoken(scale.range.lowerBound), scale.spoken(scale.range.upperBound)]
            throw CommandRejection(outcome: .outOfRange(min(ends[0], ends[1]), max(ends[0], ends[1])))
        }
        let wanted = scale.rounded(own)
        return CommandPlan(
            messages: [(topic, scale.payload(wanted))], aspect: scale.stateTopic == nil ? nil : aspect
        ) { Self.is($0, near: wanted, scale) }
    }

    private func plan(_ wanted: Colour) throws(CommandRejection) -> CommandPlan {
        guard let colour else { throw unsupported }
        return CommandPlan(
            messages: [(colour.commandTopic, colour.payload(wanted))], aspect: colour.stateTopic == nil ? nil : .colour,
            confirms: { state in
                guard case .value(let kept) = state else { return .no }
                return colour.shows(wanted, kept) ? .done : .no
            }, isWhileOn: canSwitch)
    }

    private func plan(tilt percent: Double) throws(CommandRejection) -> CommandPlan {
        guard let scale = tilt, let topic = scale.commandTopic else { throw unsupported }
        guard (0...100).contains(percent) else { throw CommandRejection(outcome: .outOfRange(0, 100)) }
        let wanted = scale.raw(percent: percent)
        return CommandPlan(
            messages: [(topic, scale.payload(wanted))], aspect: scale.stateTopic == nil ? nil : .tilt
        ) { Self.is($0, near: wanted, scale) }
    }

    private func plan(oscillation isOn: Bool) throws(CommandRejection) -> CommandPlan {
        guard let oscillation else { throw unsupported }
        let wanted: DeviceReport.State = isOn ? .on : .off
        return CommandPlan(
            messages: [(oscillation.commandTopic, isOn ? oscillation.payloadOn : oscillation.payloadOff)],
            aspect: oscillation.stateTopic == nil ? nil : .oscillation
        ) { $0 == wanted ? .done : .no }
    }

    private func plan(option name: String) throws(CommandRejection) -> CommandPlan {
        guard let options, let topic = options.commandTopic else { throw unsupported }
        guard let option = options.option(name) else {
            throw CommandRejection(outcome: .noOption(options.all.map(\.name)))
        }
        return CommandPlan(
            messages: [(topic, options.payload.filled(option.payload))],
            aspect: options.stateTopic == nil ? nil : .option
        ) { $0 == .value(option.name) ? .done : .no }
    }

    private static func `is`(_ state: DeviceReport.State, near wanted: Double, _ scale: Scale) -> Confirmation {
        guard case .value(let text) = state, let number = Double(text) else { return .no }
        return abs(number - wanted) <= scale.tolerance ? .done : .no
    }
}
