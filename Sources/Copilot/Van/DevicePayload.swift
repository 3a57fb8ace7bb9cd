import Foundation

/// What a device's payload says.
extension Device {
    /// The topics that it tells its states on, with what they tell.
    public var sources: [(aspect: Aspect, topic: String)] {
        let all: [(Aspect, String?)] = [
            (.main, kind == .select ? nil : stateTopic), (.level, level?.stateTopic),
            (.colourTemperature, colourTemperature?.stateTopic), (.target, target?.stateTopic),
            (.current, current?.stateTopic), (.option, options?.stateTopic),
        ]
        return all.compactMap { aspect, topic in topic.map { (aspect, $0) } }
    }

    /// The state that a payload tells about one aspect; nil when a JSON payload does not speak of it.
    func state(_ aspect: Aspect, payload: BusMessage) -> DeviceReport.State? {
        let path: String? =
            switch aspect {
            case .main: valuePath
            case .level: level?.path
            case .colourTemperature: colourTemperature?.path
            case .target: target?.path
            case .current: current?.path
            case .option: options?.path
            }
        guard let path else { return payload.text.map { state(aspect, text: $0) } ?? .invalid }
        guard let json = JSONValue(payload.payload) else { return .invalid }
        guard let value = json.at(path) else { return nil }
        return value.text.map { state(aspect, text: $0) } ?? .invalid
    }

    private func state(_ aspect: Aspect, text: String) -> DeviceReport.State {
        guard !text.isEmpty, text != "null", text != "None" else { return .invalid }
        let plain = DeviceReport.State.value(String(text.prefix(200)))
        switch aspect {
        case .level, .colourTemperature, .target, .current:
            guard let number = Double(text), number.isFinite else { return .invalid }
            return .value(Scale.text(number))
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
                return text == stateOff ? .off : plain
            }
        }
    }
}

/// A JSON payload, untrusted: bounded in size, and read only as far as a path asks.
indirect enum JSONValue: Sendable, Decodable {
    case text(String)
    case null
    case object([String: JSONValue])
    case list([JSONValue])

    private static let limit = 65_536

    /// Nil for what is too long or no JSON.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit, let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            return nil
        }
        self = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .text(value ? "true" : "false")
        } else if let value = try? container.decode(Double.self) {
            let text = "\(value)"
            self = .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// What stands at a dotted path, such as `battery.soc` or `relays.0`; nil when nothing does.
    func at(_ path: String) -> JSONValue? {
        var value = self
        for key in path.split(separator: ".").map(String.init) {
            switch value {
            case .object(let entries):
                guard let next = entries[key] else { return nil }
                value = next
            case .list(let elements):
                guard let index = Int(key), elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .text, .null: return nil
            }
        }
        return value
    }

    /// A text, number or truth value as text; nil for anything else.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
