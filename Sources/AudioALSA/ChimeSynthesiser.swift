import Domain
import Foundation

/// Makes the three chimes. Pure: the same call gives the same samples.
public enum ChimeSynthesiser {
    /// What a chime signals.
    public enum Kind: String, Sendable, CaseIterable {
        /// The microphone has opened: a rising fourth, A5 and D6.
        case start
        /// The microphone has closed: the same, falling.
        case end
        /// Something failed: two low equal notes, G4.
        case error
    }

    private struct Note {
        let hertz: Double
        /// When it begins, in seconds.
        let start: Double
        let seconds: Double
    }

    /// The chime for `kind`: at most 180 ms, beginning and ending at zero, its peak at half of full scale.
    /// - Parameter sampleRate: samples a second.
    public static func chime(_ kind: Kind, sampleRate: Int = 22_050) -> Sound {
        let notes = notes(of: kind)
        let seconds = notes.map { $0.start + $0.seconds }.max() ?? 0
        let samples = (0..<Int(seconds * Double(sampleRate))).map { index in
            let time = Double(index) / Double(sampleRate)
            let value = notes.reduce(0) { $0 + amplitude(of: $1, at: time) }
            return Int16((value * 0.5 * Double(Int16.max)).rounded())
        }
        return Sound(samples: samples + [0], sampleRate: sampleRate)
    }

    // Frequencies in equal temperament, A4 = 440 Hz.
    private static func notes(of kind: Kind) -> [Note] {
        switch kind {
        case .start: pair(880, 1_174.66)
        case .end: pair(1_174.66, 880)
        case .error: [Note(hertz: 392, start: 0, seconds: 0.07), Note(hertz: 392, start: 0.1, seconds: 0.075)]
        }
    }

    private static func pair(_ first: Double, _ second: Double) -> [Note] {
        [Note(hertz: first, start: 0, seconds: 0.075), Note(hertz: second, start: 0.075, seconds: 0.1)]
    }

    /// A sine with its octave, under an envelope that rises for 5 ms, rings off, and falls to zero over the last 20 ms.
    private static func amplitude(of note: Note, at time: Double) -> Double {
        let own = time - note.start
        guard own >= 0, own < note.seconds else { return 0 }
        let phase = 2 * Double.pi * note.hertz * own
        let tone = 0.85 * sin(phase) + 0.15 * sin(2 * phase)
        return tone * min(1, own / 0.005) * min(1, (note.seconds - own) / 0.020) * exp(-own * 8)
    }
}
