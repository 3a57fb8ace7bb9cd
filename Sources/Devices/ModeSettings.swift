import Domain
import Configuration

/// How VanOrb speaks and shows itself while the van is in a mode; nil for what stays as it is otherwise.
public struct ModeSettings: Sendable, Equatable {
    /// As the settings of the same names: loudness, pace and height of the voice.
    public var volume: Double?, rate: Double?, pitch: Double?
    /// Whether replies are spoken.
    public var autoSpeak: Bool?
    /// Whether the ring has its night's colours, whatever the hour.
    public var nightRing: Bool?

    /// Nothing of a mode's own.
    public init() {}

    /// The settings over which the mode has a say.
    package var own: Set<String> {
        var keys: Set<String> = []
        if volume != nil { keys.formUnion(["speech.volume", "night.speech"]) }
        if rate != nil { keys.insert("speech.rate") }
        if pitch != nil { keys.insert("speech.pitch") }
        if autoSpeak != nil { keys.insert("speech.auto_speak") }
        return keys
    }

    /// True where the mode has a voice of its own: what the owner asks of it then lasts as long as the mode.
    package var hasVoice: Bool { volume != nil || rate != nil || pitch != nil }

    /// The voice as it is in the mode.
    package func applied(to voice: VoiceSettings) -> VoiceSettings {
        var voice = voice
        voice.volume = volume ?? voice.volume
        voice.rate = rate ?? voice.rate
        voice.pitch = pitch ?? voice.pitch
        return voice
    }

    /// Reads a mode's settings.
    /// - Throws: `ConfigurationError` for an unknown setting, one that a mode cannot change, or a value out of range.
    package init(_ node: ConfigurationNode) throws {
        for (key, value) in try node.entries() {
            switch key {
            case "speech.volume": volume = try Self.number(value, 0...2)
            case "speech.rate": rate = try Self.number(value, 0...1)
            case "speech.pitch": pitch = try Self.number(value, 0...2)
            case "speech.auto_speak": autoSpeak = try value.bool()
            case "ring.night": nightRing = try value.bool()
            default:
                throw value.error(
                    "“\(key)” does not go with a mode; these do: speech.volume, speech.rate, speech.pitch, "
                        + "speech.auto_speak, ring.night")
            }
        }
    }

    private static func number(_ node: ConfigurationNode, _ range: ClosedRange<Double>) throws -> Double {
        let value = try node.double()
        guard range.contains(value) else {
            throw node.error("expected \(Scale.text(range.lowerBound)) to \(Scale.text(range.upperBound))")
        }
        return value
    }
}
