import Dialogue
import Domain
import Foundation
import Setup
import SpeechPocketSphinx
import VoiceESpeak

extension Appliance {
    /// Between two tries to recover what cannot be heard or spoken with.
    private static let retryTime = Duration.seconds(10)
    /// More than the words take to learn on the slowest board, and less than systemd waits for the start; more than the
    /// voice takes after that.
    private static let recogniserPatience = Duration.seconds(60), voicePatience = Duration.seconds(5)

    private var recogniser: PocketSphinxRecogniser { peripherals.recognisers.streamingRecogniser }

    /// Prepares what takes longest, the recogniser and the voice, at the same time. What hangs goes on by itself: typed
    /// words, devices and emergencies do not wait for it.
    func prepareSpeech() async {
        let voice = Task { await prepareVoice() }
        let hearing = Task {
            async let devices: Void = conversation.services.monitor.probe(onlyTroubled: false)
            await beginHearing()
            await devices
        }
        let clock = ContinuousClock()
        _ = await withTimeout(Self.recogniserPatience, clock: clock) { await hearing.value }
        _ = await withTimeout(Self.voicePatience, clock: clock) { await voice.value }
        ProcessFacts.giveBackMemory()
    }

    /// Trains the classifier on the owner's own commands, where they are new.
    func trainClassifier() async {
        await addHint()
        guard let model = await dialogue.classifier.refresh() else { return }
        await conversation.services.vocabulary.use(model)
        ProcessFacts.giveBackMemory()
        await addHint()
    }

    /// Loads the semantic hint, where its encoder is installed.
    private func addHint() async {
        guard let classifier = await dialogue.classifier.withHint() else { return }
        await conversation.services.vocabulary.use(classifier)
        ProcessFacts.giveBackMemory()
    }

    /// Hears as soon as it can: with the vocabulary of before, where the present one takes long to learn. On a small
    /// board that is ten seconds and more, after each change of the owner's devices or of the phrasebooks.
    private func beginHearing() async {
        guard await conversation.services.vocabulary.resumeRecogniser() else { return await prepareHearing() }
        health.report("recogniser", .ok, "\(recogniser.name); learning what is new since the last start")
        Task.detached(priority: .utility) { await prepareHearing() }
    }

    private func prepareHearing() async {
        do {
            try await conversation.services.vocabulary.prepareRecogniser()
            let odd = await recogniser.unpronounceable
            health.report(
                "recogniser", odd.isEmpty ? .ok : .warning,
                odd.isEmpty
                    ? recogniser.name : "\(recogniser.name); no pronunciation for: \(odd.joined(separator: ", "))",
                advice: odd.isEmpty ? nil : "Say how they sound: vanorb words set WORD \"sounds like\"")
        } catch {
            logger.error("recogniser: \(error)")
            health.report(
                "recogniser", .failed, "\(error)",
                advice: "Install the acoustic model (Debian: pocketsphinx-en-us). Typed commands work meanwhile.")
        }
    }

    private func prepareVoice() async {
        let voice = peripherals.voice
        do {
            let name = try await voice.voiceInUse(owners: conversation.services.profile.voice.voice)
            // The first sentence of a process loads the voice; better now than in the first reply.
            _ = try await voice.synthesise("Ready.", voice: conversation.services.profile.voice)
            health.report("voice", .ok, name)
        } catch {
            logger.error("voice: \(error)")
            health.report(
                "voice", .failed, "\(error)", advice: "Install espeak-ng-data. Replies are shown meanwhile.")
        }
    }

    /// Tries again while the recogniser is missing, so that it recovers by itself when the cause goes.
    func recoverHearing() async {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: Self.retryTime)) != nil else { return }
            if hasFailed("recogniser") { await prepareHearing() }
        }
    }

    /// Probes again what cannot be heard or spoken with, so that doctor and ring are right before the next press.
    func recoverSound() async {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: Self.retryTime)) != nil else { return }
            await conversation.services.monitor.probe(onlyTroubled: true)
            if hasFailed("voice") { await prepareVoice() }
        }
    }

    private func hasFailed(_ part: String) -> Bool {
        health.all.contains { $0.name == part && $0.state == .failed }
    }
}
