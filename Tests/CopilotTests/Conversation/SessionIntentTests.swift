@testable import Domain
@testable import Language
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// What holds in every state: closing, help, the voice, the attached screen, hints and the introduction.
@Suite struct SessionIntentTests {
    @Test(arguments: ["bye", "stop", "done", "that's all", "exit", "cancel", "finished", "nothing"])
    func aClosingPhrase_closes_withNothingOpen(phrase: String) async throws {
        let talk = try await Talk(VanBench())
        #expect(await talk.conversation.say(phrase).reply == "Bye.")
        try await talk.reached(.closed)
    }

    @Test(arguments: ["hello", "Good morning!", "hi there", "how are you?"])
    func aGreeting_isReturned(greeting: String) async throws {
        let talk = try await Talk(VanBench())
        let trace = await talk.conversation.say(greeting)
        #expect(trace.reply == "Hello. What can I do for you?")
        #expect(trace.outcome == .done)
    }

    @Test func aGreeting_inFrontOfACommand_isNoGreeting() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        #expect(await talk.conversation.say("hello, what time is it?").reply == "It's 10:30.")
        #expect(await talk.conversation.say("hi, log fifty").reply == "What was it for?")
    }

    @Test func aGreeting_thatIsAScenesName_runsTheScene() {
        var names = English.books.sampleNames
        names[.scene] += [OwnerName(name: "good morning")]
        let chosen = Router(index: PhraseIndex(books: English.books, names: names), classifier: nil)
            .route("good morning").chosen
        #expect(chosen?.handler == "van")
        #expect(chosen?.intent == "run_scene")
    }

    @Test func help_isGrouped_andGivesExamplesOfATopic() async throws {
        let talk = try await Talk(VanBench())
        #expect(await talk.conversation.say("what can I say").reply.hasPrefix("I look after money"))
        let trace = await talk.conversation.say("help with the van")
        #expect(trace.reply.hasPrefix("I work the lights"))
        #expect(trace.reply.contains("“"))
    }

    @Test func theVoice_isChanged_keptAndUndone_andKnowsItsLimits() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench)
        #expect(await talk.conversation.say("speak slower").reply == "I'll speak more slowly.")
        #expect(await talk.conversation.services.profile.voice.rate == 0.4)
        let kept = await VoiceSettings.kept(in: bench.stores.kept, otherwise: VoiceSettings())
        #expect(kept.rate == 0.4)
        for _ in 1...4 { _ = await talk.conversation.say("slow down") }
        #expect(await talk.conversation.services.profile.voice.rate == 0)
        #expect(await talk.conversation.say("speak slower").reply == "That's as slow as I can speak.")
        _ = await talk.conversation.say("speak faster")
        #expect(await talk.conversation.services.profile.voice.rate == 0.1)
        #expect(await talk.conversation.say("undo that").reply == "Undone: the change to my voice.")
        #expect(await talk.conversation.services.profile.voice.rate == 0)
        for _ in 1...4 { _ = await talk.conversation.say("louder please") }
        #expect(await talk.conversation.say("louder please").reply == "That's as loud as I can speak.")
        for _ in 1...7 { _ = await talk.conversation.say("speak more quietly") }
        #expect(await talk.conversation.say("be quiet").reply == "That's as quietly as I can speak.")
        #expect(await talk.conversation.services.profile.voice.volume == 0.25)
    }

    @Test func theVoicesLoudness_isSetToANumberOrAPercentage() async throws {
        let talk = try await Talk(VanBench())
        #expect(await talk.conversation.say("volume to four").reply == "My volume is at 40%.")
        #expect(await talk.conversation.services.profile.voice.volume == 0.8)
        #expect(await talk.conversation.say("set the volume to sixty percent").reply == "My volume is at 60%.")
        #expect(await talk.conversation.say("undo that").reply == "Undone: the change to my voice.")
        #expect(await talk.conversation.services.profile.voice.volume == 0.8)
        #expect(await talk.conversation.say("full volume").reply == "My volume is at 100%.")
        #expect(await talk.conversation.say("full volume").reply == "My volume is there already.")
        #expect(await talk.conversation.say("volume to zero").reply == "My volume goes from 1 to 10.")
    }

    @Test func whatIsKeptOfTheVoice_andMakesNoSense_isLeft() async throws {
        let bench = try VanBench()
        try await bench.stores.kept.set("speech.rate", to: "a lot")
        try await bench.stores.kept.set("speech.volume", to: "17")
        #expect(await VoiceSettings.kept(in: bench.stores.kept, otherwise: VoiceSettings()) == VoiceSettings())
    }

    @Test func anAside_keepsTheQuestionOpen() async throws {
        let talk = try await Talk(VanBench(), hears: .patient)
        _ = await talk.conversation.say("log fifty")
        let again = await talk.conversation.say("say that again")
        #expect(again.reply == "What was it for?")
        #expect(again.outcome == .asked)
        _ = await talk.conversation.say("louder please")
        #expect(await talk.conversation.say("diesel").reply == "Logged £50.00 for diesel.")
    }

    // MARK: the attached screen

    private func actions(_ talk: Talk) -> [AppAction] {
        talk.events.entries.compactMap { if case .action(let action) = $0 { action } else { nil } }
    }

    @Test(arguments: [
        ("show the ledger", "tab ledger"), ("next", "move next"), ("previous", "move previous"),
        ("details", "move open"), ("go back", "move back"), ("star this", "star item:7"),
        ("balance", "tab ledger"), ("what is left to do", "tab checklist"), ("close this page", "close "),
        ("which trips have i made", "tab trips"), ("water pump", "open device:water_pump"),
    ])
    func theScreen_isDriven_andTheBusIsTold(text: String, expected: String) async throws {
        let bench = try VanBench()
        _ = bench.context.screens.attach(ScreenView(tab: "manifest", thing: "item:7", name: "torch", count: 1))
        let talk = try await Talk(bench)
        _ = await talk.conversation.say(text)
        #expect(actions(talk).map { "\($0.kind) \($0.target)" } == [expected])
        await talk.conversation.services.screens.finish()
        let published = bench.bus.journal.entries
        #expect(published.map(\.topic) == ["vanorb/action"])
        #expect(published.first?.payload == actions(talk).first?.json)
    }

    @Test(arguments: ["show the settings", "next", "go back", "close this page", "star this", "water pump"])
    func withoutAScreen_itIsSaidThatThereIsNone(text: String) async throws {
        let bench = try VanBench(), talk = try await Talk(bench)
        #expect(await talk.conversation.say(text).reply == "No screen is attached.")
        #expect(try await bench.stores.stars.stars().isEmpty)
        let number = bench.context.screens.attach(ScreenView(canGoBack: true))
        bench.context.screens.detach(number)
        #expect(await talk.conversation.say(text).reply == "No screen is attached.")
    }

    @Test func movingOnTheScreen_isAnsweredByWhatItShows() async throws {
        let bench = try VanBench(), talk = try await Talk(bench)
        _ = bench.context.screens.attach(ScreenView())
        for (text, reply) in [
            ("show the settings", "Here are the settings."), ("next", "There's no list on the screen."),
            ("go back", "There's nothing to go back to."), ("close this page", "Nothing is open on the screen."),
            ("details", "Nothing is selected on the screen."), ("star this", "Nothing is selected on the screen."),
        ] {
            #expect(await talk.conversation.say(text).reply == reply)
        }
        _ = bench.context.screens.attach(
            ScreenView(
                tab: "settings", thing: "setting:language", name: "language", place: 1, count: 2, canGoBack: true))
        #expect(await talk.conversation.say("next").reply == "That's the last one.")
        #expect(await talk.conversation.say("previous").reply == "Back.")
        #expect(await talk.conversation.say("star this").reply == "That can't be starred: language.")
    }

    @Test func aStar_isStored_andCanBeTakenBack() async throws {
        let bench = try VanBench(), talk = try await Talk(bench)
        _ = bench.context.screens.attach(ScreenView(tab: "manifest", thing: "item:7", name: "torch", count: 1))
        #expect(await talk.conversation.say("star this").reply == "Starred: torch.")
        #expect(try await bench.stores.stars.stars() == ["item:7"])
        #expect(await talk.conversation.say("star this").reply == "It already has a star: torch.")
        #expect(await talk.conversation.say("undo that").outcome == .done)
        #expect(try await bench.stores.stars.stars().isEmpty)
        _ = await talk.conversation.say("star this")
        #expect(await talk.conversation.say("unstar this").reply == "Star removed: torch.")
        #expect(try await bench.stores.stars.stars().isEmpty)
        #expect(await talk.conversation.say("unstar this").reply == "It has no star: torch.")
    }

    @Test func aBareName_opens_andNeverActs_andTwoOfANameAreAskedFor() async throws {
        let bench = try VanBench()
        _ = bench.context.screens.attach(ScreenView())
        let torch = try await bench.item("torch", in: "cab")
        try await bench.item("map", in: "cab")
        try await bench.item("map", in: "garage")
        let talk = try await Talk(bench, hears: .patient)
        #expect(await talk.conversation.say("the torch").reply == "Here's the torch.")
        #expect(actions(talk).last?.target == "item:\(torch.id)")
        #expect(await talk.conversation.say("map").reply == "Which one: map in the cab or map in the garage?")
        #expect(await talk.conversation.say("the second one").outcome == .done)
        #expect(actions(talk).last?.target.hasPrefix("item:") == true)
        #expect(bench.commands.isEmpty)
        #expect(await talk.conversation.say("the tarch").outcome == .fallback, "only the name itself opens")
    }

    @Test func whatIsNotUnderstood_drivesNothing() async throws {
        let talk = try await Talk(VanBench())
        _ = await talk.conversation.say("purple monkey dishwasher")
        #expect(actions(talk).isEmpty)
    }

    // MARK: hints and the introduction

    @Test func theHints_beginWithTheOwnersManual_andChange() async throws {
        #expect(
            English.books.hints.prefix(7) == [
                "log diesel for £50", "where is the first aid kit", "am I overweight", "how much money do I have",
                "start a trip to Spain", "add a task to check tyres", "what's my burn rate",
            ])
        #expect(Set(English.books.hints.map { $0.lowercased() }).count == English.books.hints.count)
        let talk = try await Talk(VanBench())
        let running = Task { await talk.conversation.run() }
        defer { running.cancel() }
        for hint in English.books.hints.prefix(2) {
            _ = try await talk.events.first(hint) { if case .hint(hint) = $0 { true } else { false } }
            try await talk.clock.sleeperRegistered(for: .seconds(5))
            talk.clock.advance(by: .seconds(5))
        }
    }

    @Test func aTypedTurn_takesTheHintAway_asSpeechDoes() async throws {
        let talk = try await Talk(VanBench())
        let running = Task { await talk.conversation.run() }
        defer { running.cancel() }
        _ = try await talk.events.first("an example") { if case .hint(let hint) = $0 { !hint.isEmpty } else { false } }
        _ = await talk.conversation.say("what time is it")
        _ = try await talk.events.first("no example") { if case .hint("") = $0 { true } else { false } }
    }

    @Test func theIntroduction_isSpokenOnce_andComesBackWhenAsked() async throws {
        let bench = try VanBench()
        let talk = try await Talk(bench, hears: .patient, introduces: true)
        await talk.tap()
        try await talk.spoken("Hello, I'm VanOrb.")
        try await talk.reached(.ready)
        await talk.conversation.services.keptValues.finish()
        #expect(try await bench.stores.kept.value(Conversation.introduced) == "true")
        let count = talk.speaker.sentences.filter { $0 == "Hello, I'm VanOrb." }.count
        await talk.tap()
        try await talk.microphone?.opened()
        #expect(talk.speaker.sentences.filter { $0 == "Hello, I'm VanOrb." }.count == count)
        await talk.conversation.introduceAgain()
        await talk.conversation.services.keptValues.finish()
        #expect(try await bench.stores.kept.value(Conversation.introduced) == nil)
    }

    // MARK: the microphone comes back

    @Test func aMicrophoneThatComesBack_isListenedToOnce() async throws {
        let talk = try await Talk(
            VanBench(),
            hears: [.loses(after: SampleSound.voice(.seconds(1))), .refused(.missing), .utterance], says: ["balance"])
        await talk.tap()
        #expect(try await talk.turn(1).reply == "I lost the microphone, so I did nothing.")
        try await talk.clock.sleeperRegistered(for: .milliseconds(250))
        talk.clock.advance(by: .milliseconds(250))
        #expect(try await talk.turn(2).reply == "The ledger is empty.")
    }

    @Test func aMicrophoneThatIsLostAgain_isLeft() async throws {
        let lost = ScriptedMicrophone.Opening.loses(after: SampleSound.voice(.seconds(1)))
        let talk = try await Talk(VanBench(), hears: [lost, lost])
        await talk.tap()
        #expect(try await talk.turn(2).reply == "I lost the microphone, so I did nothing.")
        try await talk.reached(.ready, from: talk.events.entries.count - 1)
    }
}
