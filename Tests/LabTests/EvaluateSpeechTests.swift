import Domain
import Language
import ArgumentParser
import Foundation
import SoundFiles
import SystemTestKit
import Testing

@testable import vanorb_lab

/// The whole way from files to the report, with flite's voices and the real recogniser.
@Suite struct EvaluateSpeechTests {
    private let folder = NSTemporaryDirectory() + "/heard-\(UUID().uuidString)"

    private func speak(_ text: String, _ name: String) throws {
        let made = try SyntheticVoice(name: "slt", cache: folder + "/cache").speak(
            text, lead: .milliseconds(300), tail: .milliseconds(300))
        let sound = Sound(samples: made, sampleRate: AudioFormat.sampleRate)
        try WaveFile.bytes(of: [sound]).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    @Test func spokenCommands_areCounted_andWhatCannotBeReadIsNamed() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try speak("make me a hot chocolate", "a.wav")
        try speak("wash the dishes", "b.wav")
        try Data().write(to: URL(filePath: folder + "/empty.wav"))
        let labels = [
            ("a.wav", SpeechLabel(wanted: .command(intent: "brew", slots: ["drink": "hot chocolate"]))),
            ("b.wav", SpeechLabel(wanted: .nothing, text: "wash the dishes")),
            ("empty.wav", SpeechLabel(wanted: .nothing)), ("missing.wav", SpeechLabel(wanted: .nothing)),
        ]
        let index = PhraseIndex(books: try SmallPhrasebook().books, names: OwnerNames())
        let stage = try await HearingStage(index: index, classifier: nil)
        let report = try await EvaluateSpeech.hear(labels, in: folder, nil, on: stage, LossJudge(index, nil))
        #expect(report.clips.map(\.verdict) == [.right, .falseFire])
        #expect(report.accuracy == Proportion(part: 1, whole: 1))
        #expect(report.precision == Proportion(part: 1, whole: 2))
        #expect(report.wordErrorRate == 0)
        #expect(report.refused.keys.sorted() == ["empty.wav", "missing.wav"])
        #expect(report.realTimeFactor > 0 && report.peakMemory > 0)
        #expect(report.latency.p50 != nil)
        #expect(report.table(isVerbose: true).contains("empty.wav: the file is empty"))
    }

    @Test func hearing_actsOnNothing_andOneRecordingLeavesNothingToTheNext() async throws {
        let index = PhraseIndex(books: try SmallPhrasebook().books, names: OwnerNames())
        let stage = try await HearingStage(index: index, classifier: nil)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let speech = try SyntheticVoice(name: "rms", cache: folder).speak(
            "make me a hot chocolate", lead: .milliseconds(300), tail: .milliseconds(300))
        let silence = try await stage.hear([Int16](repeating: 0, count: 16_000))
        #expect(silence.commands.isEmpty && silence.latency == nil)
        for _ in 0..<2 {
            let turn = try await stage.hear(speech)
            #expect(turn.commands.map(\.intent) == ["brew"])
        }
    }

    @Test func aPhrasebookWithAMistake_isRefused_withFileAndLine() throws {
        let file = NSTemporaryDirectory() + "/broken-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "language: en\nintents:\n  brew:\n    phrases: [\"(make|\"]\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        do {
            _ = try LanguageOptions.parse([]).books(replacedBy: file)
            Issue.record("it was taken")
        } catch {
            #expect("\(error)".hasPrefix("\(file):4"))
        }
    }

    @Test(arguments: [
        ["--none", "--labels", "x.json", "."], ["--noise", "x.wav", "."], ["--limit", "0", "."],
        ["--phrasebook", "a.yaml", "--phrases", "b", "."],
    ])
    func optionsThatContradict_areRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try EvaluateSpeech.parse(arguments) }
    }
}
