import AudioALSA
import PanelGPIO

/// Checks that the machine has what its board file names: `vanorbd --check`.
package struct BoardCheck: Sendable {
    /// A difference from the board file.
    package struct Finding: Sendable, Equatable {
        package let part: String, problem: String, remedy: String

        package var line: String {
            let text = [problem, remedy].filter { !$0.isEmpty }.joined(separator: " ")
            return text.hasPrefix("\(part) ") ? text : "\(part): \(text)"
        }
    }

    /// Access to the machine; tests replace it.
    package struct Probes: Sendable {
        /// The consumer of a line; nil for a free one.
        package var user: @Sendable (GPIOLine) throws -> String? = { try $0.user() }
        /// Opens a ring's SPI device.
        package var ring: @Sendable (RingConfiguration) throws -> Void = { try $0.lookForDevice() }
        /// Opens a sound device; true for a microphone.
        package var sound: @Sendable (String, Bool, ALSAConfiguration) throws -> Void = {
            try DeviceProbe.look(for: $0, isCapture: $1, configuration: $2)
        }

        /// Opens a control of a card's mixer.
        package var mixer: @Sendable (MixerControl, ALSAConfiguration) throws -> Void = {
            try DeviceProbe.look(for: $0, configuration: $1)
        }

        package init() {}
    }

    /// The name under which VanOrb holds its lines: a running daemon does not count as busy.
    private static let ownName = "vanorb"

    private let probes: Probes

    package init(probes: Probes = Probes()) { self.probes = probes }

    /// What is missing or in use, in the order of the board file. A recorded board has no hardware to check.
    package func findings(of board: Board) -> [Finding] {
        guard !board.isRecorded else { return [] }
        var findings: [Finding] = []
        if let microphone = board.microphone {
            findings += sound("microphone", microphone.device, true, "arecord -L", board)
        }
        if let speaker = board.speaker {
            findings += sound("speaker (media)", speaker.media, false, "aplay -L", board)
            if speaker.speech != speaker.media {
                findings += sound("speaker (speech)", speaker.speech, false, "aplay -L", board)
            }
        }
        findings += mixer(board)
        if let line = board.button { findings += self.line("button", line) }
        if let line = board.motor?.line { findings += self.line("motor", line) }
        if let ring = board.ring {
            do { try probes.ring(ring) } catch { findings.append(finding("ring", error)) }
            for line in ring.lines { findings += self.line("ring", line) }
        }
        return findings
    }

    private func line(_ part: String, _ line: GPIOLine) -> [Finding] {
        do {
            guard let user = try probes.user(line), user != Self.ownName else { return [] }
            let holder = user.isEmpty ? "the kernel" : "“\(user)”"
            return [
                Finding(
                    part: part, problem: "\(holder) uses GPIO \(line.wording).",
                    remedy: "Stop it, remove its overlay, or name another line in the board file.")
            ]
        } catch { return [finding(part, error)] }
    }

    private func sound(
        _ part: String, _ device: String, _ isCapture: Bool, _ lister: String, _ board: Board
    ) -> [Finding] {
        do {
            try probes.sound(device, isCapture, board.alsa)
            return []
        } catch {
            return [
                Finding(
                    part: part, problem: "can't open the sound device “\(device)”: \(error).",
                    remedy: "Name one that `\(lister)` lists in the board file.")
            ]
        }
    }

    private func mixer(_ board: Board) -> [Finding] {
        guard let mixer = board.speaker?.mixer else { return [] }
        return (mixer.outputs.map(\.control) + mixer.ducking.map(\.control)).compactMap { control in
            do {
                try probes.mixer(control, board.alsa)
                return nil
            } catch {
                return Finding(
                    part: "mixer", problem: "no volume control \(control): \(error).",
                    remedy: "Name one that `amixer -D \(control.card) scontrols` lists.")
            }
        }
    }

    /// Errors of lines and buses include their advice.
    private func finding(_ part: String, _ error: any Error) -> Finding {
        Finding(part: part, problem: "\(error)", remedy: "")
    }
}
