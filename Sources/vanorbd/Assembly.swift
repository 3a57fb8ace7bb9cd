import Domain
import Configuration
import Language
import Devices
import Handlers
import Dialogue
import AudioALSA
import BusMosquitto
import Control
import Foundation
import IntentLinear
import Logging
import PanelGPIO
import PositionGPSD
import ServiceLifecycle
import Setup
import SoundFiles
import SpeechPocketSphinx
import StoreSQLite
import VoiceESpeak

/// All wiring: which room stands behind which seam. Nothing decides anything here.
struct Assembly: Sendable {
    let source: SettingsSource
    let settings: Settings
    let board: Board
    let logger: Logger
    /// True where everything is put together to see whether it can be, and nothing is to be used.
    var isCheck = false
    let health = Health()
    let hub = WatchHub()

    /// Puts the appliance together.
    /// - Throws: `ConfigurationError` where a file of the owner's is at fault; everything else that is missing is
    ///   done without and reported.
    func build() async throws -> Appliance {
        let books = try Phrasebooks(
            folder: LanguageFolder(language: settings.language, root: LanguageFolder.shippedRoot),
            customFiles: Phrasebooks.customFiles(in: settings.phrases))
        report(books)
        let classifierKeeper = ClassifierService(settings: settings, books: books, health: health, logger: logger)
        let vanFile = try vanFile(), devices = vanFile.devices
        let clock = KernelClock.clock(hasClockChip: board.hasClockChip)
        let backupRoom = BackupService(settings: settings)
        let storeRoom = StoreService(
            folder: settings.data, backups: backupRoom.backups, second: backupRoom.second, clock: clock, health: health,
            logger: logger)
        let (stores, store) = try isCheck ? StoreService.forNobody() : storeRoom.open()
        let clockKeeper = ClockMonitor(clock: clock, stores: stores, health: health, logger: logger)
        await clockKeeper.begin()
        let diskKeeper = DiskMonitor(folder: settings.data, health: health, logger: logger, reading: DataDisk.space)
        diskKeeper.look()
        let bus = bus(for: devices)
        let presence = settings.presencePrefix.map {
            HubPresence(prefix: $0, version: Release.version, takesInputs: settings.takesInputs)
        }
        let connects = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let van = Van(
            devices: devices, conventions: settings.conventions, adjustments: vanFile.adjustments, presence: presence,
            scenes: vanFile.scenes, modes: vanFile.modes, bus: bus,
            confirmationLimit: settings.confirmation, logger: logger,
            onConnection: { [health] event in
                switch event {
                case .connected:
                    health.report("broker", .ok, "connected")
                    connects.continuation.yield()
                case .disconnected(let reason):
                    health.report(
                        "broker", .failed, reason, advice: "check that mosquitto runs and the settings under mqtt")
                case .message: break
                }
            })
        let receiver = receiver()
        let context = HandlerContext(
            stores: stores, van: van, bus: bus, position: receiver, places: places(), books: books,
            homeCurrency: settings.currency, country: settings.country, distanceUnit: settings.distanceUnit,
            calendar: settings.calendar,
            isTimeCertain: { clock.isCertain })
        let names = await names(context)
        let voiceData = Trials.ofThisProgram("voice", data: settings.data, [Trials.voice, settings.language])
        let voice = ESpeakVoice(
            order: books.speaking.voices, trial: { try voiceData.check(TriedFiles.files(in: $0)) }, logger: logger)
        let recognisers = try Recognisers(
            settings: settings, board: board, normaliser: context.books.normaliser, phonemiser: voice,
            trial: .ofThisProgram { [health, logger] in Self.report($0, health, logger) }, logger: logger)
        if let missing = recognisers.missing {
            let isWanted = settings.engine == .moonshine
            let isBroken =
                isWanted
                || settings.engine != .pocketsphinx
                    && FileManager.default.fileExists(atPath: settings.constrainedRecogniser)
            health.report(
                "constrained recogniser", isWanted ? .failed : isBroken ? .warning : .ok,
                "\(isBroken ? "cannot be used" : "not there"), the streaming recogniser hears alone: \(missing)",
                advice: isBroken ? "get its files again with deploy/second-ear" : nil)
        } else if !isCheck {
            health.report(
                "constrained recogniser", .ok, "being checked; the streaming recogniser hears alone meanwhile")
        }
        let ownPanel = panel()
        let panel = WatchedPanel(ownPanel, hub: hub), sound = SoundMonitor(assembly: self)
        let parts = ConversationParts(
            panel: panel, microphone: recognisers.microphone,
            speaker: board.speaker.map {
                ALSASpeaker(
                    media: $0.media, speech: $0.speech, configuration: board.alsa,
                    buffering: .init(periodSize: $0.period, bufferSize: $0.buffer, isPaced: $0.isPaced),
                    logger: logger)
            },
            synthesiser: voice, recogniser: recognisers.recogniser, hearing: recognisers.hearing,
            classifier: await classifierKeeper.load(), context: context, chimes: recognisers.chimes,
            ducking: sound.ducker,
            health: health)
        let isMuted = (try? await stores.kept.value("muted")) == "true"
        // A store that is lost cannot tell; nobody wants the introduction then.
        let isNew = await Self.isNew(stores)
        var talk = settings.conversation(on: board)
        talk.voice = await VoiceSettings.kept(in: stores.kept, otherwise: talk.voice)
        let traceLog = TraceLog(folder: settings.data, health: health, logger: logger)
        if !isCheck { traceLog.keep(settings.traceMegabytes) }
        let hub = hub, changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let conversation = Conversation(
            parts: parts, settings: talk, isMuted: isMuted, introduces: isNew, names: names, logger: logger
        ) { event in
            if let event = WatchEvent(event) { hub.publish(event) }
            if case .turn(let trace) = event { traceLog.write(trace) }
            switch event {
            case .status, .turn, .changed: changes.continuation.yield()
            default: break
            }
        }
        let words = WordCalls(
            conversation: conversation, context: context,
            guide: PronunciationGuide(modelFolder: settings.acousticModel, phonemiser: voice), voice: voice)
        let service = presence.map {
            PresenceService(
                presence: $0, connects: connects.stream, conversation: conversation, context: context, changes: changes,
                logger: logger)
        }
        return Appliance(
            presence: service, source: source, settings: settings, board: board, conversation: conversation,
            context: context,
            store: store, bus: bus,
            van: van, receiver: receiver, voice: voice, recogniser: recognisers.streamingRecogniser, words: words,
            sound: sound, clockKeeper: clockKeeper, diskKeeper: diskKeeper, classifierKeeper: classifierKeeper,
            health: health, hub: hub, traceLog: traceLog, logger: logger, storeRoom: storeRoom,
            backupRoom: backupRoom, ringPanel: ownPanel as? GPIOPanel)
    }

