import Domain
import Language
import Foundation

/// What the session shows on panel and watchers, beside what it says: the ring's look and colours, pulses, chimes, the
/// status line, examples of what to say, and whether other programs are quiet.
@DialogueActor
package final class Presentation {
    private let panel: any Panel
    private let ducking: (any Ducking)?
    private let chimes: [Chime: Sound]
    private let replies: Replies
    private let output: SpeechOutput
    private let port: SessionPort
    private let clock: any Clock<Duration>
    private let hints: [String]
    private var nextHint = 0
    /// Whether watchers are shown an example of what to say.
    private var showsHint = false
    private var isDucking = false
    /// The colours of the last reply.
    var palette = Palette.standard

    nonisolated init(_ parts: ConversationParts, output: SpeechOutput, port: SessionPort, clock: any Clock<Duration>) {
        panel = parts.panel
        ducking = parts.ducking
        chimes = parts.chimes
        replies = parts.context.replies
        hints = parts.context.books.hints
        self.output = output
        self.port = port
        self.clock = clock
    }

    func show(_ look: RingLook) {
        panel.show(look, palette: palette)
        // A turn goes on: an example of what to say would stand there until its end.
        if port.phase == .thinking || port.phase == .speaking, showsHint { removeHint() }
        port.emit(.look(look, palette))
        showStatus()
    }

    /// Reports the state, with the words so far in place of its own line.
    func showStatus(line: String? = nil) {
        let phase = port.phase
        port.emit(.status(phase, line: line ?? statusLine(phase), isMuted: port.isMuted))
    }

    private func statusLine(_ phase: ConversationMachine.Phase) -> String {
        let key =
            switch phase {
            case .closed, .ready: port.isMuted ? "muted" : "ready"
            case .listening: "listening"
            case .thinking: "thinking"
            case .speaking: "speaking"
            }
        return replies("status.\(key)").written
    }

    func pulse(_ haptic: Haptic) {
        panel.pulse(haptic)
        port.emit(.pulse(haptic))
    }

    /// Sounds a chime.
    /// - Parameter onSound: called when the device has taken its first samples.
    func sound(_ chime: Chime, onSound: @escaping @DialogueActor @Sendable () -> Void) {
        port.emit(.chime(chime))
        output.chime(chimes[chime], onSound: onSound)
    }

    /// Other programs are quiet exactly while the microphone is open for the owner.
    func followDucking(isListening: Bool) {
        guard let ducking, isListening != isDucking else { return }
        isDucking = isListening
        isListening ? ducking.duck() : ducking.restore()
    }

    /// Gives other programs their volume back, and returns when it is done.
    func endDucking() async {
        ducking?.restore()
        await ducking?.settled()
    }

    // MARK: examples of what to say

    /// Shows an example while nothing goes on, another every few seconds, until the task is cancelled.
    func rotateHints() async {
        guard !hints.isEmpty else { return }
        while !Task.isCancelled {
            if port.phase == .closed || port.phase == .ready {
                port.emit(.hint(hints[nextHint % hints.count]))
                showsHint = true
                nextHint += 1
            }
            guard (try? await clock.sleep(for: .seconds(5))) != nil else { return }
        }
    }

    /// Takes the example away.
    func removeHint() {
        showsHint = false
        port.emit(.hint(""))
    }
}
