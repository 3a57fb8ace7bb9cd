import Domain
import Foundation

/// Whether microphone and speaker can be used, known before they are needed.
extension Conversation {
    /// Opens the sound devices and closes them at once, and tells `Health` how they are. Never while anything goes on:
    /// what is being heard or spoken shows by itself how the devices are.
    /// - Parameter onlyTroubled: true to look at those alone that did not work when they were last used.
    public func probe(onlyTroubled: Bool) async {
        for part in SoundPart.allCases where !onlyTroubled || parts.health.isTroubled(part.rawValue) {
            guard isIdle else { return }
            let turn = machine.turn, number = speech
            let failure = await failure(of: part)
            // Somebody may have pressed meanwhile; the turn knows better.
            guard isIdle, turn == machine.turn, number == speech else { return }
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

    private var isIdle: Bool { (machine.state == .closed || machine.state == .ready) && sample == nil }

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

    /// What follows from a reply that was not spoken to its end: watchers have its text already.
    func speakingFailed(_ error: any Error) {
        logger.error("the reply was not spoken: \(error)")
        if let failure = error as? DeviceFailure {
            parts.health.report(.speaker, failure)
            emit(.notice(text("speaker.\(failure.reason.rawValue)")))
        } else {
            parts.health.report(
                "voice", .failed, "\(error)", advice: "install espeak-ng-data; replies are shown meanwhile")
            emit(.notice(text("speaker.no_voice")))
        }
    }

    /// Both the voice and the device did their work.
    func speakingWorked() {
        parts.health.report("speaker", .ok, "spoke the last reply")
        if parts.health.isTroubled("voice") { parts.health.report("voice", .ok, "spoke the last reply") }
    }

    /// How the last chime went; nothing is said of what has always worked.
    func chimed(_ failure: (any Error)?) {
        if let failure = failure as? DeviceFailure {
            parts.health.report(.chimes, failure)
        } else if failure == nil, parts.health.isTroubled("chimes") {
            parts.health.report("chimes", .ok, "sounded at the last press")
        }
    }
}
