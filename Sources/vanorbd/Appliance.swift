import Domain
import Devices
import Handlers
import Dialogue
import BusMosquitto
import Control
import Foundation
import Logging
import PanelGPIO
import PositionGPSD
import ServiceLifecycle
import Setup
import SpeechPocketSphinx
import StoreSQLite
import VoiceESpeak

/// The appliance, wired and ready to run.
struct Appliance: Sendable {
    let presence: PresenceService?
    let source: SettingsSource
    let settings: Settings
    let board: Board
    let conversation: Conversation
    let context: HandlerContext
    let store: SQLiteStore?
    let bus: MosquittoBus?
    let van: Van
    let receiver: GPSDPosition?
    let voice: ESpeakVoice
    let recogniser: PocketSphinxRecogniser
    let words: WordCalls
    let sound: SoundMonitor
    let clockKeeper: ClockMonitor
    let diskKeeper: DiskMonitor
    let classifierKeeper: ClassifierService
    let health: Health
    let hub: WatchHub
    let traceLog: TraceLog
    let logger: Logger
    let storeRoom: StoreService
    let backupRoom: BackupService
    /// The board's own panel; nil for a recorded one.
    let ringPanel: GPIOPanel?
    let started = ContinuousClock.now

    /// Between two tries to get the recogniser going.
    private static let retryTime = Duration.seconds(10)

    /// Runs until the process is told to end.
    /// - Parameter claim: the claim to the control socket's path.
    func run(claim: SocketClaim?) async throws {
        reportPriority()
        sound.begin()
        await prepareSpeech()

        let calls = try ControlCalls(appliance: self).table()
        let owner = OwnerLocale(
            timeZone: context.calendar.timeZone.identifier, language: settings.language, country: settings.country,
            currency: settings.currency)
        let server = ControlServer(
            path: settings.run + "/control.sock", version: Release.version, owner: owner, calls: calls, watch: hub,
            alive: { [conversation, van] in
                _ = await conversation.state
                await van.answer()
            }, logger: logger)
        let logger = logger
        var services: [any Service] = [
            Running { try await server.run(claim: claim) { Self.announceReady(logger) } },
            Running { await conversation.run() },
            Running { await keepHearing() },
            Running { await keepSound() },
            Running { await diskKeeper.run() },
            Running { await backupRoom.run(health: health, kept: context.stores.kept) },
        ]
        if let watchdog = watchdog(server: server) { services.append(Running { await watchdog.run() }) }
        if let bus {
            // Ended in reverse: the van before the bus, whose end would end it unbidden, which counts as a failure.
            services.append(Running { try await bus.run() })
            services.append(Running { await van.run() })
            services.append(Running { await followDevices() })
            services.append(Running { await followAlarms() })
            if let presence {
                services.append(Running { await presence.introduce() })
                services.append(Running { await presence.tell() })
                services.append(Running { await presence.listen() })
            }
        }
        if let receiver {
            let log = DriveLog(
                source: receiver, trips: context.stores.trips, places: context.places, logger: logger)
            services.append(Running { await receiver.run() })
            services.append(Running { await log.run() })
        }
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        // Ends by itself when the clock is known, which a service may not, and with this call.
        async let _ = clockKeeper.run()
        async let _ = keepStore()
        // Nobody waits for the end of the training, which takes a minute on a small board.
        Task.detached(priority: .utility) { await learn() }
        try await group.run()
        // Where it begins anew at once, systemd shall not wait for its end.
        if !Rebirth.isUnderWay { SystemdNotify.send("STOPPING=1") }
    }

    /// Gets ready what takes longest, the recogniser and the voice, side by side. What hangs goes on by itself: typed
    /// words, devices and emergencies do not wait for it.
    private func prepareSpeech() async {
        let mouth = Task { await prepareVoice() }
        let recogniser = Task {
            async let devices: Void = conversation.probe(onlyTroubled: false)
            await beginHearing()
            await devices
        }
        let clock = ContinuousClock()
        _ = await withTimeout(Self.recogniserPatience, clock: clock) { await recogniser.value }
        _ = await withTimeout(Self.voicePatience, clock: clock) { await mouth.value }
        ProcessFacts.giveBackMemory()
    }

