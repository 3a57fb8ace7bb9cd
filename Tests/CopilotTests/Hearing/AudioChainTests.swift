@testable import Domain
@testable import Configuration
@testable import AudioPipeline
import CopilotTestKit
import Foundation
import Synchronization
import Testing

/// What goes through the chain, and where it comes out.
@Suite struct AudioChainTests {
    /// Notes the frames that it is given; loud is voice.
    private final class NotingDetector: VoiceActivityDetector {
        let counts: @Sendable (Int) -> Void
        init(_ counts: @escaping @Sendable (Int) -> Void) { self.counts = counts }
        func speechProbability(of samples: [Int16]) -> Double {
            counts(samples.count)
            return (samples.max() ?? 0) > 1_000 ? 1 : 0
        }
        func reset() {}
    }

    /// Keeps what it is given.
    private final class Shelf: UtteranceRecorder {
        let kept = Mutex<[[Int16]]>([])
        func keep(_ samples: [Int16]) { kept.withLock { $0.append(samples) } }
    }

    private func chain(
        _ text: String? = nil, from format: SampleFormat? = nil, recorder: Shelf? = nil,
        counts: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> AudioChain {
        let graph = try text.map { try AudioGraph(ConfigurationNode(parsing: $0, file: "board.yaml")) } ?? .standard
        let hearing = Hearing(graph: graph, recorder: recorder) { NotingDetector(counts) }
        return try hearing.chain(from: format ?? graph.microphone)
    }

    private let voice = [Int16](repeating: 8_000, count: 512)

    @Test func theStandardChain_changesNothing() throws {
        let heard = try chain().accept(voice)
        #expect(heard.samples == voice)
        #expect(heard.speech == [VoiceFrame(probability: 1, level: Loudness.decibels(of: voice))])
        #expect(heard.level == Loudness.level(of: voice))
    }

    @Test(arguments: [1, 100, 512, 700, 3_000])
    func blocksOfAnyLength_reachTheDetectorInItsFrames(size: Int) throws {
        let counts = Mutex<[Int]>([])
        let chain = try chain { count in counts.withLock { $0.append(count) } }
        var speech = 0
        for _ in 0..<(6_000 / size) {
            speech += try chain.accept([Int16](repeating: 0, count: size)).speech.count
        }
        #expect(speech == 6_000 / size * size / 512)
        #expect(counts.withLock { $0.allSatisfy { $0 == 512 } })
    }

    private static let stereo = """
        nodes:
          microphone: {kind: microphone, rate: 16000, channels: 2}
          one: {kind: mono}
          louder: {kind: gain, decibels: 6.0206}
          fork: {kind: split}
          recogniser: {kind: recogniser}
          vad: {kind: voice_activity}
        connections: [microphone → one → louder → fork, fork → recogniser, fork → vad, vad.end → recogniser.finish]
        """

    @Test func channels_becomeOne_andGainIsApplied() throws {
        let heard = try chain(Self.stereo).accept([1_000, 3_000, -100, -300, 32_767, 32_767, -32_768, -32_768])
        #expect(heard.samples == [4_000, -400, 32_767, -32_768])
        #expect(heard.level == nil)
    }

    @Test func oneChannel_canBeTaken() throws {
        let text = Self.stereo.replacing("{kind: mono}", with: "{kind: mono, channel: 2}")
        #expect(try chain(text).accept([1_000, 3_000]).samples == [6_000])
    }

    @Test func aRecording_needsNoConversion() throws {
        let text = Self.stereo.replacing("{kind: mono}", with: "{kind: mono, channel: 2}")
        #expect(try chain(text, from: .heard).accept([1_000, 3_000]).samples == [2_000, 6_000])
    }

    @Test func workThatNobodyDoes_isSaid() throws {
        let text = Self.stereo.replacing("{kind: gain, decibels: 6.0206}", with: "{kind: high_pass}")
        #expect(throws: AudioGraphFault.self) { try chain(text) }
    }

    @Test func theUtterance_isKeptOnce_andNothingOfTheOneBefore() throws {
        let shelf = Shelf(), chain = try chain(recorder: shelf)
        _ = try chain.accept(voice)
        chain.reset()
        _ = try chain.accept([1, 2, 3])
        _ = try chain.accept([4])
        _ = try chain.finish()
        _ = try chain.finish()
        #expect(shelf.kept.withLock { $0 } == [[1, 2, 3, 4]])
    }

    @Test func withoutARecorder_nothingIsKept() throws {
        let chain = try chain()
        _ = try chain.accept(voice)
        #expect(try chain.finish() == HeardSound())
    }
}