    /// Tells whether the constrained recogniser has joined.
    private static func report(_ failure: (any Error)?, _ health: Health, _ logger: Logger) {
        guard let failure else { return health.report("constrained recogniser", .ok, "it decides what was said") }
        logger.error("constrained recogniser not used: \(failure)")
        health.report(
            "constrained recogniser", .warning, "cannot be used, the streaming recogniser hears alone: \(failure)",
            advice: "get its files again with deploy/second-ear, and restart")
    }

    private static func isNew(_ stores: Stores) async -> Bool {
        do { return try await stores.kept.value(Conversation.introduced) == nil } catch { return false }
    }

    /// A van may well have no receiver: unless one is asked for, its absence is no fault.
    private func receiver() -> GPSDPosition? {
        guard settings.receiver != .off else { return nil }
        let isRequired = settings.receiver == .required
        let address = "\(settings.receiverHost):\(settings.receiverPort)"
        health.report("position", .ok, "no gpsd at \(address) yet")
        let told: @Sendable (GPSDPosition.State) -> Void = { [health, logger] state in
            switch state {
            case .connected:
                logger.info("gpsd answers at \(address)")
                health.report("position", .ok, "gpsd at \(address)")
            case .disconnected(let reason) where isRequired:
                health.report(
                    "position", .failed, reason, advice: "check that gpsd runs and the settings under position")
            case .disconnected(let reason):
                logger.debug("no gpsd: \(reason)")
                health.report("position", .ok, "no gpsd at \(address)")
            }
        }
        return GPSDPosition(
            host: settings.receiverHost, port: settings.receiverPort, logger: logger, onState: told)
    }

