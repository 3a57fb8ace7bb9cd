import Domain
import AudioPipeline
import Handlers
import Language
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
    /// The recogniser; nil where none can be had.
    public var recogniser: (any Recogniser)?
    /// The audio chain between the microphone and the recogniser.
    public var hearing: Hearing
    /// The classifier; nil for strict routing.
    public var classifier: (any IntentClassifier)?
    /// What handlers work with; the language is in it.
    public var context: HandlerContext
    /// The chimes' sounds.
    public var chimes: [Chime: Sound]
    /// Where it tells how microphone, recogniser and speaker are.
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

/// How a session starts after a restart of the daemon.
public struct SessionStart: Sendable {
    /// True where the microphone is to stay closed.
    public var isMuted = false
    /// True where no session was ever opened by the button: the first one speaks the introduction.
    public var introduces = false

    /// The owner's names, as they were read.
    public var names: OwnerNames

    /// A session of a van that is known and not muted, unless said otherwise.
    public init(names: OwnerNames, isMuted: Bool = false, introduces: Bool = false) {
        self.names = names
        self.isMuted = isMuted
        self.introduces = introduces
    }
}
