import Foundation
import Logging

/// The rooms that a conversation needs, put together by the assembly. What is missing does without.
public struct ConversationParts: Sendable {
    /// The panel.
    public var panel: any Panel
    /// The microphone; nil where the board has none.
    public var microphone: (any Microphone)?
    /// The speaker; nil where the board has none.
    public var speaker: (any Speaker)?
    /// Lowers other programs' audio while listening; nil where the board file names nothing to lower.
    public var ducking: (any Ducking)?
    /// The voice; nil where none can be had.
    public var synthesiser: (any Synthesiser)?
    /// The ear; nil where none can be had.
    public var recogniser: (any Recogniser)?
    /// The audio chain between the microphone and the ear.
    public var hearing: Hearing
    /// The classifier; nil for strict routing.
    public var classifier: (any IntentClassifier)?
    /// What handlers work with; the language is in it.
    public var context: HandlerContext
    /// The chimes' sounds.
    public var chimes: [Chime: Sound]
    /// Where it tells how microphone, ear and speaker are.
    public var health: Health

    /// A conversation's parts.
    public init(
        panel: any Panel, microphone: (any Microphone)?, speaker: (any Speaker)?, synthesiser: (any Synthesiser)?,
        recogniser: (any Recogniser)?, hearing: Hearing, classifier: (any IntentClassifier)?, context: HandlerContext,
        chimes: [Chime: Sound], ducking: (any Ducking)? = nil, health: Health = Health()
    ) {
        self.panel = panel
        self.microphone = microphone
        self.speaker = speaker
        self.ducking = ducking
        self.synthesiser = synthesiser
        self.recogniser = recogniser
        self.hearing = hearing
        self.classifier = classifier
        self.context = context
        self.chimes = chimes
        self.health = health
    }
}

/// What the owner may set about the conversation.
public struct ConversationSettings: Sendable {
    /// The time limits.
    public var limits = ConversationMachine.Limits()
    /// How the button works.
    public var buttonMode = ConversationMachine.ButtonMode.both
    /// What a press does while listening.
    public var tapWhileListening = ConversationMachine.TapWhileListening.submit
    /// When an utterance ends.
    public var endpointer = Endpointer.Settings()
    /// How the voice sounds.
    public var voice = VoiceSettings()
    /// The hours in which the ring is dark and red and replies are spoken low; nil: never by the hour.
    public var night: NightHours?
    /// The share of their loudness, 0…1, that replies have at night.
    public var nightSpeech = 0.6
    /// Whether replies are spoken.
    public var autoSpeak = true
    /// Whether words are shown while they are being said.
    public var partials = true
    /// How many turns the history keeps.
    public var historyLength = 6
    /// Speech that the recogniser is less sure of, 0…1, is not acted on: nothing is forced onto a command.
    public var rejection = 0.45
    /// A yes to something risky that the recogniser is less sure of, 0…1, is asked for again.
    public var certainty = 0.7
    /// Whether commands are acted on and questions asked. False for measuring: each turn ends when it is clear what
    /// would be done, and leaves nothing behind.
    public var acts = true

    /// The specification's defaults.
    public init() {}
}

/// Reads what can be spoken of from the stores and the van.
enum OwnerNamesReader {
    static func names(_ context: HandlerContext) async throws -> OwnerNames {
        var names = OwnerNames()
        names[.device] = VanHandler.deviceNames(context)
        names[.area] = Set(context.van.devices.compactMap(\.area)).sorted().map { OwnerName(name: $0) }
        names[.mode] = ModesHandler.names(context.van)
        names[.scene] = VanHandler.sceneNames(context.van)
        names[.option] = VanHandler.optionNames(context.van)
        names[.item] = try await context.stores.manifest.items().map {
            OwnerName(name: $0.name, aliases: $0.aliases, id: "\($0.id)")
        }
        // Every van has a garage and a glove box, before anything is noted to be in them.
        let places = try await context.stores.manifest.places(), usual = context.books.sampleNames[.place]
        names[.place] = places.map { OwnerName(name: $0) } + usual.filter { !places.contains($0.name) }
        let tasks = try await context.stores.checklist.tasks(list: nil)
        // Those that are done, too: a tick can be taken away.
        names[.task] = tasks.map { OwnerName(name: $0.text, id: "\($0.id)") }
        names[.list] = try await context.stores.checklist.lists().map { OwnerName(name: $0) }
        let trips = try await context.stores.trips.trips()
        names[.trip] = trips.map { OwnerName(name: $0.destination, id: "\($0.id)") }
        let words = try await context.stores.words.ownerWords(language: context.books.language)
        names.pronunciations = words.mapValues { $0.map(\.phones) }
        return names
    }
}
