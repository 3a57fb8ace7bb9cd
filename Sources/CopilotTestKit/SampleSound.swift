import Domain

/// Samples for tests: silence, and a tone that counts as a voice.
public enum SampleSound {
    /// Nothing to hear.
    public static func silence(_ duration: Duration) -> [Int16] {
        Array(repeating: 0, count: AudioFormat.samples(in: duration))
    }

    /// A square wave of 250 Hz, loud enough for `EnergyVoiceActivity`.
    public static func voice(_ duration: Duration) -> [Int16] {
        (0..<AudioFormat.samples(in: duration)).map { $0 / 32 % 2 == 0 ? 8_000 : -8_000 }
    }
}

/// Takes every block with energy for speech.
public final class EnergyVoiceActivity: VoiceActivityDetector {
    /// A detector; it learns nothing.
    public init() {}

    /// 1 for a block that is louder than a whisper on average, else 0.
    public func speechProbability(of samples: [Int16]) -> Double {
        guard !samples.isEmpty else { return 0 }
        let mean = samples.reduce(0) { $0 + Int($1.magnitude) } / samples.count
        return mean > 500 ? 1 : 0
    }

    /// Nothing to forget.
    public func reset() {}
}

/// Ends the test run: a fake was used in a way that its test did not foresee.
func unexpected(_ what: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    preconditionFailure("unexpected call of a fake: \(what)", file: file, line: line)
}
