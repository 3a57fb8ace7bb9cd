import Domain
import Configuration
import AudioALSA

extension Board {
    /// The mixer controls that the board file names below `speaker`.
    package struct MixerControls: Sendable {
        /// The controls of our own outputs.
        package let outputs: [OutputVolumes.Output]
        /// What is lowered while listening.
        package let ducking: [Ducker.Target]

        static let keys = ["media_control", "speech_control", "ducking"]

        /// - Parameter entry: the keys below `speaker`.
        init(_ entry: [String: ConfigurationNode], text: (ConfigurationNode) throws -> String) throws {
            var outputs: [OutputVolumes.Output] = []
            for (key, output) in [("media_control", SpeakerOutput.media), ("speech_control", .speech)] {
                guard let node = entry[key] else { continue }
                let values = try node.entries(allowed: ["card", "control", "index", "percent"])
                outputs.append(
                    OutputVolumes.Output(
                        output: output, control: try Self.control(values, of: node, text),
                        percent: try values["percent"].map { try Board.int($0, 100, 0...100) }))
            }
            self.outputs = outputs
            ducking = try Self.ducking(entry["ducking"], text)
        }

        private static func ducking(
            _ node: ConfigurationNode?, _ text: (ConfigurationNode) throws -> String
        ) throws -> [Ducker.Target] {
            guard let node else { return [] }
            var result: [Ducker.Target] = []
            for place in node.isList ? try node.elements() : [node] {
                let values = try place.entries(allowed: ["card", "control", "index", "decibels"])
                let decibels = try values["decibels"]?.double() ?? 20
                guard (1...60).contains(decibels) else {
                    throw place.error("“decibels” is 1 to 60, found \(decibels)")
                }
                let control = try Self.control(values, of: place, text)
                guard !result.contains(where: { $0.control == control }) else {
                    throw place.error("duplicate control \(control)")
                }
                result.append(Ducker.Target(control: control, decibels: decibels))
            }
            return result
        }

        private static func control(
            _ values: [String: ConfigurationNode], of node: ConfigurationNode,
            _ text: (ConfigurationNode) throws -> String
        ) throws -> MixerControl {
            guard let card = values["card"], let name = values["control"] else {
                throw node.error("expected {card: hw:0, control: Music}")
            }
            return MixerControl(
                card: try text(card), control: try name.string(), index: try Board.int(values["index"], 0, 0...255))
        }
    }
}
