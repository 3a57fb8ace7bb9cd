import Configuration
import AudioPipeline
import AudioALSA
import Foundation
import PanelGPIO

/// What a board has, from its file.
package struct Board: Sendable {
    package struct MicrophoneDevice: Sendable {
        package let device: String, period: Int, periods: Int, isPaced: Bool
    }
    package struct SpeakerDevice: Sendable {
        package let media: String, speech: String, period: Int, buffer: Int, isPaced: Bool
        package let mixer: MixerControls
    }

    package let name: String
    package let alsa: ALSAConfiguration
    /// What the sound of the microphone goes through.
    package let audio: AudioGraph
    package let microphone: MicrophoneDevice?
    package let speaker: SpeakerDevice?
    package let button: GPIOLine?
    package let motor: MotorConfiguration?
    package let ring: RingConfiguration?
    /// True where button, ring and motor are events only.
    package let isRecorded: Bool
    /// True where a clock chip keeps the time while the board is off.
    package let hasClockChip: Bool

    /// Reads a board file.
    /// - Parameter run: stands for `{run}` in the file.
    /// - Throws: `ConfigurationError` with file and line.
    package init(file: String, run: String) throws {
        let root = try ConfigurationNode(contentsOf: file)
        let nodes = try root.entries(allowed: [
            "name", "alsa", "microphone", "audio", "speaker", "button", "ring", "motor", "rtc",
        ])
        func text(_ node: ConfigurationNode) throws -> String { try node.string().replacing("{run}", with: run) }
        name = try nodes["name"]?.string() ?? URL(filePath: file).deletingPathExtension().lastPathComponent
        do {
            alsa = try ALSAConfiguration(text: nodes["alsa"].map(text) ?? "")
        } catch let error as ALSAError {
            throw nodes["alsa"]?.error("\(error)") ?? root.error("\(error)")
        }
        let audio = try nodes["audio"].map { try AudioGraph($0) } ?? .standard
        self.audio = audio
        microphone = try nodes["microphone"].map { node in
            let entry = try node.entries(allowed: ["device", "period", "periods", "paced"])
            guard let device = entry["device"] else { throw node.error("“device” is missing") }
            return MicrophoneDevice(
                device: try text(device),
                period: try Self.int(entry["period"], min(audio.microphone.blockFrames, 8_192), 32...8_192),
                periods: try Self.int(entry["periods"], 4, 2...64), isPaced: try entry["paced"]?.bool() ?? false)
        }
        speaker = try nodes["speaker"].map { node in
            let entry = try node.entries(
                allowed: ["media", "speech", "period", "buffer", "paced"] + MixerControls.keys)
            guard let speech = entry["speech"] ?? entry["media"] else { throw node.error("“speech” is missing") }
            return SpeakerDevice(
                media: try text(entry["media"] ?? speech), speech: try text(speech),
                period: try Self.int(entry["period"], 256, 32...8_192),
                buffer: try Self.int(entry["buffer"], 4_096, 128...65_536),
                isPaced: try entry["paced"]?.bool() ?? false,
                mixer: try MixerControls(entry, text: text))
        }
        hasClockChip = try nodes["rtc"]?.bool() ?? false
        func isWord(_ key: String, _ word: String) -> Bool { (try? nodes[key]?.string()) == word }
        isRecorded = isWord("button", "control") || isWord("ring", "recorded") || isWord("motor", "recorded")
        button = try nodes["button"].flatMap { isWord("button", "control") ? nil : try Self.line($0) }
        motor = try nodes["motor"].flatMap { isWord("motor", "recorded") ? nil : try Self.motor($0, text) }
        ring = try nodes["ring"].flatMap { isWord("ring", "recorded") ? nil : try Self.ring($0) }
        if isRecorded, button != nil || motor != nil || ring != nil {
            throw root.error(
                "a board is either recorded (button: control) or has real lines; omit missing parts")
        }
    }

    /// Creates the virtual board's microphone input, silent, unless a recording was put there.
    package func makeSilentRoom(run: String) {
        let room = run + "/microphone.raw"
        guard isRecorded, !FileManager.default.fileExists(atPath: room) else { return }
        _ = FileManager.default.createFile(atPath: room, contents: nil)
    }

    static func int(_ node: ConfigurationNode?, _ standard: Int, _ range: ClosedRange<Int>) throws -> Int {
        guard let node else { return standard }
        let value = try node.int()
        guard range.contains(value) else {
            throw node.error("expected \(range.lowerBound) to \(range.upperBound), found \(value)")
        }
        return value
    }

    static func line(_ node: ConfigurationNode) throws -> GPIOLine {
        let entry = try node.entries(allowed: ["chip", "line", "active_low", "bias"])
        let chip = try entry["chip"]?.string()
        // A number is one chip's own; a name may be looked for on all of them.
        guard let text = try entry["line"]?.string(), chip != nil || UInt32(text) == nil else {
            throw node.error("expected {line: GPIO17}, a line's name, or {chip: gpiochip0, line: 17}")
        }
        let bias: GPIOLine.Bias =
            switch try entry["bias"]?.string() ?? "as_is" {
            case "as_is": .asIs
            case "none": .none
            case "pull_up": .pullUp
            case "pull_down": .pullDown
            default: throw entry["bias"]?.error("expected as_is, none, pull_up or pull_down") ?? node.error("bias")
            }
        return GPIOLine(
            chip: chip, place: UInt32(text).map { .offset($0) } ?? .name(text),
            isActiveLow: try entry["active_low"]?.bool() ?? false, bias: bias)
    }

    private static func motor(
        _ node: ConfigurationNode, _ text: (ConfigurationNode) throws -> String
    ) throws -> MotorConfiguration {
        if let file = try? node.entries(allowed: ["file"])["file"] { return MotorConfiguration(.file(try text(file))) }
        return MotorConfiguration(.line(try line(node)))
    }
}
