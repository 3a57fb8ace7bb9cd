import Domain
import Configuration
import AudioPipeline
import CopilotTestKit
import Foundation
import SignalProcessing
import SoundFiles
import SystemTestKit
import Testing

/// The stages of the audio chain on real libraries.
@Suite struct SignalStagesTests {
    private func noise(_ count: Int, amplitude: Double) -> [Int16] {
        var state: UInt64 = 7
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(amplitude * (Double(state >> 11) / Double(1 << 52) - 1))
        }
    }

    private func power(_ samples: some Collection<Int16>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
    }

    private func run(_ work: AudioNode.Work, rate: Int = 16_000, _ samples: [Int16], block: Int = 512) throws -> [Int16]
    {
        let stage = try #require(try SignalStages().stage(work, rate: rate))
        var output: [Int16] = []
        for start in stride(from: 0, to: samples.count, by: block) {
            output += try stage.process(Array(samples[start..<min(start + block, samples.count)]))
        }
        return try output + stage.finish()
    }

    @Test func aBoardOf48kHzStereo_isHeardAs16kHzMono() throws {
        let text = """
            nodes:
              microphone: {kind: microphone, rate: 48000, channels: 2}
              one: {kind: mono}
              down: {kind: resample}
              fork: {kind: split}
              recogniser: {kind: recogniser}
              vad: {kind: voice_activity}
            connections: [microphone → one → down → fork, fork → recogniser, fork → vad, vad.end → recogniser.finish]
            """
        let graph = try AudioGraph(ConfigurationNode(parsing: text, file: "board.yaml"))
        let hearing = Hearing(graph: graph, stages: [SignalStages()]) { EnergyVoiceActivity() }
        let chain = try hearing.chain(from: graph.microphone)
        let tone = AudioTools.sine(hertz: 440, seconds: 1, rate: 48_000)
        for _ in 0..<2 {
            chain.reset()
            var heard: [Int16] = [], frames = 0
            for start in stride(from: 0, to: tone.count, by: 1_536) {
                let block = tone[start..<min(start + 1_536, tone.count)].flatMap { [$0, $0] }
                let sound = try chain.accept(block)
                heard += sound.samples
                frames += sound.speech.count
            }
            heard += try chain.finish().samples
            let expected = AudioTools.sine(hertz: 440, seconds: 1, rate: 16_000)
            #expect(heard.count == expected.count)
            #expect(frames >= 30)
            let error = zip(heard, expected).dropFirst(200).dropLast(200).map { abs(Int($0) - Int($1)) }.max()
            #expect((error ?? .max) < 40)
        }
    }

    @Test func highPass_takesRumbleAway_andLeavesTheVoice() throws {
        let rumble = AudioTools.sine(hertz: 25, seconds: 2, rate: 16_000)
        let voice = AudioTools.sine(hertz: 300, seconds: 2, rate: 16_000)
        let low = try run(.highPass(hertz: 80), rumble), high = try run(.highPass(hertz: 80), voice)
        #expect(power(low.dropFirst(8_000)) < 0.02 * power(rumble))
        #expect(abs(power(high.dropFirst(8_000)) / power(voice) - 1) < 0.05)
    }

    @Test(arguments: [8_000, 16_000, 48_000])
    func suppression_takesSteadyNoiseAway(rate: Int) throws {
        let hiss = noise(rate * 4, amplitude: 2_000)
        let calm = try run(.noiseSuppression(.speex, decibels: 15), rate: rate, hiss, block: rate / 31)
        #expect(calm.count == hiss.count)
        #expect(10 * log10(power(hiss.suffix(rate)) / power(calm.suffix(rate))) > 8)
    }

    @Test func suppression_leavesSpeech() throws {
        let speech = try Flite.samples("log diesel for fifty pounds", voice: "slt")
        let calm = try run(.noiseSuppression(.speex, decibels: 15), speech)
        #expect(power(calm) > 0.4 * power(speech))
    }

    @Test func otherWork_isNotDoneHere() throws {
        for work in [AudioNode.Work.gain(decibels: 3), .split, .recogniser, .mono(channel: nil)] {
            #expect(try SignalStages().stage(work, rate: 16_000) == nil)
        }
    }
}

/// The last utterance on disk.
@Suite struct LastUtteranceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theLastUtterance_isAWAVFile_ofTheOwnersAlone_andOverwritten() throws {
        let path = folder.file("last.wav")
        let recorder = LastUtterance(path: path) { Issue.record("\($0)") }
        recorder.keep(AudioTools.counting(40_000))
        recorder.keep(AudioTools.counting(10_000))
        recorder.finishWriting()
        let reader = LibSndFileReader { samples, _ in samples }
        #expect(try reader.read(path: path) == AudioTools.counting(10_000))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["last.wav"])
        LastUtterance.remove(path: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func whereItCannotBeKept_thatIsSaid() async throws {
        await confirmation { told in
            let recorder = LastUtterance(path: folder.file("missing/last.wav")) { message in
                #expect(message.contains("missing/last.wav"))
                told()
            }
            recorder.keep([1, 2, 3])
            recorder.finishWriting()
        }
    }
}
