import Domain
import Foundation
import Logging
import Synchronization
import Threads

/// How a playback device is opened and fed.
struct PlaybackSettings: Sendable {
    let device: String
    let configuration: ALSAConfiguration
    let buffering: PlaybackBuffering
    let logger: Logger
}

/// Plays on its thread: opens the device, writes the sounds as they arrive, reports what has been heard, closes it.
final class PlaybackPump: Sendable {
    /// How often it checks for new sounds, progress and a request to stop, in milliseconds.
    private static let tick: Int32 = 5
    /// How long a device may be busy: a card that one program can open plays the end of a chime before a reply.
    private static let busyLimit = Duration.milliseconds(500)

    /// Ends when the device has taken the first samples, or with the failure to.
    let started = Handoff<Bool>(capacity: 1)
    /// Gets one element at the end: true when all was played, false when it was stopped; or the failure.
    let ended = Handoff<Bool>(capacity: 1)

    private let settings: PlaybackSettings
    private let queue = Mutex<(sounds: [Sound], isComplete: Bool)>(([], false))
    private let underruns: Underruns
    private let played: @Sendable (_ sound: Int, _ samples: Int) -> Void

    init(
        _ settings: PlaybackSettings, underruns: Underruns, played: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
    ) {
        self.settings = settings
        self.underruns = underruns
        self.played = played
    }

    /// Adds a sound.
    func append(_ sound: Sound) { queue.withLock { $0.sounds.append(sound) } }

    /// No more sounds come.
    func complete() { queue.withLock { $0.isComplete = true } }

    /// The thread's body.
    func run(on thread: PumpThread) {
        do {
            // In a function, so that the device is closed before the end is reported.
            ended.offer(try play(on: thread))
            ended.finish()
            started.finish()
        } catch {
            let failure = (error as? ALSAError)?.failure(of: settings.device, whileRunning: true) ?? error
            ended.finish(throwing: failure)
            started.finish(throwing: failure)
        }
    }

    private func play(on thread: PumpThread) throws -> Bool {
        let pcm: PCM
        do {
            guard
                let opened = try PCM.patient(
                    device: settings.device, direction: .playback, configuration: settings.configuration,
                    limit: Self.busyLimit, on: thread)
            else { return false }
            pcm = opened
        } catch {
            throw error.failure(of: settings.device, whileRunning: false)
        }
        var voice = PlaybackVoice(pcm: pcm, settings: settings, underruns: underruns, played: played)
        while !thread.shouldStop {
            let (sound, isComplete) = queue.withLock { queue in
                (queue.sounds.isEmpty ? nil : queue.sounds.removeFirst(), queue.isComplete)
            }
            if let sound {
                try voice.play(sound, on: thread) { self.started.offer(true) }
            } else if isComplete {
                if try voice.finish(on: thread) { return true }
            } else {
                try voice.report()
                _ = thread.wait(until: .now + .milliseconds(Int(Self.tick)))
            }
        }
        try? voice.report()
        pcm.drop()
        return false
    }
}

/// Counts the playback devices' underruns.
final class Underruns: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
