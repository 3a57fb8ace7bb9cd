import Domain
import Language
import Testing

@testable import VoiceESpeak

@Suite(.serialized) struct VoiceTests {
    private let voice: ESpeakVoice

    init() throws { voice = ESpeakVoice(order: try Self.order(), logger: quiet) }

    /// English as it ships.
    private static func order() throws -> [VoiceChoice] {
        try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot)).speaking.voices
    }

    @Test func sentence_hasWordMarksInOrder_insideTheSound() async throws {
        let text = "Logged 50 pounds for diesel, caf\u{e9} and 👩‍🔧 tools."
        let spoken = try await voice.synthesise(text, voice: VoiceSettings())
        #expect(spoken.sound.sampleRate >= 16_000)
        #expect(spoken.sound.duration > .seconds(1))
        #expect(spoken.words.count >= 6)
        #expect(zip(spoken.words, spoken.words.dropFirst()).allSatisfy { $0.sample <= $1.sample })
        #expect(spoken.words.allSatisfy { (0...spoken.sound.samples.count).contains($0.sample) })
        let characters = Array(text)
        let pieces = spoken.words.map { String(characters[$0.textOffset..<($0.textOffset + $0.textLength)]) }
        for word in ["Logged", "50", "pounds", "caf\u{e9}", "tools"] {
            #expect(pieces.contains { $0.hasPrefix(word) }, "\(word) in \(pieces)")
        }
    }

    @Test func higherRate_shortensTheSound() async throws {
        let text = "The water tank is half full and the battery is at eighty percent."
        func length(_ rate: Double) async throws -> Double {
            try await voice.synthesise(text, voice: VoiceSettings(rate: rate)).sound.duration.seconds
        }
        let (slow, normal, fast) = (try await length(0), try await length(0.5), try await length(1))
        // 80, 175 and 350 words a minute.
        #expect((1.7...2.6).contains(slow / normal))
        #expect((1.6...2.4).contains(normal / fast))
    }

    @Test(arguments: ["", "   ", "...", "\n\u{0}\t"])
    func textWithoutWords_givesNoSound(text: String) async throws {
        let spoken = try await voice.synthesise(text, voice: VoiceSettings())
        #expect(spoken.text == text)
        #expect(spoken.sound.samples.isEmpty)
        #expect(spoken.words.isEmpty)
    }

    @Test func volume_makesItLouder_andZeroSilent() async throws {
        func peak(_ volume: Double) async throws -> Int {
            try await voice.synthesise("hello there", voice: VoiceSettings(volume: volume)).sound.samples
                .map { abs(Int($0)) }.max() ?? 0
        }
        let (none, half, full) = (try await peak(0), try await peak(0.5), try await peak(1))
        #expect(none == 0)
        #expect(full > half)
        #expect(half > 0)
    }

    @Test func standardVoice_isBritish_andAnUnknownChoiceFallsBackToIt() async throws {
        let standard = try await voice.voiceInUse()
        #expect(standard.lowercased().contains("en-gb-x-rp") || standard.contains("mb-en1"))
        let log = LogRecorder()
        let other = ESpeakVoice(order: try Self.order(), logger: log.logger())
        #expect(try await other.voiceInUse(owners: "no such voice") == standard)
        #expect(log.text.contains("no such voice"))
        #expect(try await voice.voiceInUse(owners: "en-US") == "gmw/en-US")
        #expect(try await voice.voiceInUse(owners: "English (Scotland)") == "gmw/en-GB-scotland")
        #expect(try await voice.installedVoices().contains("gmw/en"))
    }

    /// Each step of the order, where the ones before it find nothing.
    @Test(
        arguments: [
            (["mb/mb-en1", "gmw/en-GB-x-rp", "gmw/en"], "mb/mb-en1"),
            (["gmw/en-US", "gmw/en", "gmw/en-GB-x-rp"], "gmw/en-GB-x-rp"),
            (["gmw/en-US", "gmw/en-GB-scotland", "gmw/en"], "gmw/en"),
            (["gmw/en-US", "gmw/en-GB-scotland"], "gmw/en-GB-scotland"),
            (["roa/fr", "gmw/en-US"], "gmw/en-US"), (["roa/fr"], nil),
        ] as [([String], String?)])
    func order_isTheSpecifications(installed: [String], expected: String?) throws {
        let languages = [
            "mb/mb-en1": ["en-uk", "en"], "gmw/en-GB-x-rp": ["en-gb-x-rp", "en-gb"], "gmw/en": ["en-gb", "en"],
            "gmw/en-GB-scotland": ["en-gb-scotland", "en"], "gmw/en-US": ["en-us", "en"], "roa/fr": ["fr-fr", "fr"],
        ]
        let voices = installed.map { InstalledVoice(name: $0, identifier: $0, languages: languages[$0] ?? []) }
        let found = try Self.order().lazy.compactMap { choice in voices.first { choice.matches($0) } }.first
        #expect(found?.identifier == expected)
    }

    @Test(arguments: [(0, 80), (0.25, 128), (0.5, 175), (0.75, 263), (1, 350), (-1, 80), (2, 350)])
    func rate_isLinearBetweenItsThreePoints(rate: Double, words: Int) {
        #expect(VoiceSettings(rate: rate).wordsPerMinute == words)
    }

    @Test func missingData_isAnErrorThatNamesFolderAndPackage_andTheEngineStillWorks() async throws {
        let broken = ESpeakVoice(dataFolder: "/nowhere", logger: quiet)
        let failure = await #expect(throws: ESpeakError.self) {
            try await broken.synthesise("hello", voice: VoiceSettings())
        }
        #expect(failure?.description.contains("/nowhere") == true)
        #expect(failure?.description.contains("espeak-ng-data") == true)
        #expect(try await voice.synthesise("hello", voice: VoiceSettings()).words.count == 1)
    }

    @Test func noVoiceOfTheOrder_isAnError() async throws {
        let lost = ESpeakVoice(order: [.language("xx-nowhere")], logger: quiet)
        await #expect(throws: ESpeakError.self) { try await lost.synthesise("hello", voice: VoiceSettings()) }
    }

    @Test func words_haveAmericanAndBritishPronunciations() async throws {
        let answer = try await voice.pronunciations(of: ["water", "car", "fire", "kettle", "battery", ""])
        #expect(answer["water"] == [["W", "AO", "T", "ER"], ["W", "AO", "T", "AH"]])
        #expect(answer["car"] == [["K", "AA", "R"], ["K", "AA"]])
        #expect(answer["fire"] == [["F", "AY", "ER"], ["F", "AY", "AH"]])
        #expect(answer["kettle"] == [["K", "EH", "T", "AH", "L"]])
        #expect(answer["battery"]?.first == ["B", "AE", "T", "ER", "IY"])
        #expect(answer[""] == nil)
    }

    @Test func phonemising_doesNotDisturbTheVoiceOfReplies() async throws {
        let settings = VoiceSettings(voice: "gmw/en-GB-scotland")
        let before = try await voice.synthesise("the water pump is on", voice: settings)
        async let other = voice.pronunciations(of: (0..<400).map { "word\($0 % 26)ly" })
        let during = try await voice.synthesise("the water pump is on", voice: settings)
        _ = try await other
        let after = try await voice.synthesise("the water pump is on", voice: settings)
        // Not sample by sample: the voice's breath and timing vary a little by themselves.
        for spoken in [during, after] {
            #expect(spoken.words.map(\.textOffset) == before.words.map(\.textOffset))
            #expect(abs(spoken.sound.duration.seconds / before.sound.duration.seconds - 1) < 0.02)
        }
    }

    @Test func unknownPhoneme_leavesTheWordOut() {
        #expect(PhoneTable.american.phones("k_'a_t") == ["K", "AE", "T"])
        #expect(PhoneTable.american.phones("k_'QQ_t") == nil)
        #expect(PhoneTable.american.phones("") == nil)
    }
}