    /// More than the words take to learn on the slowest board, and less than systemd waits for the start; more than the
    /// voice takes behind that.
    private static let recogniserPatience = Duration.seconds(60), voicePatience = Duration.seconds(5)

    /// Learns the owner's own commands, if they are new.
    private func learn() async {
        guard let model = await classifierKeeper.refresh() else { return }
        await conversation.use(model)
        ProcessFacts.giveBackMemory()
    }

    private static func announceReady(_ logger: Logger) {
        SystemdNotify.ready()
        logger.info("ready")
    }

    /// Hears as soon as it can: with the words of before, where those of now take long to learn. On a small board that
    /// is ten seconds and more, after each change of the owner's devices or of the phrasebooks.
    private func beginHearing() async {
        guard await conversation.resumeRecogniser() else { return await prepareHearing() }
        health.report("recogniser", .ok, "\(recogniser.name); learning what is new since the last start")
        Task.detached(priority: .utility) { await prepareHearing() }
    }

    private func prepareHearing() async {
        do {
            try await conversation.prepareRecogniser()
            let odd = await recogniser.unpronounceable
            health.report(
                "recogniser", odd.isEmpty ? .ok : .warning,
                odd.isEmpty
                    ? recogniser.name : "\(recogniser.name); no pronunciation for: \(odd.joined(separator: ", "))")
        } catch {
            logger.error("recogniser: \(error)")
            health.report(
                "recogniser", .failed, "\(error)",
                advice: "install the acoustic model (Debian: pocketsphinx-en-us); text works meanwhile")
        }
    }

    /// Tries again while the recogniser is missing, so that it recovers by itself when the cause goes.
    private func keepHearing() async {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: Self.retryTime)) != nil else { return }
            let failed = health.all.contains { $0.name == "recogniser" && $0.state == .failed }
            if failed { await prepareHearing() }
        }
    }

    /// Looks again at what cannot be heard or spoken with, so that doctor and ring tell the truth before the next
    /// press.
    private func keepSound() async {
        while !Task.isCancelled {
            guard (try? await Task.sleep(for: Self.retryTime)) != nil else { return }
            await conversation.probe(onlyTroubled: true)
            let hasNoVoice = health.all.contains { $0.name == "voice" && $0.state == .failed }
            if hasNoVoice { await prepareVoice() }
        }
    }

    /// Learns the names of devices that describe themselves.
    private func followDevices() async {
        for await _ in van.deviceChanges.stream {
            let discovered = van.devices.count { $0.origin != Device.ownersOrigin }
            health.report("devices", .ok, "\(van.devices.count) devices, \(discovered) of them discovered")
            await conversation.refreshNames()
            // A vocabulary takes a second to make; devices come by the hundred.
            guard (try? await Task.sleep(for: Self.renaming)) != nil else { return }
        }
    }

    private static let renaming = Duration.seconds(1)

    /// Warns of what sensors report, each on its own: a second one does not wait until the first has been heard.
    private func followAlarms() async {
        await withDiscardingTaskGroup { group in
            for await device in van.alarms.stream { group.addTask { await conversation.alarm(device) } }
        }
    }

    private func prepareVoice() async {
        do {
            let name = try await voice.voiceInUse(owners: conversation.voice.voice)
            // The first sentence of a process loads the voice; better now than in the first reply.
            _ = try await voice.synthesise("Ready.", voice: conversation.voice)
            health.report("voice", .ok, name)
        } catch {
            logger.error("voice: \(error)")
            health.report("voice", .failed, "\(error)", advice: "install espeak-ng-data; replies are shown meanwhile")
        }
    }
}

/// A service that ends when the appliance shall end.
struct Running: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            do { try await body() } catch is CancellationError {}
        }
    }
}
