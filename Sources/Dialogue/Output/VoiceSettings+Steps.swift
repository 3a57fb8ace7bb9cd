import Domain
import Foundation

/// How the owner changes the voice by asking; what was asked for outlasts a restart.
extension VoiceSettings {
    /// One step, and the least and the most that may be asked for. A voice of no loudness could not say how to get it
    /// back.
    static let rateStep = 0.1, rateRange = 0.0...1.0, volumeStep = 0.25, volumeRange = 0.25...2.0

    /// The keys under which the owner's wishes are kept; those of the settings are the same.
    private static let rateKey = "speech.rate", volumeKey = "speech.volume"

    /// The voice one step slower, faster, louder or quieter; nil at the limit.
    package func changed(_ way: String) -> VoiceSettings? {
        var voice = self
        switch way {
        case "slower": voice.rate = Self.step(rate, -Self.rateStep, in: Self.rateRange)
        case "faster": voice.rate = Self.step(rate, Self.rateStep, in: Self.rateRange)
        case "quieter": voice.volume = Self.step(volume, -Self.volumeStep, in: Self.volumeRange)
        case "louder": voice.volume = Self.step(volume, Self.volumeStep, in: Self.volumeRange)
        default: return nil
        }
        return voice == self ? nil : voice
    }

    /// The voice at a loudness out of ten, or in percent of the loudest; a number above ten means percent, too.
    /// - Returns: nil for what is no loudness.
    package func withVolume(_ said: Double, isPercent: Bool) -> VoiceSettings? {
        let share = isPercent || said > 10 ? said / 100 : said / 10
        guard said >= 1, share <= 1 else { return nil }
        var voice = self
        let range = Self.volumeRange
        voice.volume = max(range.lowerBound, (share * range.upperBound * 100).rounded() / 100)
        return voice
    }

    /// Rounded to hundredths, so that steps up and down meet again. What the settings put beyond the range stays.
    private static func step(_ value: Double, _ step: Double, in range: ClosedRange<Double>) -> Double {
        let next = ((value + step) * 100).rounded() / 100
        return step > 0 ? max(value, min(next, range.upperBound)) : min(value, max(next, range.lowerBound))
    }

    /// The voice as the owner last asked for it; `standard` where nothing was asked or what is kept makes no sense.
    public static func kept(in store: any KeptValueStore, otherwise standard: VoiceSettings) async -> VoiceSettings {
        func value(_ key: String, _ range: ClosedRange<Double>) async -> Double? {
            let text = try? await store.value(key)
            return text.flatMap(Double.init).flatMap { range.contains($0) ? $0 : nil }
        }
        var voice = standard
        voice.rate = await value(rateKey, rateRange) ?? voice.rate
        voice.volume = await value(volumeKey, volumeRange) ?? voice.volume
        return voice
    }

    /// The settings that count no more once the owner has asked for another voice.
    public static let askedFor = [rateKey, volumeKey]

    /// Keeps rate and volume, as far as they differ from what is kept: a step changes one, in one transaction.
    package func keep(in store: any KeptValueStore, replacing before: VoiceSettings) async throws {
        if rate != before.rate { try await store.set(Self.rateKey, to: "\(rate)") }
        if volume != before.volume { try await store.set(Self.volumeKey, to: "\(volume)") }
    }
}
