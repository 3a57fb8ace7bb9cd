import Domain
import Configuration
import Foundation

extension AudioGraph {
    /// Reads the chain from the board file's `audio:`.
    /// - Throws: `ConfigurationError` that names file, line and node.
    public init(_ node: ConfigurationNode) throws {
        let entries = try node.entries(allowed: ["nodes", "connections"])
        guard let declared = entries["nodes"], let list = entries["connections"] else {
            throw node.error("“\(entries["nodes"] == nil ? "nodes" : "connections")” is missing")
        }
        let places = try declared.entries()
        let lines = try list.elements()
        let nodes = try places.map { try AudioNodeReader(name: $0.key, node: $0.value).read() }
        let connections = try lines.enumerated().flatMap { try Self.connections($1, place: $0) }
        do throws(AudioGraphFault) {
            try self.init(nodes: nodes, connections: connections)
        } catch {
            let place =
                switch error.place {
                case .node(let name): places.first { $0.key == name }?.value
                case .connection(let number): lines.indices.contains(number) ? lines[number] : nil
                case .whole: node
                }
            throw (place ?? node).error(error.description)
        }
    }

    /// `a → b → c` is two connections; `->` does for the arrow.
    private static func connections(_ node: ConfigurationNode, place: Int) throws -> [Connection] {
        let words = try node.string().replacing("->", with: "→").split(separator: "→", omittingEmptySubsequences: false)
        let ends = try words.map { word in
            let parts = word.trimmingCharacters(in: .whitespaces).split(
                separator: ".", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
                throw node.error("expected “fork → recogniser” or “vad.end → recogniser.finish”")
            }
            return End(String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
        }
        guard ends.count > 1 else { throw node.error("expected “fork → recogniser”; there is no arrow") }
        return zip(ends, ends.dropFirst()).map { Connection($0, $1, place: place) }
    }
}

/// Reads one node: its kind, and the parameters of that kind within their ranges.
private struct AudioNodeReader {
    let name: String
    let node: ConfigurationNode

    func read() throws -> AudioNode {
        guard !name.isEmpty, !name.contains(where: { " .→>".contains($0) }) else {
            throw node.error("a node's name has no spaces, dots or arrows")
        }
        guard let kindNode = try node.entries().first(where: { $0.key == "kind" })?.value else {
            throw node.error("“kind” is missing; expected one of: \(Self.kinds)")
        }
        let text = try kindNode.string()
        guard let kind = AudioNode.Kind(rawValue: text) else {
            throw kindNode.error("there is no kind “\(text)”; expected one of: \(Self.kinds)")
        }
        let values = try node.entries(allowed: ["kind"] + Self.parameters(of: kind))
        return AudioNode(name, try work(kind, values))
    }

    private static let kinds = AudioNode.Kind.allCases.map(\.rawValue).joined(separator: ", ")

    private static func parameters(of kind: AudioNode.Kind) -> [String] {
        switch kind {
        case .microphone: ["rate", "channels"]
        case .mono: ["channel"]
        case .resample: ["rate", "quality"]
        case .highPass: ["hertz"]
        case .noiseSuppression: ["engine", "decibels"]
        case .gain: ["decibels"]
        case .voiceActivity: ["engine", "frame", "threshold", "minimum_silence", "tail"]
        case .split, .recogniser, .levelMeter, .recorder: []
        }
    }

    private func work(_ kind: AudioNode.Kind, _ values: [String: ConfigurationNode]) throws -> AudioNode.Work {
        func int(_ key: String, _ standard: Int, _ range: ClosedRange<Int>) throws -> Int {
            guard let node = values[key] else { return standard }
            let value = try node.int()
            guard range.contains(value) else {
                let wanted = range.count > 1 ? "\(range.lowerBound) to \(range.upperBound)" : "\(range.lowerBound)"
                throw node.error("expected \(wanted), found \(value)")
            }
            return value
        }
        func double(_ key: String, _ standard: Double, _ range: ClosedRange<Double>) throws -> Double {
            guard let node = values[key] else { return standard }
            let value = try node.double()
            guard range.contains(value) else {
                throw node.error("expected \(range.lowerBound) to \(range.upperBound), found \(value)")
            }
            return value
        }
        switch kind {
        case .microphone:
            return .microphone(
                SampleFormat(rate: try int("rate", 16_000, 8_000...192_000), channels: try int("channels", 1, 1...16)))
        case .mono: return .mono(channel: try values["channel"].map { _ in try int("channel", 1, 1...16) })
        case .resample:
            return .resample(rate: try int("rate", 16_000, 8_000...192_000), quality: try int("quality", 7, 0...10))
        case .highPass: return .highPass(hertz: try double("hertz", 80, 10...1_000))
        case .noiseSuppression:
            return .noiseSuppression(try engine(values["engine"], .speex), decibels: try int("decibels", 15, 1...60))
        case .gain: return .gain(decibels: try double("decibels", 0, -40...40))
        case .voiceActivity:
            return .voiceActivity(
                try engine(values["engine"], .silero), frame: try int("frame", 512, 512...512),
                threshold: try double("threshold", 0.5, 0.05...0.95),
                minimumSilence: .seconds(try double("minimum_silence", 0.04, 0...0.5)),
                tail: .seconds(try double("tail", AudioGraph.standardTail.seconds, 0...0.5)))
        case .split: return .split
        case .recogniser: return .recogniser
        case .levelMeter: return .levelMeter
        case .recorder: return .recorder
        }
    }

    private func engine<Engine: RawRepresentable & CaseIterable>(
        _ node: ConfigurationNode?, _ standard: Engine
    ) throws -> Engine where Engine.RawValue == String {
        guard let node else { return standard }
        let text = try node.string()
        guard let engine = Engine(rawValue: text) else {
            let known = Engine.allCases.map(\.rawValue).joined(separator: ", ")
            throw node.error("there is no engine “\(text)”; expected one of: \(known)")
        }
        return engine
    }
}
