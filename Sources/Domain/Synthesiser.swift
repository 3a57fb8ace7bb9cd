/// How the voice sounds.
public struct VoiceSettings: Sendable, Equatable {
    /// The owner's voice by its name in the synthesiser's list, tried before all others; nil for the standard order.
    public var voice: String?
    /// 0…1: 80, 175 and 350 words a minute at 0, 0.5 and 1, linear between.
    public var rate: Double
    /// 0…2; 1.0 is the voice's own pitch.
    public var pitch: Double
    /// 0…2; 1.0 is the voice's own loudness.
    public var volume: Double

    /// The specification's defaults.
    public init(voice: String? = nil, rate: Double = 0.5, pitch: Double = 1.0, volume: Double = 1.0) {
        self.voice = voice
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
    }

    /// The rate in words a minute, as the synthesiser wants it.
    public var wordsPerMinute: Int {
        let clamped = min(max(rate, 0), 1)
        return clamped <= 0.5
            ? Int((80 + (175 - 80) * clamped / 0.5).rounded())
            : Int((175 + (350 - 175) * (clamped - 0.5) / 0.5).rounded())
    }
}

/// Where a word begins in a sentence's sound and in its text.
public struct WordMark: Sendable, Equatable {
    /// The word's first sample.
    public let sample: Int
    /// The word's first character, counted in `Character`s of the sentence.
    public let textOffset: Int
    /// The word's length in `Character`s.
    public let textLength: Int

    /// A mark at `sample` for the word at `textOffset`.
    public init(sample: Int, textOffset: Int, textLength: Int) {
        self.sample = sample
        self.textOffset = textOffset
        self.textLength = textLength
    }
}

/// A sentence made audible.
public struct SynthesisedSentence: Sendable, Equatable {
    /// The sentence as written.
    public let text: String
    /// Its sound.
    public let sound: Sound
    /// Its words in order.
    public let words: [WordMark]

    /// A sentence with its sound and the places of its words.
    public init(text: String, sound: Sound, words: [WordMark]) {
        self.text = text
        self.sound = sound
        self.words = words
    }
}

/// Turns text into speech.
public protocol Synthesiser: Sendable {
    /// Speaks one sentence into memory. A text without anything to say gives a sentence without samples.
    /// - Throws: the library's error when no voice can be had.
    func synthesise(_ sentence: String, voice: VoiceSettings) async throws -> SynthesisedSentence
}

/// Tells how words are pronounced, for the recogniser's dictionary.
public protocol Phonemiser: Sendable {
    /// The pronunciations of `words` as ARPAbet phones of the CMU set without stress marks ("AH", "K"), each word with
    /// one or more variants (American and British). A word that cannot be pronounced is missing from the answer.
    func pronunciations(of words: [String]) async throws -> [String: [[String]]]
}

/// One step of the order in which voices are tried.
public enum VoiceChoice: Sendable, Equatable {
    /// The voice of this name, file, or language, whatever its case; a file may be given without its folder.
    case named(String)
    /// A voice whose language is exactly this one.
    case language(String)
    /// A voice whose language is this one or a dialect of it.
    case languageFamily(String)
}
