import Domain
import Testing
import VoiceESpeak

@testable import SpeechPocketSphinx

@Suite(.serialized) struct PronunciationGuideTests {
    private let voice = ESpeakVoice(logger: quiet)
    private var guide: PronunciationGuide { PronunciationGuide(phonemiser: voice) }

    private func sounds(_ spelling: String) async throws -> [String] {
        try await guide.phones(soundingLike: spelling, language: "en").map { $0.joined(separator: " ") }
    }

    @Test func wordsOfTheDictionary_areJoined() async throws {
        #expect(try await sounds("lid ul") == ["L IH D AH L"])
        #expect(try await sounds("  Fire   STICK ").first == "F AY ER S T IH K")
    }

    @Test func syllables_areRead() async throws {
        #expect(try await sounds("zhot ul").contains("ZH AA T AH L"))
    }

    @Test(arguments: ["L IH1 D AH0 L", "L IH D AH L"])
    func phonesInCapitals_areTakenAsTheyStand(spelling: String) async throws {
        #expect(try await sounds(spelling) == ["L IH D AH L"])
    }

    @Test func lettersAndInitialisms_areSpelled() async throws {
        #expect(try await sounds("u s b") == ["Y UW EH S B IY"])
        #expect(try await sounds("USB") == ["Y UW EH S B IY"])
        #expect(try await sounds("mp3") == ["EH M P IY TH R IY"])
    }

    @Test func manyVariants_areBounded() async throws {
        let ways = try await sounds("the a and for schedule data either route")
        #expect((1...Lexicon.variantLimit).contains(ways.count))
    }

    @Test(arguments: [
        ("", "empty"), ("  \t ", "empty"), ("x7#", "“x7#”"), ("lid x7#", "“x7#”"), ("lid zzq", "“zzq”"),
        ("L IH1 QQ", "“QQ”"), ("shh (2)", "“(2)”"), ("<s>", "“<s>”"), ("caf\u{e9}", "caf\u{e9}"),
        ("\u{1F600}", "\u{1F600}"), (String(repeating: "lid ", count: 40), "too long"),
        (String(repeating: "AH ", count: 39) + "AH AH", "too long"),
        ("banana banana banana banana banana banana banana", "too long"),
    ])
    func spellingNobodyCanPronounce_isRefused_withTheOddPart(spelling: String, part: String) async throws {
        let error = await #expect(throws: SpellingError.self) {
            try await guide.phones(soundingLike: spelling, language: "en")
        }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func missingModel_isAnErrorWithAdvice() async throws {
        let error = await #expect(throws: PocketSphinxError.self) {
            try await PronunciationGuide(modelFolder: "/nowhere", phonemiser: nil).pronunciations(
                of: ["lamp"], language: "en")
        }
        #expect(error?.description.contains("/nowhere") == true)
    }

    // MARK: the way back

    @Test func phones_areSpoken_soThatTheEarHearsTheWordsTheyAreFrom() async throws {
        let folder = WorkFolder(), recogniser = recogniser(folder)
        try await recogniser.prepare(
            vocabulary(["water", "kettle", "garage", "schedule", "television", "yellow", "chair", "mother"]))
        let known = try await guide.pronunciations(
            of: ["kettle", "television", "yellow", "garage"], language: "en")
        for word in known {
            let phones = try #require(word.phones.first)
            let sound = try await voice.synthesise(phones: phones, for: word.word, voice: VoiceSettings()).sound
            let heard = try await recogniser.hear(SpokenSentence(sound)).transcripts.first?.text
            #expect(heard == word.word)
        }
    }

    @Test func everyPhone_hasItsSound_andAnythingElseIsAnError() async throws {
        for phone in Lexicon.phones {
            let spoken = try await voice.synthesise(phones: ["AA", phone, "AA"], for: "x", voice: VoiceSettings())
            #expect(spoken.sound.duration > .milliseconds(100), "\(phone)")
        }
        await #expect(throws: ESpeakError.self) {
            try await voice.synthesise(phones: ["QQ"], for: "x", voice: VoiceSettings())
        }
    }

    @Test func speakingPhones_leavesTheVoiceOfRepliesAlone() async throws {
        let before = try await voice.voiceInUse()
        _ = try await voice.synthesise(phones: ["L", "IH", "D"], for: "lid", voice: VoiceSettings())
        #expect(try await voice.voiceInUse() == before)
    }
}
