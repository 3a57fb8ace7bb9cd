import Control
import Foundation
import SystemTestKit
import Testing

/// A sentence with what must become of it.
struct SpokenCase: Sendable, CustomTestStringConvertible {
    let sentence: String
    let intent: String
    /// Typed before it, so that there is something to do.
    var before: [String] = []
    /// What the reply says.
    var reply: String
    /// What the broker carries.
    var message: String?
    var testDescription: String { "“\(sentence)”" }
}

extension ScenarioTests {
    /// From a sound file through every room to the ledger, the broker, the store and the spoken reply.
    @Suite(.serialized, .van()) struct RoundTripTests {
        static let voices = ["awb", "rms", "slt", "kal16"]

        static let demo = [
            SpokenCase(
                sentence: "log diesel for fifty pounds", intent: "finance.log_expense",
                reply: "Logged £50.00 for diesel."),
            SpokenCase(
                sentence: "turn on the water pump", intent: "van.turn_on", before: ["turn off the water pump"],
                reply: "The water pump is on.", message: "van/water_pump/set ON"),
            SpokenCase(
                sentence: "where is the first aid kit", intent: "manifest.find_item",
                reply: "The first aid kit is in the overhead locker."),
            SpokenCase(
                sentence: "how much money do I have", intent: "finance.balance", reply: "Your balance is"),
        ]

        static let others = [
            SpokenCase(
                sentence: "turn off the kitchen lights", intent: "van.turn_off", before: ["turn on the kitchen lights"],
                reply: "The kitchen lights are off.", message: "van/kitchen_lights/set OFF"),
            SpokenCase(sentence: "is the fridge on", intent: "van.get_state", reply: "The fridge is off."),
            SpokenCase(
                sentence: "switch to drive mode", intent: "modes.set_mode", before: ["switch to camp mode"],
                reply: "Switched to drive mode."),
            SpokenCase(
                sentence: "what mode are we in", intent: "modes.get_mode", before: ["switch to night mode"],
                reply: "It's night mode."),
            SpokenCase(
                sentence: "move the tow rope to the roof box", intent: "manifest.move_item",
                before: ["move the tow rope to the garage"], reply: "The tow rope is now in the roof box."),
            SpokenCase(
                sentence: "what's my burn rate", intent: "finance.average_per_day", reply: "You spend"),
            SpokenCase(
                sentence: "how much have I spent on diesel this month", intent: "finance.spent",
                before: ["log diesel for ten pounds"], reply: "on diesel this month."),
            SpokenCase(
                sentence: "what is left to do", intent: "checklist.list_left", reply: "close the roof vent"),
            SpokenCase(
                sentence: "start a trip to Spain", intent: "travel.start_trip", before: ["end the trip"],
                reply: "Started a trip to Spain."),
            SpokenCase(
                sentence: "what's the emergency number", intent: "emergency.emergency_number",
                reply: "The emergency number here is 999."),
            SpokenCase(
                sentence: "I can smell gas", intent: "emergency.gas", reply: "No flames, no switches.",
                message: #"vanorb/emergency {"country":"GB","kind":"gas"}"#),
            SpokenCase(sentence: "what time is it", intent: "session.time", reply: "It's "),
        ]

        /// The first four in every voice, the rest in one, a different one by turns; all in all for `VANORB_LONG`.
        static let cases: [(voice: String, spoken: SpokenCase)] =
            ProcessInfo.processInfo.environment["VANORB_LONG"] == nil
            ? voices.flatMap { voice in demo.map { (voice, $0) } }
                + others.enumerated().map { (voices[$0.offset % voices.count], $0.element) }
            : voices.flatMap { voice in (demo + others).map { (voice, $0) } }

        @Test(arguments: cases)
        func sentence_isHeard_actedUpon_andAnsweredAloud(voice: String, spoken: SpokenCase) async throws {
            let van = try ScenarioTests.van
            let witness = try await van.broker?.witness()
            defer { witness?.end() }
            let watcher = try await van.watch()
            for text in spoken.before { try await watcher.spoken(van.say(text).turn) }
            let rows = try await van.ledger().count
            let seen = witness?.messages.count ?? 0
            try van.clearSpoken()

            let turn = try await van.hear(spoken.sentence, voice: voice)
            #expect("\(turn.handler ?? "").\(turn.intent ?? "")" == spoken.intent, "heard “\(turn.transcript)”")
            #expect(turn.outcome == .done)
            #expect(turn.reply.contains(spoken.reply), "heard “\(turn.transcript)”, answered “\(turn.reply)”")
            try await watcher.spoken(turn.turn)
            if let message = spoken.message { try await witness?.sees(message, after: seen) }
            if spoken.intent == "finance.log_expense" {
                let ledger = try await van.ledger()
                #expect(ledger.count == rows + 1)
                #expect(ledger.first?.amount == MoneyAmount(minorUnits: 5_000, currency: "GBP"))
                #expect(ledger.first?.category == "fuel")
            }
            if spoken.intent == "finance.spent" {
                // The sample entries lie days back: on some days they are this month's, on others not.
                let month = Calendar.current.dateInterval(of: .month, for: Date())
                let rows = try await van.ledger().filter { $0.category == "fuel" && month?.contains($0.date) == true }
                let sum = rows.reduce(0) { $0 + $1.amount.minorUnits }
                #expect(sum >= 1_000)
                let pence = sum % 100 < 10 ? "0\(sum % 100)" : "\(sum % 100)"
                #expect(turn.reply == "You've spent £\(sum / 100).\(pence) on diesel this month.")
            }
            if spoken.intent == "manifest.move_item" {
                #expect(try await van.place(of: "tow rope") == "roof box")
            }
            // The speaker's file plugin has written what the owner hears.
            let file = try #require(van.spokenFiles.last)
            #expect(try await Self.seconds(file) > 0.5)
        }

        /// How long a WAV file lasts, as sox reads it.
        static func seconds(_ file: String) async throws -> Double {
            let lines = try await run("/usr/bin/soxi", ["-D", file])
            return try #require(lines.first.flatMap(Double.init))
        }

        /// On an appliance of its own: what it heard before tunes the recogniser.
        @Test func spokenReplies_areUnderstoodWhenHeardAgain() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            let watcher = try await van.watch()
            for (sentence, words) in [
                ("where is the fire extinguisher", ["extinguisher", "the cab"]),
                ("log diesel for fifty pounds", ["pounds", "diesel"]),
            ] {
                try van.clearSpoken()
                try await watcher.spoken(van.hear(sentence).turn)
                let file = try #require(van.spokenFiles.last)
                let again = try await van.hear(file: file)
                for word in words { #expect(again.transcript.contains(word), "heard “\(again.transcript)”") }
                try await watcher.spoken(again.turn)
            }
        }

        @Test func commandLine_hearsTypesAndLists() async throws {
            let van = try ScenarioTests.van
            let file = try await Workshop.shared().speech("where is the fire blanket", voice: "slt")
            let heard = try await van.vanorb("hear", file)
            #expect(heard.status == 0, "\(heard.lines)")
            #expect(heard.lines.joined().contains("kitchen drawer"), "\(heard.lines)")
            let said = try await van.vanorb("say", "log twelve pounds for parking")
            #expect(said.status == 0)
            let ledger = try await van.vanorb("ledger", "list")
            #expect(ledger.status == 0)
            #expect(ledger.lines.contains { $0.contains("12.00") && $0.contains("parking") }, "\(ledger.lines)")
            #expect(try await van.vanorb("say", "fiddlesticks and candle grease").status == 1)
            let trace = try await van.vanorb("trace")
            #expect(trace.lines.contains { $0.contains("fiddlesticks") }, "\(trace.lines)")
        }
    }
}
