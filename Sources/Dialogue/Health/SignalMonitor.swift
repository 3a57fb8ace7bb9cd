import AudioPipeline
import Domain

/// Tells how the microphone sounds: a fault of a single turn is a warning, one that lasts is shown by the ring.
@DialogueActor
final class SignalMonitor {
    /// The part's name in `status` and `doctor`.
    nonisolated static let part = "microphone signal"
    /// Turns in a row with the same fault after which it lasts.
    static let lasting = 3

    private let health: Health
    private var last: (fault: SignalFault, turns: Int)?

    nonisolated init(_ health: Health) { self.health = health }

    /// Takes note of how a turn sounded. Nothing is said of a microphone with which nothing was ever wrong.
    func note(_ quality: SignalQuality) {
        switch quality {
        case .unknown: return
        case .right:
            guard last != nil else { return }
            last = nil
            health.report(Self.part, .ok, "sounded as it should at the last turn")
        case .faulty(let fault): note(fault)
        }
    }

    private func note(_ fault: SignalFault) {
        let turns = last?.fault == fault ? (last?.turns ?? 0) + 1 : 1
        last = (fault, turns)
        let (detail, advice) = Self.words(fault)
        health.report(Self.part, turns < Self.lasting ? .warning : .failed, detail, advice: advice)
    }

    private static func words(_ fault: SignalFault) -> (detail: String, advice: String) {
        switch fault {
        case .clipping:
            ("loud sound is cut off", "lower the microphone's gain: alsamixer, F4")
        case .silent:
            (
                "next to nothing came from the microphone",
                "check that it is plugged in and not muted, and raise its gain: alsamixer, F4"
            )
        case .offset:
            (
                "the sound is not centred (DC offset)",
                "try another input or sound card"
            )
        case .hum:
            (
                "most of what came from the microphone is the 50 Hz of the mains",
                "keep its cable away from mains cables and the inverter, and use a shielded one"
            )
        case .gaps:
            ("parts of the sound are missing", "look for another program that takes the processor: top")
        }
    }
}
