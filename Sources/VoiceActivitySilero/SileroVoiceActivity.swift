import Domain

/// Detects voice by Silero's model once that is loaded, and by another detector until then, and where it fails. Which of
/// them is decided when an utterance begins. Used by one task at a time.
public final class SileroVoiceActivity: VoiceActivityDetector {
    /// Ends are not found in the breaths of a sentence: what has begun as speech stays it down to a probability of 0.35,
    /// as Silero's own scripts have it. What the model misses of quiet endings was measured; the hearing chapter of the
    /// manual has the figures.
    private static let own = VoiceActivityTraits(hysteresis: 0.15, tail: .milliseconds(100))

    private let loader: SileroLoader
    private let fallback: any VoiceActivityDetector
    private let report: @Sendable (any Error) -> Void
    private var stream: SileroStream?
    private var hasFailed = false

    /// - Parameters:
    ///   - fallback: judges until the model is loaded, and after it has failed.
    ///   - report: is given why the model is not used any more.
    public init(
        _ loader: SileroLoader, fallback: any VoiceActivityDetector,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        self.loader = loader
        self.fallback = fallback
        self.report = report
    }

    /// Those of the detector that judges.
    public var traits: VoiceActivityTraits { stream == nil ? fallback.traits : Self.own }

    /// The probability, 0…1, that the frame holds speech. Digital silence is none.
    public func speechProbability(of samples: [Int16]) -> Double {
        guard let stream else { return fallback.speechProbability(of: samples) }
        do { return try stream.probability(of: samples) } catch {
            fail(error)
            return fallback.speechProbability(of: samples)
        }
    }

    /// Begins an utterance: with the model, if it is there by now.
    public func reset() {
        fallback.reset()
        stream?.reset()
        guard stream == nil, !hasFailed, let model = loader.model else { return }
        do { stream = try model.stream() } catch { fail(error) }
    }

    private func fail(_ error: any Error) {
        hasFailed = true
        stream = nil
        report(error)
    }
}