    private func report(_ books: Phrasebooks) {
        for problem in books.problems {
            logger.error("\(problem)")
            health.report("phrasebook \(problem.file)", .failed, "\(problem)", advice: "mend the file and restart")
        }
        health.report("phrasebooks", .ok, "\(books.phraseCount) phrases in \(books.books.count) files")
    }

    private func vanFile() throws -> VanFile {
        guard FileManager.default.fileExists(atPath: settings.devices) else {
            health.report(
                "devices", .ok, "there is no \(settings.devices); what describes itself on the bus is known")
            return VanFile()
        }
        let file = try DeviceFile.read(ConfigurationNode(contentsOf: settings.devices))
        health.report("devices", .ok, "\(file.devices.count) devices")
        return file
    }

    private func bus(for devices: [Device]) -> MosquittoBus? {
        guard var configuration = settings.broker else {
            health.report("broker", .warning, "turned off in the settings (mqtt.enabled)")
            return nil
        }
        configuration.session.subscriptions = Van.subscriptions(of: devices)
        do {
            health.report("broker", .warning, "not connected yet")
            return try MosquittoBus(configuration: configuration, logger: logger)
        } catch {
            logger.error("MQTT: \(error)")
            health.report("broker", .failed, "\(error)", advice: "check the settings under mqtt")
            return nil
        }
    }

    private func names(_ context: HandlerContext) async -> OwnerNames {
        await Conversation.readableNames(context) { [logger] in
            logger.error("some of the owner's names cannot be read: \($0)")
        }
    }

    /// Without the towns everything works, but places have no names, and the setting's country counts everywhere.
    private func places() -> Places? {
        do {
            let places = try Places(contentsOf: settings.places)
            health.report("places", .ok, "\(places.count) towns")
            return places
        } catch {
            logger.warning("no place names: \(error)")
            health.report(
                "places", .warning, "\(error); places are told by coordinates alone",
                advice: "install libgeonames0 and libglib2.0-bin, then: gresource extract "
                    + "/usr/lib/*/libgeonames.so.0 /com/lomiri/geonames/cities.compiled > \(settings.places)")
            return nil
        }
    }

    /// Every part of the panel may be missing, and comes back by itself.
    private func panel() -> any Panel {
        if isCheck { return RecordedPanel() }
        if board.isRecorded {
            health.report("panel", .ok, "recorded (\(board.name))")
            return RecordedPanel()
        }
        let wanted = GPIOPanelConfiguration(button: board.button, motor: board.motor, ring: settings.ring(of: board))
        for (part, isThere) in [
            (PanelPart.button, wanted.button != nil), (.motor, wanted.motor != nil), (.ring, wanted.ring != nil),
        ] {
            health.report(part.rawValue, .ok, isThere ? "not opened yet" : "this board has none")
        }
        return GPIOPanel(configuration: wanted, logger: logger) { [health] part, state in
            switch state {
            case .ok: health.report(part.rawValue, .ok, "there")
            case .polled: health.report(part.rawValue, .ok, "there, polled: its line reports no edges")
            case .failed(let problem):
                health.report(
                    part.rawValue, .failed, problem, advice: "check the board file and the wiring: vanorbd --check")
            }
        }
    }
}
