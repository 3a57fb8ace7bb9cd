import Domain
import Foundation
import Logging

/// Whether the parts that the session needs can be used, known before they are needed, and what the ring shows of it.
@DialogueActor
package final class PartsMonitor {
    private let parts: ConversationParts
    private let port: SessionPort
    private let output: SpeechOutput
    private let elapsed: @Sendable () -> Duration
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var judge = TroubleJudge()
    /// The next look at the parts where time alone may change what is shown.
    private var lookingAgain: Task<Void, Never>?

    nonisolated init(
        _ parts: ConversationParts, port: SessionPort, output: SpeechOutput,
        elapsed: @escaping @Sendable () -> Duration,
        clock: any Clock<Duration>, logger: Logger
    ) {
        self.parts = parts
        self.port = port
        self.output = output
        self.elapsed = elapsed
        self.clock = clock
        self.logger = logger
    }

    // MARK: trouble

    /// Shows trouble as it comes and goes, until the task is cancelled.
    func followTrouble(_ changes: AsyncStream<Void>) async {
        for await _ in changes { judgeTrouble() }
        lookingAgain?.cancel()
    }

    /// Reports the worst trouble there is to the machine, and looks again when waiting alone may make it worse.
    func judgeTrouble() {
        let now = elapsed()
        let (trouble, again) = judge.judge(parts.health.all, at: now)
        port.receive(.trouble(trouble))
        lookingAgain?.cancel()
        lookingAgain = again.map { time in
            let clock = clock
            return Task {
                guard (try? await clock.sleep(for: time - now)) != nil, !Task.isCancelled else { return }
                self.judgeTrouble()
            }
        }
    }

    // MARK: sound devices

    /// Opens the sound devices and closes them at once, and reports to `Health` how they are. Never while anything goes
    /// on: what is being heard or spoken shows by itself how the devices are.
    /// - Parameter onlyTroubled: true to look at those alone that did not work when they were last used.
    package func probe(onlyTroubled: Bool) async {
        for part in SoundPart.allCases where !onlyTroubled || parts.health.isTroubled(part.rawValue) {
            guard isIdle else { return }
            let turn = port.turnNumber, speech = output.count
            let failure = await failure(of: part)
            // Somebody may have pressed meanwhile; the turn knows better.
            guard isIdle, turn == port.turnNumber, speech == output.count else { return }
            if let failure {
                parts.health.report(part, failure)
            } else if parts.health.isTroubled(part.rawValue) {
                logger.info("\(part.rawValue): works again")
                parts.health.report(part.rawValue, .ok, "can be opened again")
            } else if !onlyTroubled {
                parts.health.report(part.rawValue, .ok, "can be opened")
            }
        }
    }

    private var isIdle: Bool { (port.phase == .closed || port.phase == .ready) && !output.isPlayingSample }

    private func failure(of part: SoundPart) async -> DeviceFailure? {
        do {
            switch part {
            case .microphone:
                guard let microphone = parts.microphone else { return Self.notNamed(part) }
                try await microphone.probe()
            case .speaker:
                guard let speaker = parts.speaker else { return Self.notNamed(part) }
                try await speaker.probe(.speech)
            case .chimes:
                guard let speaker = parts.speaker else { return Self.notNamed(part) }
                try await speaker.probe(.media)
            }
            return nil
        } catch {
            return error as? DeviceFailure
                ?? DeviceFailure(device: part.rawValue, reason: .unusable, detail: "\(error)")
        }
    }

    private static func notNamed(_ part: SoundPart) -> DeviceFailure {
        DeviceFailure(device: part.rawValue, reason: .missing, detail: "the board file names none")
    }
}
