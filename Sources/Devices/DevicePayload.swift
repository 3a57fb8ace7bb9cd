import Domain

/// What a device's payload says.
extension Device {
    /// The topics that it publishes its states on, with what they report.
    public var sources: [(aspect: Aspect, topic: String)] {
        let all: [(Aspect, String?)] = [
            (.main, kind == .select ? nil : stateTopic), (.level, level?.stateTopic),
            (.colourTemperature, colourTemperature?.stateTopic), (.colour, colour?.stateTopic),
            (.tilt, tilt?.stateTopic), (.oscillation, oscillation?.stateTopic), (.target, target?.stateTopic),
            (.current, current?.stateTopic), (.option, options?.stateTopic),
        ]
        return all.compactMap { aspect, topic in topic.map { (aspect, $0) } }
    }

    /// The state of one aspect in a payload; nil where the payload does not contain it.
    package func state(_ aspect: Aspect, payload: BusMessage) -> DeviceReport.State? {
        if aspect == .colour { return colour?.reading(payload.payload).map { .value($0) } }
        let template: ValueTemplate? =
            switch aspect {
            case .main: valueTemplate
            case .level: level?.template
            case .colourTemperature: colourTemperature?.template
            case .colour: nil
            case .tilt: tilt?.template
            case .oscillation: oscillation?.template
            case .target: target?.template
            case .current: current?.template
            case .option: options?.template
            }
        guard let template else { return payload.text.map { state(aspect, text: $0) } ?? .invalid }
        switch template.render(payload.payload) {
        case .absent: return nil
        case .broken: return .invalid
        case .text(let text): return state(aspect, text: text)
        }
    }

    /// How devices write that they have no state now.
    private static let noState: Set<String> = ["", "null", "None", "unavailable", "unknown"]

    private func state(_ aspect: Aspect, text: String) -> DeviceReport.State {
        let plain = Self.noState.contains(text) ? .invalid : DeviceReport.State.value(String(text.prefix(200)))
        switch aspect {
        case .oscillation:
            return text == oscillation?.stateOn ? .on : text == oscillation?.stateOff ? .off : plain
        case .level, .colourTemperature, .tilt, .target, .current:
            guard let number = Double(text), number.isFinite else { return .invalid }
            return .value(Scale.text(number))
        case .colour: return plain
        case .option:
            return options?.all.first { $0.payload == text }.map { .value($0.name) } ?? plain
        case .main:
            switch kind {
            case .cover, .lock:
                return stateWords[text].map { .value($0.rawValue) } ?? plain
            case .sensor where unit != nil, .number:
                guard let number = Double(text), number.isFinite else { return .invalid }
                return plain
            default:
                if text == stateOn { return .on }
                if text == stateOff { return .off }
                // A device whose modes include off is on in all others.
                let isMode = isPoweredByMode && options?.all.contains { $0.payload == text } == true
                return isMode ? .on : plain
            }
        }
    }

    /// True where one of the options means off, and the others on.
    private var isPoweredByMode: Bool {
        guard let stateTopic, let options else { return false }
        return stateTopic == options.stateTopic && valueTemplate == options.template
    }
}
