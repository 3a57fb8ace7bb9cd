import Domain
import Foundation
import SystemTestKit
import Testing

@testable import AudioALSA

@Suite(.serialized) struct ALSAMicrophoneTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func microphone(
        device: String = "default", text: String = "", paced: Bool = false
    ) throws -> ALSAMicrophone {
        ALSAMicrophone(
            device: device, configuration: try ALSAConfiguration(text: text), settings: .init(isPaced: paced),
            logger: AudioTools.logger)
    }

    /// A board's own device that captures from a file.
    private func fileDevice(_ path: String) -> String {
        """
        pcm.van {
            type file
            slave.pcm { type null }
            file "/dev/null"
            infile "\(path)"
            format raw
        }
        """
    }

    @Test(arguments: [1, 511, 512, 1_300, 100_000])
    func recording_isCapturedExactly_andEndsInSilence(count: Int) async throws {
        let written = AudioTools.counting(count)
        let path = try folder.write(written, to: "in.raw")
        let capture = try await microphone().open(.recording(path: path))
        defer { capture.close() }
        let heard = try await AudioTools.capture(count + 20 * 512, from: capture)
        #expect(Array(heard.prefix(count)) == written)
        #expect(heard.dropFirst(count).allSatisfy { $0 == 0 })
        #expect(capture.losses == AudioLosses())
    }

    @Test func aStereoDeviceOf48kHz_isOpenedAsSuch_andARecordingIsNot() async throws {
        let path = try folder.write(AudioTools.counting(9_000), to: "stereo.raw")
        let format = SampleFormat(rate: 48_000, channels: 2)
        let microphone = ALSAMicrophone(
            device: "van", configuration: try ALSAConfiguration(text: fileDevice(path)),
            settings: .init(format: format, periodSize: 1_536), logger: AudioTools.logger)
        let capture = try await microphone.open(.room)
        #expect(capture.format == format)
        var heard: [Int16] = [], position = 0
        while heard.count < 9_000 {
            let block = try #require(await capture.next())
            #expect(block.samples.count == 2 * 1_536)
            #expect(block.position == position)
            position += 1_536
            heard += block.samples
        }
        capture.close()
        #expect(Array(heard.prefix(9_000)) == AudioTools.counting(9_000))
        let recording = try await microphone.open(.recording(path: path))
        #expect(recording.format == .heard)
        #expect(try await recording.next()?.samples == Array(AudioTools.counting(512)))
        recording.close()
    }

    @Test func recordingOfOddLength_losesItsHalfSampleOnly() async throws {
        let path = folder.file("odd.raw")
        try Data([1, 0, 2, 0, 255]).write(to: URL(fileURLWithPath: path))
        let capture = try await microphone().open(.recording(path: path))
        defer { capture.close() }
        let heard = try await AudioTools.capture(1_024, from: capture)
        #expect(Array(heard.prefix(3)) == [1, 2, 0])
    }

    @Test func pathWithQuotesAndDollars_isTakenLiterally() async throws {
        let path = try folder.write([7, 8, 9], to: "it's \"odd\" $HOME {x} %d|.raw")
        let capture = try await microphone().open(.recording(path: path))
        defer { capture.close() }
        #expect(try await AudioTools.capture(512, from: capture).prefix(4) == [7, 8, 9, 0])
    }

    @Test func missingRecording_isMissing() async throws {
        let path = folder.file("none.raw")
        let failure = await #expect(throws: DeviceFailure.self) { try await microphone().open(.recording(path: path)) }
        #expect(failure?.reason == .missing)
        #expect(failure?.device == path)
    }

    @Test func folderAsRecording_isUnusable() async throws {
        let failure = await #expect(throws: DeviceFailure.self) {
            try await microphone().open(.recording(path: folder.path))
        }
        #expect(failure?.reason == .unusable)
    }

    @Test(arguments: ["nonesuch", "hw:7", "plughw:CARD=Nowhere"])
    func missingDevice_isMissing(name: String) async throws {
        let failure = await #expect(throws: DeviceFailure.self) { try await microphone(device: name).open(.room) }
        #expect(failure?.reason == .missing)
        #expect(failure?.device == name)
    }

    @Test func deviceOfTheBoardFile_isCapturedExactly_thoughFasterThanRealTime() async throws {
        let written = AudioTools.counting(160_000)
        let path = try folder.write(written, to: "room.raw")
        let capture = try await microphone(device: "van", text: fileDevice(path)).open(.room)
        defer { capture.close() }
        let pump = try #require(capture as? ALSACapture).pump
        // Late on purpose: nobody takes a block until no more of them fit.
        try await eventually("the queue to be full") { pump.blocks.isFull }
        #expect(try await AudioTools.capture(written.count, from: capture).prefix(written.count) == written[...])
        #expect(capture.losses == AudioLosses())
    }

    @Test func pacedDevice_deliversNoBlockBeforeItsTime_andLosesNothing() async throws {
        let written = AudioTools.counting(16_000)
        let path = try folder.write(written, to: "room.raw")
        let start = ContinuousClock.now
        let capture = try await microphone(device: "van", text: fileDevice(path), paced: true).open(.room)
        defer { capture.close() }
        var heard: [Int16] = []
        while heard.count < written.count {
            let block = try #require(await capture.next())
            #expect(ContinuousClock.now - start >= AudioFormat.duration(of: block.position))
            heard += block.samples
        }
        #expect(heard.prefix(written.count) == written[...])
    }

    @Test func closing_endsTheCapture_evenForAConsumerThatWaits() async throws {
        let path = try folder.write([], to: "empty.raw")
        let capture = try await microphone(device: "van", text: fileDevice(path), paced: true).open(.room)
        let consumer = Task {
            var count = 0
            while try await capture.next() != nil { count += 1 }
            return count
        }
        capture.close()
        capture.close()
        _ = try await consumer.value
        #expect(try await capture.next() == nil)
    }

    @Test func captureThatNobodyHolds_closesItself() async throws {
        let path = try folder.write(AudioTools.counting(64), to: "held.raw")
        _ = try await microphone().open(.recording(path: path))
        try await eventually("the device to be closed") { AudioTools.openPaths(containing: folder.path) == 0 }
    }

    @Test func openingAndClosing_twoHundredTimes_leaksNothing() async throws {
        let path = try folder.write(AudioTools.counting(4_000), to: "loop.raw")
        let microphone = try microphone()
        for round in 0..<200 {
            let capture = try await microphone.open(.recording(path: path))
            if round % 3 != 0 { _ = try await capture.next() }
            capture.close()
        }
        try await eventually("all devices and threads to be gone") {
            AudioTools.openPaths(containing: folder.path) == 0 && !AudioTools.threadNames().contains("vanorb-mic")
        }
    }
}
