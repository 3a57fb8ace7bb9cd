import Control
import Dialogue
import Domain
import Handlers
import Setup
import SpeechPocketSphinx

/// Builder 5 of 5: what understands and answers, on top of the other four.
struct DialogueParts: Sendable {
    let context: HandlerContext
    let classifier: ClassifierService
    let conversation: Conversation
    let words: WordCalls
    /// Nil where the settings turn it off.
    let presence: PresenceService?

    init(
        _ environment: DaemonEnvironment, _ files: OwnerFiles, _ storage: Storage, _ connection: VanConnection,
        _ peripherals: Peripherals
    ) async {
        let settings = environment.settings, logger = environment.logger, clock = storage.clock
        context = HandlerContext(
            stores: storage.stores, van: connection.van, bus: connection.bus,
            location: LocationSources(receiver: connection.receiver, places: connection.places),
            environment: HandlerEnvironment(
                books: files.books,
                region: RegionalSettings(
                    currency: settings.currency, country: settings.country, distanceUnit: settings.distanceUnit,
                    calendar: settings.calendar),
                time: WallTime(isCertain: { clock.isCertain })))
        let (names, failures) = await OwnerNamesReader.readableNames(context)
        for failure in failures { logger.error("some of the owner's names cannot be read: \(failure)") }
        classifier = ClassifierService(
            settings: settings, books: files.books, health: environment.health, isCheck: environment.isCheck,
            logger: logger)
        let recognisers = peripherals.recognisers
        let parts = ConversationParts(
            panel: peripherals.panel, microphone: recognisers.microphone, speaker: peripherals.speaker,
            synthesiser: peripherals.voice, recogniser: recognisers.recogniser, hearing: recognisers.hearing,
            classifier: await classifier.load(), context: context, chimes: recognisers.chimes,
            ducking: peripherals.sound.ducker, health: environment.health)
        let kept = storage.stores.kept
        var talk = settings.conversation(on: environment.board)
        talk.voice = await VoiceSettings.kept(in: kept, otherwise: talk.voice)
        let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let hub = environment.hub, traceLog = storage.traceLog
        let start = SessionStart(
            names: names, isMuted: (try? await kept.value("muted")) == "true", introduces: await Self.isNew(kept))
        conversation = await Conversation(
            parts: parts, settings: talk, start: start, logger: logger
        ) { event in
            if let event = WatchEvent(event) { hub.publish(event) }
            if case .turn(let trace) = event { traceLog.write(trace) }
            switch event {
            case .status, .turn, .changed: changes.continuation.yield()
            default: break
            }
        }
        let guide = PronunciationGuide(modelFolder: settings.acousticModel, phonemiser: peripherals.voice)
        words = WordCalls(
            conversation: conversation, context: context, guide: guide, voice: peripherals.voice)
        presence = connection.presence.map { [context, conversation] presence in
            PresenceService(
                presence: presence, connects: connection.connects, conversation: conversation, context: context,
                changes: changes, logger: logger)
        }
    }

    /// Whether the introduction was never spoken. Where the store cannot say, nobody wants to hear it.
    private static func isNew(_ kept: any KeptValueStore) async -> Bool {
        do { return try await kept.value(Conversation.introduced) == nil } catch { return false }
    }
}
