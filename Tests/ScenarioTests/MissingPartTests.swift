import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// What the appliance does without, and how it says so. It stays up each time.
    @Suite(.serialized) struct MissingPartTests {
        @Test func acousticModelMissing_isSaid_andFoundWhenItComes() async throws {
            let folder = try TemporaryFolder()
            let van = try await VanUnderTest(
                Setup(hasBroker: false, settings: ["paths.acoustic_model=\(folder.file("model"))"]))
            defer { van.end() }
            let part = try #require(try await van.part("recogniser"))
            #expect(part.state == .failed)
            #expect(part.advice?.contains("pocketsphinx-en-us") == true)

            let watcher = try await van.watch()
            let start = watcher.count
            try van.clearSpoken()
            let turn = try await van.hear("where is the tow rope")
            #expect(turn.outcome == .failed)
            #expect(turn.reply == "I can't understand speech just now.")
            try await watcher.event("the notice", after: start) {
                $0.kind == WatchEvent.Kind.notice && $0.text == turn.reply
            }
            try await watcher.state(.speaking, after: start)
            let spoken = watcher.count
            try await watcher.event("silence again", after: spoken - 1) {
                $0.kind == WatchEvent.Kind.status && $0.state != .speaking && $0.state != .listening
            }
            #expect(try await RoundTripTests.seconds(try #require(van.spokenFiles.last)) > 0.5)
            #expect(try await van.part("recogniser")?.advice?.contains("pocketsphinx-en-us") == true)
            #expect(try await van.say("where is the tow rope").reply == "The tow rope is in the garage.")

            try FileManager.default.createSymbolicLink(
                atPath: folder.file("model"), withDestinationPath: "/usr/share/pocketsphinx/model/en-us")
            try await eventually("the recogniser to recover") { try await van.part("recogniser")?.state == .ok }
            #expect(try await van.hear("where is the tow rope").reply == "The tow rope is in the garage.")
        }

        @Test func microphoneAndSpeakerMissing_areSaid_andTextWorks() async throws {
            // The board's devices lead nowhere.
            let board = """
                name: nothing plugged in
                microphone: {device: "hw:CARD=gone"}
                speaker: {media: "hw:CARD=gone", speech: "hw:CARD=gone"}
                button: control
                ring: recorded
                motor: recorded
                """
            let van = try await VanUnderTest(Setup(hasBroker: false, board: board))
            defer { van.end() }
            for part in ["microphone", "speaker", "chimes"] {
                let known = try #require(try await van.part(part), "known before the first press")
                #expect(known.state != .ok)
                #expect(known.detail.contains("hw:CARD=gone"))
            }
            let watcher = try await van.watch()
            let start = watcher.count
            try await van.press()
            let notice = try await watcher.event("the notice", after: start) { $0.kind == WatchEvent.Kind.notice }
            #expect(notice.text == "I can't hear you: there's no microphone.")
            try await watcher.event("the ring to show the fault", after: start) { $0.line == "ring fault" }
            let microphone = try #require(try await van.part("microphone"))
            #expect(microphone.state == .failed)
            #expect(microphone.detail.contains("hw:CARD=gone"))
            #expect(microphone.advice?.contains("board file") == true)

            let typed = watcher.count
            let turn = try await van.say("where is the tow rope")
            #expect(turn.reply == "The tow rope is in the garage.")
            try await watcher.spoken(turn.turn)
            #expect(watcher.lines(after: typed).contains("reply The tow rope is in the garage."))
            #expect(try await van.part("speaker")?.state == .failed)
            #expect(try await van.part("speaker")?.detail.contains("hw:CARD=gone") == true)
            #expect(try await van.part("speaker")?.advice?.contains("aplay -l") == true)
        }

        @Test func microphoneThatIsPluggedInLater_isFoundWithoutAPress() async throws {
            let folder = try TemporaryFolder()
            let board = try VanUnderTest.virtualBoard(isPaced: false)
                .replacingOccurrences(of: "{run}/microphone.raw", with: folder.file("room.raw"))
            let van = try await VanUnderTest(Setup(hasBroker: false, board: board))
            defer { van.end() }
            let before = try #require(try await van.part("microphone"))
            #expect(before.state == .failed)
            #expect(before.advice?.contains("arecord -l") == true)
            #expect(try await van.part("speaker")?.state == .ok)
            #expect(van.spokenFiles.isEmpty, "nothing sounds at the start")
            _ = FileManager.default.createFile(atPath: folder.file("room.raw"), contents: nil)
            try await eventually("the microphone to be found") { try await van.part("microphone")?.state == .ok }
        }

        @Test func classifierMissing_routesStrictly() async throws {
            let van = try await VanUnderTest(
                Setup(hasBroker: false, settings: ["paths.classifier=/nonexistent/intents.model"]))
            defer { van.end() }
            let part = try #require(try await van.part("classifier"))
            #expect(part.state == .warning)
            #expect(part.advice?.contains("vanorb-lab train") == true)
            let turn = try await van.hear("log diesel for fifty pounds")
            #expect(turn.intent == "log_expense")
            #expect(turn.classifier.isEmpty)
        }

        @Test(arguments: [nil, "no towns"])
        func townsMissingOrDamaged_areSaidWithAdvice_andTheRestWorks(content: String?) async throws {
            let folder = try TemporaryFolder()
            let path = folder.file("cities.compiled")
            if let content { try content.write(toFile: path, atomically: true, encoding: .utf8) }
            let van = try await VanUnderTest(Setup(hasBroker: false, settings: ["paths.places=\(path)"]))
            defer { van.end() }
            let part = try #require(try await van.part("places"))
            #expect(part.state == .warning)
            #expect(part.detail.contains(path))
            #expect(part.advice?.contains("libgeonames0") == true)
            #expect(try await van.say("where is the tow rope").outcome == .done)
        }

        @Test func classifierDamaged_routesStrictly() async throws {
            let folder = try TemporaryFolder()
            try Data("no model".utf8).write(to: URL(fileURLWithPath: folder.file("intents.model")))
            let van = try await VanUnderTest(
                Setup(hasBroker: false, settings: ["paths.classifier=\(folder.file("intents.model"))"]))
            defer { van.end() }
            #expect(try await van.part("classifier")?.state == .warning)
            #expect(try await van.part("classifier")?.detail.contains("intents.model") == true)
            #expect(try await van.say("where is the tow rope").outcome == .done)
        }
    }
}
