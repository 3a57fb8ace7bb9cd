import Domain
import Language
import Foundation
import Testing

@testable import vanorb_lab

@Suite struct SpeechScoreTests {
    private let normaliser: Normaliser

    init() throws { normaliser = try Normaliser(LanguageFolder(language: "en", root: LanguageFolder.shippedRoot)) }

    private func clip(
        _ wanted: SpeechLabel.Wanted, text: String? = nil, heard: [Command] = [], transcript: String = ""
    ) -> HeardClip {
        var turn = HeardTurn(commands: heard, transcript: transcript)
        (turn.seconds, turn.processorSeconds, turn.latency) = (2, 0.5, 10)
        return HeardClip(
            name: "a.wav", label: SpeechLabel(wanted: wanted, text: text), turn: turn, normaliser: normaliser)
    }

    private func order(_ slots: [String: String]) -> Command {
        Command(handler: "custom", intent: "order", slots: slots.mapValues { SlotValue(text: $0) })
    }

    @Test func aCommand_isRight_whenEveryLabelledSlotIs() {
        let wanted = SpeechLabel.Wanted.command(intent: "order", slots: ["size": "Large", "milk": "soy milk"])
        #expect(clip(wanted, heard: [order(["size": "large", "milk": "soy milk"])]).verdict == .right)
        #expect(clip(wanted, heard: [order(["size": "large", "milk": "soy milk", "x": "y"])]).verdict == .right)
        #expect(clip(wanted, heard: [order(["size": "large"])]).verdict == .wrong)
        #expect(clip(wanted, heard: [order(["size": "large", "milk": "milk"])]).verdict == .wrong)
        #expect(clip(wanted).verdict == .rejected)
    }

    @Test func anIntent_mayNameItsHandler_andTwoCommandsForOneAreWrong() {
        #expect(clip(.command(intent: "custom.order", slots: [:]), heard: [order([:])]).verdict == .right)
        #expect(clip(.command(intent: "van.order", slots: [:]), heard: [order([:])]).verdict == .wrong)
        #expect(clip(.command(intent: "order", slots: [:]), heard: [order([:]), order([:])]).verdict == .wrong)
    }

    @Test func numbers_areTheSame_inWordsAndInFigures() {
        let value = SlotValue(text: "twelve", content: .number(12))
        #expect(HeardClip.isSame(value, "12", normaliser))
        #expect(HeardClip.isSame(value, "twelve", normaliser))
        #expect(!HeardClip.isSame(value, "20", normaliser))
        let named = SlotValue(text: "the awning", content: .names([OwnerName(name: "awning")]))
        #expect(HeardClip.isSame(named, "awning", normaliser))
    }

    @Test func amounts_areTheSame_whateverTheNumberOfTheirUnit() {
        let pounds = SlotValue(text: "twenty eight pounds", content: .money(minorUnits: 2_800, currency: "GBP"))
        #expect(HeardClip.isSame(pounds, "twenty eight pound", normaliser))
        #expect(!HeardClip.isSame(pounds, "twenty nine pound", normaliser))
        let percent = SlotValue(text: "thirty two percent", content: .measure(32))
        #expect(HeardClip.isSame(percent, "thirty two per cent", normaliser))
        #expect(!HeardClip.isSame(SlotValue(text: "wheel chocks"), "wheel chock", normaliser))
    }

    @Test func theReport_countsAsDefined() throws {
        let order = SpeechLabel.Wanted.command(intent: "order", slots: ["size": "large"])
        let report = SpeechReport(
            [
                clip(order, heard: [self.order(["size": "large"])]),
                clip(order, heard: [self.order(["size": "small"])]),
                clip(order), clip(.nothing, heard: [self.order([:])]), clip(.nothing),
                clip(.words, text: "one two three four", transcript: "one too three"),
            ], peakMemory: 80)
        #expect(report.accuracy == Proportion(part: 1, whole: 3))
        #expect(report.precision == Proportion(part: 1, whole: 3))
        #expect(report.rejected == Proportion(part: 1, whole: 3))
        #expect(report.falseFires == Proportion(part: 1, whole: 2))
        #expect(report.slots == Proportion(part: 1, whole: 3))
        #expect(report.wordErrorRate == 0.5)
        #expect(report.realTimeFactor == 0.25)
        #expect(report.latency.p95 == 10)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any])
        for key in [
            "clips", "correct", "accuracy", "precision", "false_fires", "rejected", "word_error_rate",
            "real_time_factor", "latency_ms", "peak_memory_mb", "per_clip",
        ] {
            #expect(json[key] != nil, "\(key)")
        }
        #expect((json["latency_ms"] as? [String: Any])?.keys.sorted() == ["p50", "p95"])
        #expect((json["per_clip"] as? [Any])?.count == 6)
    }

    @Test func wordErrors_areTheLeastEdits_withoutPunctuation() {
        func errors(_ heard: String, _ said: String) -> Int {
            SpokenWords.errors(SpokenWords.of(heard), against: SpokenWords.of(said))
        }
        #expect(errors("where's the tow rope", "Where's the tow-rope?") == 0)
        #expect(errors("", "one two") == 2)
        #expect(errors("one two", "") == 2)
        #expect(errors("a b c d", "a x c") == 2)
    }

    /// Against the figures of the `binom` package for R, method “wilson”.
    @Test func wilsonsInterval_isAsPublished() {
        let most = Proportion(part: 141, whole: 150).interval
        #expect(abs(most.lowerBound - 0.8897) < 0.001 && abs(most.upperBound - 0.9681) < 0.001)
        let no = Proportion(part: 0, whole: 10).interval
        #expect(no.lowerBound == 0 && abs(no.upperBound - 0.2775) < 0.0001)
        #expect(Proportion(part: 0, whole: 0).interval == 0...1)
        #expect(Proportion(part: 0, whole: 0).share == nil)
    }
}
