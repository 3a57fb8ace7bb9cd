import CopilotTestKit
import Domain
import Foundation
import OnnxRuntime
import Synchronization
import SystemTestKit
import Testing

@testable import VoiceActivitySilero

/// Silero's voice activity: what it takes for speech, and what happens where it is not there.
@Suite(.enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing))
struct SileroVoiceActivityTests {
    private let folder = ConstrainedRecogniser.folder ?? ""

    private func detector(_ loader: SileroLoader) -> SileroVoiceActivity {
        SileroVoiceActivity(loader, fallback: EnergyVoiceActivity()) { Issue.record("\($0)") }
    }

    private func loaded() throws -> SileroVoiceActivity {
        let loader = SileroLoader(folder: folder)
        try loader.load()
        let detector = detector(loader)
        detector.reset()
        return detector
    }

    private func probabilities(_ samples: [Int16], _ detector: SileroVoiceActivity) -> [Double] {
        stride(from: 0, to: samples.count, by: 512).map {
            detector.speechProbability(of: Array(samples[$0..<min($0 + 512, samples.count)]))
        }
    }

    /// A copy of the folder with another model file.
    private func copy(_ change: (Data) -> Data) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for file in [OnnxLibrary.file] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(copy.path)/\(file)", withDestinationPath: "\(folder)/\(file)")
        }
        let model = try Data(contentsOf: URL(filePath: "\(folder)/\(SileroModel.file)"))
        try change(model).write(to: URL(filePath: "\(copy.path)/\(SileroModel.file)"))
        return copy
    }

    @Test func speechIsFound_andSilenceAndNoiseAreNone() throws {
        let detector = try loaded()
        let quiet = [Int16](repeating: 0, count: 16_000)
        let speech = try Flite.samples("turn on the water pump", voice: "slt")
        let found = probabilities(quiet + speech + quiet, detector)
        #expect(found.prefix(30).allSatisfy { $0 < 0.35 })
        #expect(found.suffix(20).allSatisfy { $0 < 0.35 })
        // A sentence has its pauses.
        let voiced = found.count { $0 > 0.5 }
        #expect(Double(voiced) > 0.7 * Double(speech.count / 512), "\(voiced) of \(speech.count / 512)")
        var state: UInt64 = 7
        let noise = (0..<80_000).map { _ -> Int16 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: Int(state >> 52) - 2_048)
        }
        detector.reset()
        #expect(probabilities(noise, detector).count { $0 > 0.5 } < 5)
    }

    /// What was heard before an utterance does not change what is found in it.
    @Test func anUtterance_beginsAnew() throws {
        let detector = try loaded(), speech = try Flite.samples("where is the kettle", voice: "rms")
        let first = probabilities(speech, detector)
        detector.reset()
        #expect(probabilities(speech, detector) == first)
    }

    @Test func untilTheModelIsLoaded_andWithinAnUtterance_theOtherJudges() throws {
        let loader = SileroLoader(folder: folder), detector = detector(loader)
        detector.reset()
        let tone = SampleSound.voice(.milliseconds(320))
        #expect(probabilities(tone, detector).allSatisfy { $0 == 1 }, "a tone is voice to the simple detector")
        #expect(detector.traits == VoiceActivityTraits())
        try loader.load()
        #expect(probabilities(tone, detector).allSatisfy { $0 == 1 }, "the detector changes with the next utterance")
        detector.reset()
        #expect(probabilities(tone, detector).allSatisfy { $0 < 0.5 })
        #expect(detector.traits.hysteresis > 0)
    }

    @Test func damagedOrMissingModel_isNeitherLoadedNorTried() throws {
        for cut in [true, false] {
            let copy = try copy { cut ? $0.prefix(700_000) : Data($0.map { $0 ^ 1 }) }
            let loader = SileroLoader(folder: copy.path) { _ in Issue.record("what is known to be damaged is tried") }
            let error = #expect(throws: OnnxError.self) { try loader.load() }
            #expect(error?.description.contains("deploy/second-ear") == true)
        }
        let empty = try TemporaryFolder()
        #expect(SileroLoader.missing(in: empty.path) == SileroModel.file)
        #expect(throws: OnnxError.self) { try SileroLoader(folder: empty.path).load() }
    }

    @Test func aFailedTrial_leavesTheOther() throws {
        struct Crash: Error {}
        let loader = SileroLoader(folder: folder) { _ in throw Crash() }
        #expect(throws: Crash.self) { try loader.load() }
        let detector = detector(loader)
        detector.reset()
        #expect(detector.traits == VoiceActivityTraits())
    }

    /// The hash would not let it pass; a file that did must do no harm either.
    @Test func anotherModel_isRefused_andTheOtherJudgesOn() throws {
        let copy = try copy { _ in
            (try? Data(contentsOf: URL(filePath: "\(folder)/encoder_model.ort"))) ?? Data([1, 2, 3])
        }
        let told = Mutex<[String]>([])
        let loader = SileroLoader(loaded: try SileroModel(folder: copy.path))
        let detector = SileroVoiceActivity(loader, fallback: EnergyVoiceActivity()) { error in
            told.withLock { $0.append("\(error)") }
        }
        detector.reset()
        #expect(probabilities(SampleSound.voice(.milliseconds(96)), detector) == [1, 1, 1])
        #expect(told.withLock { $0.count } == 1)
        detector.reset()
        #expect(told.withLock { $0.count } == 1, "it is not tried with every utterance")
    }

    /// `deploy/prepare.sh` installs by the same hash.
    @Test func hash_isThatOfWhatIsInstalled() throws {
        let script = try String(
            contentsOfFile: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../deploy/prepare.sh").standardizedFileURL.path, encoding: .utf8)
        for (file, sum) in SileroLoader.sums { #expect(script.contains("\(sum)  $1/\(file)")) }
    }
}
